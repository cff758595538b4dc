"""Choose the best of 300 classifiers of handwritten digits with few labels, and prove that it is.

The classifiers are fitted once and predict a pool of unlabelled images. `ModelChoice` says which image to label next;
one label scores all 300. It stops when the leader is proven to be within 2% of the best on the pool.

Needs the extra `warmer[classifiers]`.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import warmer


def fitted(images, digits, rng):
    """Three hundred classifiers of mixed quality: each sees its own few images."""
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

    choice = warmer.ModelChoice(models, X=images[pool], epsilon=0.02, delta=0.05, seed=0)
    while points := choice.ask():
        for point in points:
            choice.tell(point, digits[pool][point])  # the labels we pay for
        if choice.n_labels % 25 == 0:
            n_out = sum(standing.is_ruled_out for standing in choice.standings)
            print(f"{choice.n_labels:3} labels: {n_out} models ruled out, about {choice.labels_left} labels to go")
    print(choice.certificate())

    accuracy = {name: float((model.predict(images[pool]) == digits[pool]).mean()) for name, model in models.items()}
    chosen, best = accuracy[choice.leader], max(accuracy.values())
    print(f"in truth, with all {len(pool)} labels: {choice.leader} {chosen:.3f}, best {best:.3f}")


if __name__ == "__main__":
    main()
