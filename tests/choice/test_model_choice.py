"""What a user sees: points to label, the leader, standings, certificates, and clear refusals."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import warmer
from warmer import InvalidValueError, ModelChoice, ProtocolError
from warmer.choice import Absolute, Brier, CostMatrix, Recall, Squared, ZeroOne
from warmer.choice.draws import Frame


def make_pool(seed: int, accuracies: list[float], n_points: int = 300, n_classes: int = 4):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n_points)
    is_right = rng.random((len(accuracies), n_points)) < np.array(accuracies)[:, None]
    return np.where(is_right, truth, rng.integers(n_classes, size=is_right.shape)), truth


def label_until_certified(choice: ModelChoice, truth, *, batch: int = 1) -> None:
    while points := choice.ask(batch):
        for point in points:
            choice.tell(point, truth[choice.points.position(point)])


class Constant:
    """A fitted estimator in the manner of scikit-learn."""

    classes_ = np.array(["no", "yes"])

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def predict(self, examples):
        return [self.answer] * len(examples)

    def predict_proba(self, examples):
        return [[0.9, 0.1] if self.answer == "no" else [0.1, 0.9]] * len(examples)


def test_the_certified_model_is_within_epsilon_and_far_fewer_labels_are_asked_for_than_there_are_points():
    predictions, truth = make_pool(0, [0.5, 0.6, 0.7, 0.9, 0.92])
    choice = ModelChoice(predictions, epsilon=0.05, seed=1)
    label_until_certified(choice, truth)
    losses = (predictions != truth).mean(axis=1)
    assert choice.certificate()
    assert losses[choice.leader] <= losses.min() + 0.05
    assert choice.n_labels < 100
    assert choice.labels_left == 0
    assert choice.ask() == []


def test_the_same_seed_gives_the_same_points():
    predictions, truth = make_pool(3, [0.5, 0.8, 0.85])
    runs = []
    for seed in (4, 4, 5):
        choice = ModelChoice(predictions, epsilon=0.02, seed=seed)
        label_until_certified(choice, truth)
        runs.append(list(choice.labels))
    assert runs[0] == runs[1] != runs[2]


def test_points_asked_for_and_not_told_about_come_first_again():
    predictions, truth = make_pool(3, [0.5, 0.8, 0.85])
    choice = ModelChoice(predictions, epsilon=0.02, seed=0)
    first = choice.ask(3)
    assert len(set(first)) == 3
    assert choice.ask(3) == first
    choice.tell(first[1], truth[first[1]])
    assert choice.ask(2) == [first[0], first[2]]


def test_labels_count_in_the_order_of_asking_however_they_come():
    predictions, truth = make_pool(5, [0.5, 0.8, 0.85])
    forward, backward = (ModelChoice(predictions, epsilon=0.02, seed=2) for _ in range(2))
    for _ in range(5):
        for point in forward.ask(4):
            forward.tell(point, truth[point])
        for point in reversed(backward.ask(4)):
            backward.tell(point, truth[point])
    assert forward.standings == backward.standings
    assert forward.labels == backward.labels


def test_a_label_that_comes_early_waits_for_those_asked_for_before_it():
    predictions, truth = make_pool(5, [0.5, 0.8, 0.85])
    choice = ModelChoice(predictions, epsilon=0.02, seed=2)
    before = choice.standings
    first, second = choice.ask(2)
    choice.tell(second, truth[second])
    assert repr(choice.standings) == repr(before)
    choice.tell(first, truth[first])
    assert choice.n_labels == 2
    assert repr(choice.standings) != repr(before)


def test_labels_that_nobody_asked_for_are_known_and_when_all_are_known_the_best_is_certain():
    predictions, truth = make_pool(7, [0.5, 0.8, 0.85], n_points=40)
    choice = ModelChoice(predictions, epsilon=0, delta=1e-9, seed=0)
    for point in range(40):
        choice.tell(point, truth[point])
    certificate = choice.certificate()
    assert certificate
    assert certificate.is_certain
    assert certificate.answer == (predictions == truth).mean(axis=1).argmax()
    assert "whatever the other labels are" in str(certificate)


def test_models_that_agree_everywhere_need_no_label():
    choice = ModelChoice([[0, 1, 2], [0, 1, 2]], epsilon=0, seed=0)
    assert choice.certificate().is_certain
    assert choice.ask() == []


def test_two_models_that_differ_at_fewer_points_than_epsilon_allows_need_no_label():
    assert ModelChoice([[0] * 100, [0] * 95 + [1] * 5], epsilon=0.05, seed=0).certificate().is_certain
    assert not ModelChoice([[0] * 100, [0] * 94 + [1] * 6], epsilon=0.05, seed=0).certificate()


def test_batches_end_in_a_certificate_too():
    predictions, truth = make_pool(8, [0.5, 0.6, 0.9])
    choice = ModelChoice(predictions, epsilon=0.05, seed=0)
    label_until_certified(choice, truth, batch=25)
    assert choice.certificate()


def test_names_of_models_and_points_are_the_users_own():
    choice = ModelChoice({"tree": ["a", "b"], "forest": ["b", "b"]}, epsilon=0, points=["left", "right"], seed=0)
    assert choice.ask() == ["left"]
    choice.tell("left", "b")
    assert choice.leader == "forest"
    assert choice.certificate().answer == "forest"
    assert choice.labels == {"left": "b"}


def test_a_dataframe_has_a_column_for_each_model():
    frame = pd.DataFrame({"tree": ["a", "b"], "forest": ["b", "b"]}, index=["p", "q"])
    choice = ModelChoice(frame, epsilon=0, seed=0)
    assert list(choice.models) == ["tree", "forest"]
    assert choice.ask() == ["p"]


def test_estimators_predict_the_pool_themselves():
    choice = ModelChoice([Constant("yes"), Constant("no")], X=[[1], [2]], epsilon=0.1, seed=0)
    assert list(choice.models) == ["Constant 1", "Constant 2"]
    choice.tell(0, "no")
    assert choice.leader == "Constant 2"


def test_every_classifier_of_scikit_learn_will_do():
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    points, labels = load_iris(return_X_y=True)
    models = {
        "tree": DecisionTreeClassifier(max_depth=1),
        "bayes": GaussianNB(),
        "line": LogisticRegression(max_iter=1000),
    }
    for model in models.values():
        model.fit(points[::3], labels[::3])
    for loss in ("zero-one", "brier"):
        choice = ModelChoice(models, X=points, epsilon=0.05, loss=loss, seed=0)
        label_until_certified(choice, labels)
        assert choice.certificate()
        assert choice.leader != "tree"


def test_probabilities_are_judged_by_their_likeliest_class_unless_the_loss_is_brier():
    chances = np.array([[[0.6, 0.4], [0.2, 0.8]], [[0.4, 0.6], [0.4, 0.6]]])
    choice = ModelChoice(chances, epsilon=0, classes=["no", "yes"], seed=0)
    assert choice.ask() == [0]
    choice.tell(0, "yes")
    assert choice.leader == 1


def test_a_label_scores_all_models_by_each_loss():
    classes = [["a", "b"], ["b", "b"], ["?", "?"]]
    chances = [[[1.0, 0.0]], [[0.5, 0.5]]]
    cases = [
        (classes, ZeroOne("?", abstention_cost=0.5), "b", [1, 0, 0.5]),
        (classes[:2], CostMatrix([[0, 9], [2, 0]], labels=["a", "b"]), "b", [9, 0]),
        (classes, CostMatrix([[0, 9], [2, 0], [1, 1]], labels=["a", "b"], predictions=["a", "b", "?"]), "a", [0, 2, 1]),
        (classes[:2], Recall("b"), "b", [1, 0]),
        (classes[:2], Recall("b"), "a", [0, 0]),
        (chances, Brier(), 1, [1, 0.25]),
        ([[1.0, 2.0], [4.0, 2.0]], Squared(0, 10), 2, [1, 4]),
        ([[1.0, 2.0], [40.0, 2.0]], Absolute(0, 10), 2, [1, 8]),
    ]
    for predictions, loss, label, expected in cases:
        choice = ModelChoice(predictions, epsilon=0.001, loss=loss, seed=0)
        choice.tell(0, label)
        losses = {standing.model: standing.loss for standing in choice.standings}
        assert [losses[model] for model in range(len(expected))] == pytest.approx(expected), loss


def test_none_may_stand_for_an_abstention_if_that_is_declared():
    choice = ModelChoice([["a", None], ["a", "b"]], epsilon=0, loss=ZeroOne(abstain=None, abstention_cost=0.25), seed=0)
    choice.tell(1, "a")
    assert [(standing.model, standing.loss) for standing in choice.standings] == [(0, 0.25), (1, 1)]
    for loss in (ZeroOne(), ZeroOne(abstain=float("nan")), Recall("a")):
        with pytest.raises(InvalidValueError, match="model 0 predicts nothing for point 1"):
            ModelChoice([["a", None], ["a", "b"]], epsilon=0, loss=loss, seed=0)


def test_recall_is_certified_against_the_number_of_points_of_its_class():
    for seed in range(20):
        predictions, truth = make_pool(seed, [0.5, 0.7, 0.8, 0.9], n_points=120)
        choice = ModelChoice(predictions, epsilon=0.1, loss=Recall(0), seed=seed)
        label_until_certified(choice, truth)
        recalls = (predictions == 0)[:, truth == 0].mean(axis=1)
        assert choice.certificate()
        assert recalls[choice.leader] >= recalls.max() - 0.1 - 1e-9


@pytest.mark.parametrize("loss", [Squared(0, 1), Absolute(0, 1)])
def test_regressions_are_certified(loss):
    rng = np.random.default_rng(0)
    truth = rng.uniform(size=400)
    predictions = np.array([np.clip(truth + rng.normal(0, size, 400), 0, 1) for size in (0.05, 0.2, 0.4)])
    choice = ModelChoice(predictions, epsilon=0.02, loss=loss, seed=0)
    label_until_certified(choice, truth)
    assert choice.certificate().answer == 0
    assert choice.n_labels < 200


def test_the_certificate_on_the_population_asks_for_more():
    n_labels = {False: 0, True: 0}
    for seed in range(5):
        predictions, truth = make_pool(seed, [0.5, 0.6, 0.9], n_points=2000)
        for population in n_labels:
            choice = ModelChoice(predictions, epsilon=0.1, population=population, seed=0)
            label_until_certified(choice, truth)
            assert choice.certificate().answer == 2
            n_labels[population] += choice.n_labels
    assert "on the population" in str(choice.certificate())
    assert n_labels[True] > n_labels[False]
    assert not choice.certificate().is_certain


def test_a_pool_too_small_for_the_population_says_so_when_all_its_labels_are_in():
    predictions, truth = make_pool(1, [0.85, 0.86, 0.87], n_points=60)
    choice = ModelChoice(predictions, epsilon=0.05, population=True, seed=0)
    label_until_certified(choice, truth)
    assert not choice.certificate()
    assert choice.certificate().is_exhausted
    assert "no label of this pool can prove more" in str(choice.certificate())


def test_standings_are_sorted_and_their_intervals_hold():
    for seed in range(30):
        predictions, truth = make_pool(seed, [0.3, 0.5, 0.7, 0.9], n_points=400)
        choice = ModelChoice(predictions, epsilon=0.02, seed=seed)
        label_until_certified(choice, truth)
        losses = (predictions != truth).mean(axis=1)
        standings = choice.standings
        assert [standing.estimate for standing in standings] == sorted(standing.estimate for standing in standings)
        assert all(standing.low - 1e-9 <= losses[standing.model] <= standing.high + 1e-9 for standing in standings)
        assert [standing.model for standing in standings if not standing.is_ruled_out] == [choice.leader]
        assert standings[0].accuracy == 1 - standings[0].loss


def test_telling_the_same_again_changes_nothing_and_another_label_is_refused():
    choice = ModelChoice([["a", "b"], ["b", "b"]], epsilon=0, seed=0)
    choice.tell(0, "b")
    choice.tell(0, "b")
    with pytest.raises(ProtocolError, match="point 0 has the label 'b' already, got 'a'"):
        choice.tell(0, "a")
    assert choice.labels == {0: "b"}


@pytest.mark.parametrize(
    ("point", "label", "message"),
    [
        (5, "a", "there is no point 5"),
        ("x", "a", "there is no point 'x'"),
        (0, "c", "there is no class 'c'; the classes are 'a', 'b'; name it in classes="),
        (0, None, "there is no class None"),
        (0, 1, "there is no class 1"),
        (0, ["a"], "a label must be a single class"),
        (0, float("nan"), "there is no class nan"),
    ],
)
def test_a_label_that_makes_no_sense_is_refused_and_changes_nothing(point, label, message):
    choice = ModelChoice([["a", "b"], ["b", "b"]], epsilon=0, seed=0)
    before = repr(choice.standings)
    with pytest.raises(InvalidValueError, match=message):
        choice.tell(point, label)
    assert choice.labels == {}
    assert repr(choice.standings) == before


def test_a_whole_number_that_no_model_predicts_is_a_label_that_all_miss_but_text_is_not_a_number():
    choice = ModelChoice([[0, 1], [1, 1]], epsilon=0, seed=0)
    choice.tell(1, 7)
    assert [standing.loss for standing in choice.standings] == [1, 1]
    with pytest.raises(InvalidValueError, match="there is no class '1'"):
        choice.tell(0, "1")


def test_declared_classes_may_come_and_no_others():
    choice = ModelChoice([["a", "b"], ["b", "b"]], epsilon=0, classes=["a", "b", "c"], seed=0)
    choice.tell(0, "c")
    with pytest.raises(InvalidValueError, match="they were declared"):
        choice.tell(1, "d")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": [[0, 1]], "epsilon": -1}, "epsilon must be at least 0"),
        ({"predictions": [[0, 1]], "epsilon": "0.1"}, "epsilon must be a number"),
        ({"predictions": [[0, 1]], "epsilon": 0.1, "delta": 0}, "delta must lie strictly between"),
        ({"predictions": [[0, 1]], "epsilon": 0.1, "seed": -1}, "seed must be at least 0"),
        ({"predictions": [], "epsilon": 0.1}, "predictions must be models x points"),
        ({"predictions": [[], []], "epsilon": 0.1}, "at least one model and one point"),
        ({"predictions": 3, "epsilon": 0.1}, "predictions must be models x points, got int"),
        ({"predictions": [0, 1], "epsilon": 0.1}, "predictions must be models x points"),
        ({"predictions": [[0, 1], [0]], "epsilon": 0.1}, "all models must predict the same points"),
        ({"predictions": {"m": [0.0, float("nan")]}, "epsilon": 0.1}, "model 'm' predicts nothing for point 1"),
        ({"predictions": {"m": ["a", None]}, "epsilon": 0.1}, "model 'm' predicts nothing for point 1"),
        ({"predictions": [[0.37, 1.5]], "epsilon": 0.1}, "predictions such as 0.37 are no classes; for a regression"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": "f1"}, "'f1' is not a mean over points"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": "hinge"}, "there is no loss 'hinge'"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": Squared}, "loss must be one of warmer.choice"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": Squared(0, 1)}, "this loss judges numbers"),
        (
            {"predictions": [[np.inf]], "epsilon": 0.1, "loss": Squared(0, 1)},
            "predicts inf for point 0; give",
        ),
        ({"predictions": [[[0.5, 0.6]]], "epsilon": 0.1, "loss": "brier"}, "probabilities are at least 0 and sum to 1"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": CostMatrix([[0]], labels=["a"])}, "some greater than 0"),
        ({"predictions": [["b"]], "epsilon": 0.1, "loss": CostMatrix([[0, 1]], ["a", "c"], ["a"])}, "has no row"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": CostMatrix([[0]], ["a", "b"])}, "costs must have a row"),
        ({"predictions": [["a"]], "epsilon": 0.1, "loss": Recall("a"), "population": True}, "no proof for it"),
        ({"predictions": Constant("no"), "X": [1], "epsilon": 0.1}, "got a single one"),
        ({"predictions": [3], "X": [1], "epsilon": 0.1}, "model 'int 1' needs a method predict"),
        ({"predictions": [[0, 1]], "epsilon": 0.1, "models": ["a", "b"]}, "needs 1 model labels, got 2"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_in_words(arguments, message):
    with pytest.raises(InvalidValueError, match=message):
        ModelChoice(arguments.pop("predictions"), **arguments)


def test_a_label_outside_the_range_of_a_regression_is_refused():
    choice = ModelChoice([[0.5], [0.6]], epsilon=0.001, loss=Squared(0, 1), seed=0)
    for label, message in ((2, "must lie in"), ("x", "must be a number")):
        with pytest.raises(InvalidValueError, match=message):
            choice.tell(0, label)
    with pytest.raises(InvalidValueError, match="classes= goes with classes"):
        ModelChoice([[0.5]], epsilon=0.1, loss=Squared(0, 1), classes=[1], seed=0)


def test_the_name_is_public():
    assert warmer.ModelChoice is ModelChoice
    assert repr(ModelChoice([[0, 1]], epsilon=0.1, seed=0)) == "ModelChoice(1 models, 2 points, 0 labels)"


def test_a_corrected_label_counts_as_if_it_had_been_told_at_once():
    predictions, truth = make_pool(3, [0.5, 0.6, 0.7, 0.75])
    typo, right = (ModelChoice(predictions, epsilon=0.05, seed=0) for _ in range(2))
    points = typo.ask(12)
    assert right.ask(12) == points
    for place, point in enumerate(points):
        typo.tell(point, (truth[point] + (place == 4)) % 4)
        right.tell(point, truth[point])
    assert typo.standings != right.standings
    typo.correct(points[4], truth[points[4]])
    assert typo.standings == right.standings
    assert typo.ask(3) == right.ask(3)


def test_a_retracted_label_leaves_its_point_to_be_asked_for_first_and_later_labels_wait():
    predictions, truth = make_pool(3, [0.5, 0.6, 0.7, 0.75])
    choice = ModelChoice(predictions, epsilon=0.05, seed=0)
    points = choice.ask(6)
    for point in points:
        choice.tell(point, truth[point])
    before = choice.standings
    choice.retract(points[1])
    assert choice.n_labels == 5
    assert choice._race.n_labels == 1
    assert choice.ask() == [points[1]]
    choice.tell(points[1], truth[points[1]])
    assert choice.standings == before


def test_only_labels_that_there_are_can_be_corrected_or_retracted():
    choice = ModelChoice([[0, 1], [1, 1]], epsilon=0.0, seed=0)
    with pytest.raises(ProtocolError, match="point 0 has no label yet; tell it one"):
        choice.correct(0, 1)
    choice.ask()
    with pytest.raises(ProtocolError, match="point 0 has no label yet"):
        choice.retract(0)


def test_how_many_labels_are_left_is_said_with_a_range():
    predictions, truth = make_pool(1, [0.6, 0.7, 0.8])
    choice = ModelChoice(predictions, epsilon=0.05, seed=0)
    low, high = choice.labels_left_range
    assert 0 <= low <= choice.labels_left <= high <= 300
    label_until_certified(choice, truth)
    assert choice.labels_left_range == (0, 0)


def test_looking_at_the_next_draws_changes_nothing():
    predictions, _ = make_pool(5, [0.5, 0.6, 0.7])
    seen, unseen = (ModelChoice(predictions, epsilon=0.05, seed=0) for _ in range(2))
    looked = [drawn.point for drawn in seen.preview(5)]
    assert seen.ask(5) == unseen.ask(5) == looked


@pytest.mark.parametrize("text", ["", "x", "0", "0:zzz", "0:ffff", "a:fff", "3:fff", "-1:fff"])
def test_a_frame_that_makes_no_sense_is_refused(text):
    with pytest.raises(InvalidValueError, match="is no frame of 3 models"):
        Frame.read(text, 3)


def test_without_a_seed_no_copy_foretells_what_is_drawn_next():
    predictions, truth = make_pool(5, [0.5, 0.6, 0.7])
    choice = ModelChoice(predictions, epsilon=0.05)
    assert choice.seed is None
    foretold = [copy.deepcopy(choice).ask(5) for _ in range(3)] + [pickle.loads(pickle.dumps(choice)).ask(5)]
    assert choice.ask(5) not in foretold  # by chance once in 10^11
    assert all(point not in choice.labels for point in range(len(truth)))


def test_without_a_seed_the_preview_shows_what_is_asked_and_unanswered_and_looking_changes_nothing():
    predictions, truth = make_pool(5, [0.5, 0.6, 0.7])
    choice = ModelChoice(predictions, epsilon=0.05)
    assert choice.preview(5) == []
    asked = choice.ask(4)
    choice.tell(asked[1], truth[asked[1]])
    assert [drawn.point for drawn in choice.preview(9)] == [asked[0], *asked[2:]] == choice.unanswered
    assert [drawn.point for drawn in choice.preview(2)] == [asked[0], asked[2]]
    assert choice.ask(3) == [asked[0], *asked[2:]]
    for point in choice.unanswered:
        choice.tell(point, truth[point])
    assert choice.preview(5) == []


def test_a_drawn_point_whose_label_is_volunteered_counts_as_that_draw_in_its_place():
    predictions, truth = make_pool(5, [0.5, 0.6, 0.7])
    volunteered, told = (ModelChoice(predictions, epsilon=0.05, seed=3) for _ in range(2))
    points = volunteered.ask(6)
    assert told.ask(6) == points
    other = next(point for point in range(len(truth)) if point not in points)
    for point in [points[4], other, points[2]]:  # unasked for, as far as the caller knows
        volunteered.tell(point, truth[point])
    for point in volunteered.unanswered:
        volunteered.tell(point, truth[point])
    for point in [*points, other]:
        told.tell(point, truth[point])
    assert volunteered.standings == told.standings
    assert volunteered._race._evidence.wealth(0).tolist() == told._race._evidence.wealth(0).tolist()


PICKLED = [
    ("classes", {}),
    ("classes", {"population": True}),
    ("classes", {"loss": ZeroOne(abstain=1, abstention_cost=0.3)}),
    ("classes", {"loss": CostMatrix([[0, 2, 1], [1, 0, 1], [3, 1, 0]], labels=[0, 1, 2])}),
    ("classes", {"loss": Recall(0)}),
    ("numbers", {"loss": Squared(0, 2)}),
    ("chances", {"loss": "brier"}),
]


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda choice: pickle.loads(pickle.dumps(choice))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize(("kind", "settings"), PICKLED)
def test_a_copy_and_a_pickle_go_on_as_the_original_would(copied, kind, settings):
    rng = np.random.default_rng(4)
    pools = {
        "classes": rng.integers(3, size=(4, 40)),
        "numbers": rng.uniform(0, 2, (4, 40)),
        "chances": rng.dirichlet([1, 1, 1], (4, 40)),
    }
    choice = ModelChoice(pools[kind], epsilon=0.05, seed=1, **settings)
    for point in choice.ask(5)[1:]:
        choice.tell(point, 2)
    other = copied(choice)
    assert other.unanswered == choice.unanswered
    assert other.labels == choice.labels
    for one in (choice, other):
        for point in one.ask(8):
            one.tell(point, 0)
    assert other.standings == choice.standings
    assert other.certificate() == choice.certificate()
    assert other.ask(3) == choice.ask(3)


def test_labels_that_wait_for_an_earlier_point_are_counted_apart_and_the_point_is_named():
    predictions, truth = make_pool(0, [0.9, 0.7, 0.6])
    choice = ModelChoice(predictions, epsilon=0.05, seed=1)
    assert choice.waiting is None
    first, *others = choice.ask(30)
    for n_told, point in enumerate(others, 1):
        choice.tell(point, truth[point])
        assert choice.waiting == (first, n_told)
        certificate = choice.certificate()
        assert (certificate.n_labels, certificate.waiting) == (0, choice.waiting)
    assert f"(0 labels; 29 labels wait for the label of point {first!r})" in str(certificate)
    assert f"29 labels wait for the label of point {first!r}" in repr(choice)
    choice.tell(first, truth[first])
    assert choice.waiting is None
    assert choice.certificate().n_labels == 30
