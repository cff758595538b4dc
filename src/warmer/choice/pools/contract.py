"""What the proof asks of a pool, whatever the predictions are."""

from typing import Any, NamedTuple, Protocol

from warmer.model import Array


class Contrast(NamedTuple):
    """All models against one leader, over the points without a label: one number for each model.

    With d = loss of the model - loss of the leader: at how many points d may be other than 0, the least that the sum
    of d can be, and the greatest size of d at one point, with the sum of its squares.
    """

    n_differing: Array
    lowest: Array
    reach: Array
    squares: Array


class Pool(Protocol):
    """Losses in [0, 1] of all models at all points; labels come as `read_label` returns them."""

    n_points: int
    n_models: int
    least_weight: float
    """The least weight that a label can have in the mean; 1 for ordinary means."""

    def read_label(self, label: Any) -> Any:
        """The label as the other methods take it, or an error that says what came."""
        ...

    def weight(self, label: Any) -> float:
        """The weight of a point with this label in the mean."""
        ...

    def losses(self, point: int, label: Any) -> Array:
        """The loss of each model at a point."""
        ...

    def n_harmless(self, is_open: Array) -> Array:
        """For each model, at how many open points its loss is 0 whatever the label is."""
        ...

    def lowest(self, point: int, leader: int) -> tuple[Array, Array]:
        """Whether each model's loss may differ from the leader's at a point, and the least difference."""
        ...

    def contrast(self, leader: int, is_open: Array) -> Contrast:
        """All models against the leader, over the points that are open."""
        ...

    def scores(self, leader: int, weights: Array) -> Array:
        """For each point, the greatest weight of a model that may have another loss there than the leader; else 0."""
        ...

    def masses(self, leader: int, scores: Array) -> Array:
        """For each model, the sum of the scores of the points where it may have another loss than the leader."""
        ...

    def expected(self, points: Array, weights: Array, sharpness: float) -> tuple[Array, Array]:
        """Each model's expected loss, summed over points, if the weighted models are right; and how far they differ."""
        ...

    def fit(self, point: int, label: Any, weights: Array, sharpness: float) -> float:
        """How well the weighted models foretold a label: the larger the better."""
        ...
