"""Classifiers as alternatives: agreement by its definition, and clear words where there is none."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import warmer
from warmer.model import Problem
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.problems import classifiers


class Says:
    """A classifier with its answers ready."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def predict(self, X: Any) -> Any:  # noqa: N803
        return list(self.answers)


def test_agreement_is_counted_exactly() -> None:
    problem = classifiers({"a": Says(0, 1, 2), "b": Says(0, 2, 2), "c": Says(1, 2, 0)}, np.zeros((3, 1)))
    assert problem.is_square
    assert problem.rational is not None
    assert problem.rational.denominator == 3
    assert problem.rational.numerators.tolist() == [[3, 1, -3], [1, 3, -1], [-3, -1, 3]]
    assert list(problem.targets) == ["a", "b", "c"]


def test_the_reward_is_twice_the_accuracy_minus_one() -> None:
    images, digits = load_digits(return_X_y=True)
    estimators = {
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
        "neighbours": KNeighborsClassifier(1),
    }
    for estimator in estimators.values():
        estimator.fit(images[:300], digits[:300])
    problem = classifiers(estimators, images[300:700])
    truth = estimators["neighbours"].predict(images[300:700])
    for query, estimator in enumerate(estimators.values()):
        accuracy = Fraction(int((estimator.predict(images[300:700]) == truth).sum()), 400)
        assert problem.rho[query, 2] == float(2 * accuracy - 1)


@pytest.mark.parametrize(
    ("estimators", "labels", "expected"),
    [
        ([Says(0, 1), Says(0, 0)], None, ["Says 1", "Says 2"]),
        ([("p", Says(0, 1)), ("q", Says(0, 0))], None, ["p", "q"]),
        ([Says(0, 1), Says(0, 0)], ["u", "v"], ["u", "v"]),
    ],
)
def test_classifiers_are_named_by_what_is_given(estimators: Any, labels: Any, expected: list[str]) -> None:
    assert list(classifiers(estimators, [[1], [2]], labels=labels).targets) == expected


def test_twins_are_kept_apart_by_their_labels() -> None:
    assert classifiers([Says("x", "y"), Says("x", "y")], [1, 2]).rho.tolist() == [[1, 1], [1, 1]]


def test_classes_compare_by_value_and_text_is_never_a_number() -> None:
    problem = classifiers([Says(0, 1), Says(0.0, 1.0), Says(False, True), Says("0", "1")], [1, 2])
    assert problem.rho[0].tolist() == [1, 1, 1, -1]


def test_predictions_may_be_objects() -> None:
    class Objects(Says):
        def predict(self, X: Any) -> Any:  # noqa: N803
            return np.array(self.answers, dtype=object)

    assert classifiers([Objects(0, "a"), Objects(1, "a")], [1, 2]).rho[0].tolist() == [1, 0]


def test_sparse_data_will_do() -> None:
    assert classifiers([Says(0, 1)], csr_array(np.eye(2))).rho.tolist() == [[1.0]]


def test_a_classifier_that_is_not_fitted_is_named() -> None:
    with pytest.raises(InvalidValueError, match=r"classifier 'raw' could not predict: .* Fit it before") as caught:
        classifiers({"raw": LogisticRegression()}, np.zeros((2, 2)))
    assert isinstance(caught.value.__cause__, NotFittedError)


@pytest.mark.parametrize(
    ("estimators", "X", "message"),
    [
        ([], [1], "classifiers needs at least one fitted estimator, got none."),
        (Says(0), [1], "classifiers needs a list or mapping of estimators, got a single one; give it as [estimator]."),
        ({"a": "svm"}, [1], "classifier 'a' needs a predict method, got str."),
        ({"a": Says}, [1], "classifier 'a' could not predict"),
        ({"a": Says(0)}, [], "X has no rows; give unlabelled examples to compare the classifiers on."),
        ({"a": Says(0)}, 5, "X must hold one row for each example, got int."),
        (
            {"a": Says(0, 1)},
            [1],
            "classifier 'a' must predict one class for each of the 1 rows of X, got predictions of shape (2,).",
        ),
        ({"a": Says([0], [1])}, [1, 2], "got predictions of shape (2, 1)."),
        ({"a": Says(0.5, float("nan"))}, [1, 2], "classifier 'a' predicts a missing class (nan) for row 1 of X."),
        ([("a", Says(0)), ("a", Says(1))], [1], "the query label 'a' is used twice"),
    ],
)
def test_what_cannot_be_compared_is_refused(estimators: Any, X: Any, message: str) -> None:  # noqa: N803
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        classifiers(estimators, X)


def test_a_best_classifier_that_errs_lowers_every_accuracy_by_its_share():
    class Fixed:
        def __init__(self, answers: list[int]) -> None:
            self.answers = answers

        def predict(self, examples: list[int]) -> list[int]:
            return self.answers

    models = {"a": Fixed([0, 1, 2, 2]), "b": Fixed([0, 1, 1, 1])}
    # if "b" is right in 4 of 5: "a" agrees on half, and where it differs one of two other classes is as likely
    accuracies = (classifiers(models, [0] * 4, accuracy=0.8).rho + 1) / 2
    assert accuracies == pytest.approx(np.array([[0.8, 0.45], [0.45, 0.8]]))
    with pytest.raises(InvalidValueError, match=r"accuracy must be greater than 0 and at most 1, got 1\.5"):
        classifiers(models, [0] * 4, accuracy=1.5)


def _told(problem: Problem) -> warmer.Session:
    session = warmer.Session(warmer.Thompson(problem), seed=0)
    for name, reward in (("a", 1.0), ("b", -1.0)):
        session.tell(name, reward, count=10_000)
    return session


def test_no_certificate_is_issued_for_classifiers_whose_table_is_a_belief() -> None:
    models = {"a": Says(0, 1, 1), "b": Says(1, 0, 0)}
    session = _told(classifiers(models, [0, 1, 2]))
    assert session.recommend() == "a"
    for promise in (lambda: session.certificate(warmer.goals.BestQuery(0.1)), lambda: session.remaining):
        with pytest.raises(HypothesisError, match=r"a belief.* Declare it with tolerance="):
            promise()
    with pytest.raises(HypothesisError, match="a belief"):
        warmer.UntilCertified(session.learner, warmer.goals.BestQuery(0.1))
    base = warmer.LeastSquares(session.problem, alpha=1.0)
    assert not warmer.PAC(base, epsilon=0.5, dimension=2).promise
    assert "how far this one may be from the truth is unknown" in warmer.ExactPAC(base, epsilon=0.5).promise.reason


def test_a_declared_tolerance_of_zero_is_believed() -> None:
    models = {"a": Says(0, 1, 1), "b": Says(1, 0, 0)}
    problem = classifiers(models, [0, 1, 2], tolerance=0.0)
    assert problem.tolerance == 0.0
    assert _told(problem).certificate(warmer.goals.BestQuery(0.1))
    assert classifiers(models, [0, 1, 2], accuracy=0.9).tolerance is None
    assert classifiers(models, [0, 1, 2], accuracy=0.9, tolerance=0.05).tolerance == 0.05
