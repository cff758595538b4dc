"""What follows from a declared range of rewards."""

from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError


class Rewarded:
    """What tables and families share: rewards lie in a range, and a query is an index unless it is said to be more."""

    reward_range: tuple[float, float]

    @property
    def scale(self) -> float:
        """Half the length of the reward range: one unit of the paper's [-1, 1] in the user's units."""
        low, high = self.reward_range
        return (high - low) / 2

    @property
    def query_shape(self) -> tuple[int, ...]:
        """A query is an index."""
        return ()

    def sigma(self, declared: float | None) -> float:
        """The declared deviation of the noise, checked; where none is declared, `scale`, which is always true.

        Rewards in an interval of length 2s are s-sub-Gaussian around their mean, whatever their distribution.
        """
        sigma = self.scale if declared is None else check_positive("sigma", declared)
        if not 1e-100 <= sigma <= 1e100:
            raise InvalidValueError(f"sigma must be a deviation of rewards, between 1e-100 and 1e+100, got {sigma:g}.")
        return sigma
