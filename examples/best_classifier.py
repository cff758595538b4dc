"""Find the best of 300 classifiers of handwritten digits from noisy accuracies, paying for every label.

The classifiers are fitted once. How often any two of them agree on *unlabelled* images is free to compute, and it says
what accuracy each would show if another were right. `warmer` uses that to decide whose accuracy to measure next, on a
handful of freshly labelled images at a time. The choice is a recommendation: that the truth labels like one of the
classifiers is a belief, so nothing is certified.

Needs the extra `warmer[classifiers]`.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import warmer

BATCH = 20


def fitted(images, digits, rng):
    """Three hundred classifiers of mixed quality: each sees its own few images and its own half of the pixels."""
    makers = [
        lambda: DecisionTreeClassifier(max_depth=6, random_state=0),
        lambda: KNeighborsClassifier(3),
        lambda: RidgeClassifier(),
        lambda: GaussianNB(var_smoothing=1e-2),
    ]
    for number in range(300):
        size = int(rng.integers(60, 400))
        chosen = rng.choice(len(images), size, replace=False)
        model = makers[number % len(makers)]()
        yield f"{type(model).__name__} {size} images #{number}", model.fit(images[chosen], digits[chosen])


def main() -> None:
    rng = np.random.default_rng(0)
    images, digits = load_digits(return_X_y=True)
    images = images / 16
    order = rng.permutation(len(images))
    train, pool = order[:600], order[600:]
    models = dict(fitted(images[train], digits[train], rng))
    problem = warmer.problems.classifiers(models, images[pool], accuracy=0.95)  # the best will be right so often, say

    is_right = {name: model.predict(images[pool]) == digits[pool] for name, model in models.items()}
    accuracy = {name: float(right.mean()) for name, right in is_right.items()}

    session = warmer.Session(warmer.InformationDirected(problem, sigma=0.6), seed=0)
    for _ in range(60):
        name = session.ask()
        fresh = rng.integers(len(pool), size=BATCH)  # the labels we pay for
        session.tell(name, 2 * is_right[name][fresh].mean() - 1, count=BATCH)

    chosen, best = session.recommend(), max(accuracy, key=accuracy.get)
    tried = len(set(session.history.queries))
    print(f"{len(models)} classifiers, {tried} of them measured, {session.cost:.0f} labels bought")
    print(f"chosen: {chosen}, accuracy {accuracy[chosen]:.3f}")
    print(f"best:   {best}, accuracy {accuracy[best]:.3f}; median {np.median(list(accuracy.values())):.3f}")
    better = sum(value > accuracy[chosen] for value in accuracy.values())
    share = session.cost / len(models)
    print(f"{better} of the others are better; the same labels spread evenly would be {share:.0f} for each of them")


if __name__ == "__main__":
    main()
