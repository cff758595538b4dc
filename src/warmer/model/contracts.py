"""What problems, fits, learners and environments promise each other.

A *query* is an index into a table's rows, or a vector where there are infinitely many queries; a *target* likewise.
"""

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
State = TypeVar("State")


class Names(Protocol):
    """How users name queries or targets: labels of a table, or the vectors themselves."""

    def position(self, label: Any) -> Any:
        """The query or target with this name; raises `InvalidValueError` where there is none."""

    def __getitem__(self, position: Any) -> Any:
        """The name of a query or target."""


@runtime_checkable
class ProblemLike(Protocol):
    """A class of candidate targets, and what can be asked about them: a `Problem`, which has a table, or a `Family`."""

    @property
    def queries(self) -> Names:
        """What can be asked."""

    @property
    def targets(self) -> Names:
        """What could be true."""

    @property
    def query_shape(self) -> tuple[int, ...]:
        """The shape of one query: () for an index, (n,) for a vector."""

    @property
    def reward_range(self) -> tuple[float, float]:
        """The smallest and largest possible reward."""

    @property
    def scale(self) -> float:
        """Half the length of the reward range."""

    @property
    def slack(self) -> float:
        """The slack with which expected rewards are compared."""

    @property
    def tolerance(self) -> float | None:
        """How far the expected rewards may be from the truth's; None where that is unknown."""

    def sigma(self, declared: float | None) -> float:
        """The declared deviation of the noise, or what is always true."""

    def evaluate(self, query: Any, target: Any) -> Any:
        """The expected reward of a query, or of each of an array of queries, if target is the truth.

        Where queries are indices, slices stand for several.
        """

    def best_query(self, target: Any) -> Any:
        """The query to ask if target is the truth: in the paper, the target's own."""

    def self_evaluation(self, target: Any) -> float:
        r"""What that query earns then, $\rho(z|z)$."""

    def best_value(self, target: Any) -> float:
        """The most that an allowed query earns then."""


@runtime_checkable
class Family(ProblemLike, Protocol):
    """A class of candidate targets that has no table but knows how to fit itself; `fit_of` gives the fit of either."""

    def fit(self) -> "Fit[Any]":
        """Least squares over this class."""


@runtime_checkable
class InnerProducts(Protocol):
    r"""A family whose rewards are inner products of vectors of $\mathbb R^n$."""

    @property
    def n(self) -> int:
        """The number of coordinates."""

    @property
    def unit_vectors(self) -> Literal["sphere", "ball"] | None:
        """Whether queries and targets are the same unit vectors, or any of the unit ball; None where neither."""


class Fit(Protocol[State]):
    """Least squares over a class of targets: all that Algorithms 1 and 3 need to know about it."""

    def is_exact(self, alpha: float | None = None) -> bool:
        """Whether every estimate is proved to have the least loss of all targets that reach alpha."""
        return True

    def start(self, alpha: float | None = None) -> State:
        """Nothing observed yet; with alpha, only targets whose self-evaluation reaches it are fitted."""

    def update(self, state: State, query: Any, reward: float, count: int = 1) -> State:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given state."""

    def estimate(self, state: State) -> Any:
        """The target with the least sum of squared residuals."""

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_{T,\delta}$ of the estimates that reach alpha (Definition 3), where each has the least loss.

        Raises `HypothesisError` where the class has none.
        """

    def anytime_ball(self, *, delta: float, sigma: float) -> "Ball[Any]":
        """A confidence set that contains the truth at all times with probability 1-delta."""

    def paper_ball(self, *, delta: float, horizon: int) -> "Ball[Any]":
        r"""The paper's confidence set for so many rounds, or one that contains it.

        It is the *distance ball* $\sum_i(\rho(z_i|z)-\rho(z_i|\hat z))^2\le R$ around the least-squares target.
        """

    def ball(self, radius: float) -> "Ball[Any]":
        r"""The confidence set of any radius $R$, in the geometry of the class.

        For a table, `KArms` and `ReLU` it is the distance ball. Where targets are vectors $\theta$ that are multiplied
        by actions $a_i$ it is an ellipsoid $(\theta-c)^\top(\lambda I+\sum_ia_ia_i^\top)(\theta-c)\le R'$: for `Linear`
        and `LinearBall` with $R'=R$ around the ridge estimate, as LinUCB has it, for `GLM` with $R'=R/\kappa^2$ around
        the least-squares parameter. Where all self-evaluations are equal (`Sphere`, `Separation`) it is the
        least-squares target alone, whatever the radius.
        """


@runtime_checkable
class LossFit(Fit[State], Protocol[State]):
    """A fit that can also say how large the loss of a target is, where every answer was told by itself."""

    def loss(self, state: State, target: Any) -> float:
        """The sum of squared residuals of a target."""


class Ball(Protocol[State]):
    """A confidence set around an estimate: what optimism needs to know about it.

    What it remembers is what its fit remembers, unless it says otherwise.
    """

    fit: Any
    """The fit around whose estimate it lies."""

    is_in_class: bool = True
    """Whether every target inside belongs to the class."""

    def start(self) -> State:
        """Nothing observed yet."""
        return self.fit.start()  # type: ignore[no-any-return]

    def update(self, state: State, query: Any, reward: float, count: int = 1) -> State:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given state."""
        return self.fit.update(state, query, reward, count)  # type: ignore[no-any-return]

    def most_optimistic(self, state: State) -> Any:
        """The target inside with the largest self-evaluation."""

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_{T,\delta}$ of every target inside (Definition 3); delta also pays for losing the truth.

        Raises `HypothesisError` where the set may lose the truth too often, or no theorem is known.
        """


class Learner(Protocol[State]):
    """A rule for one problem. It never changes; what it remembers is its state."""

    @property
    def problem(self) -> Any:
        """The `Problem` or `Family` whose queries this learner chooses among."""

    def init(self, rng: np.random.Generator) -> State:
        """The state before the first round."""

    def ask(self, state: State, rng: np.random.Generator) -> Any:
        """The query to make next."""

    def tell(self, state: State, query: Any, reward: float, count: int = 1) -> State:
        """The state after `reward` (the mean of `count` answers) came for `query`.

        It may reuse the memory of the state it was given.
        """


@runtime_checkable
class EstimatingLearner(Learner[State], Protocol[State]):
    """A learner whose query is always the best query of one target, its estimate."""

    def estimate(self, state: State) -> Any:
        """The target that the next query is best for."""


@runtime_checkable
class StoppingLearner(Learner[State], Protocol[State]):
    """A learner that knows when it has asked enough, and what to settle on then."""

    def is_done(self, state: State) -> bool:
        """Whether nothing more need be asked; the next query is then the recommendation."""

    def recommend(self, state: State) -> Any:
        """The query to settle on; raises `ProtocolError` before the learner is done."""


@runtime_checkable
class CertifyingLearner(Learner[State], Protocol[State]):
    """A learner that keeps the evidence against each candidate itself."""

    @property
    def certifier(self) -> Any:
        """The `Certifier` that keeps it."""

    def evidence(self, state: State) -> Any:
        """The evidence within the learner's state."""

    def replay(self, state: State, queries: Sequence[Any], rewards: Sequence[float], counts: Sequence[int]) -> State:
        """The state after many answers, in order: the same as after one `tell` for each, and much sooner."""
        ...


@runtime_checkable
class BatchLearner(Learner[State], Protocol[State]):
    """A learner that minds the queries which are under way."""

    def ask_beside(self, state: State, rng: np.random.Generator, pending: Sequence[Any]) -> Any:
        """The query to make next while these are asked and not yet answered."""


@runtime_checkable
class RoundLearner(Learner[State], Protocol[State]):
    """A learner whose guarantee counts rounds: every answer must be to the query that it asked for last."""

    @property
    def counts_rounds(self) -> bool:
        """Whether it does."""


@runtime_checkable
class ClaimingLearner(Learner[State], Protocol[State]):
    """A learner that rests on what somebody claims, and compares it with what happens."""

    def broken_claim(self, state: State) -> str:
        """Where the claim was broken; empty where it never was."""
        ...


@runtime_checkable
class BudgetedLearner(Protocol):
    """A learner whose estimation error decays (Definition 3)."""

    @property
    def doubt(self) -> str:
        """Why the theorems do not cover its estimates, though it has a budget; empty where they do."""

    def error_budget(self, *, horizon: int, delta: float) -> float:
        r"""$C_{T,\delta}$, with alpha-large self-evaluations; `HypothesisError` where no theorem gives one."""


@runtime_checkable
class OnlineRegressor(Protocol[State]):
    """An online regression oracle: it predicts a reward, is told the reward, and regrets little.

    Over any answers, however chosen, the sum of its squared errors exceeds that of the best target by at most
    `regression_regret`.
    """

    def init(self) -> State:
        """Nothing observed yet."""

    def predict(self, state: State, query: Any) -> float:
        """The reward it expects for a query, within the range of rewards."""

    def update(self, state: State, query: Any, reward: float) -> State:
        """One more answer; it may reuse the memory of the given state."""

    def regression_regret(self, horizon: int) -> float:
        """The bound on the regret over so many answers; it never falls as they grow."""


@runtime_checkable
class Environment(Protocol):
    """What answers queries; the only one who may know the target.

    It may also have `target`, and is then held to the means that the problem has for it; `tau`, how far an adversary's
    may be off; and `reset()`, which is called before each simulated run.
    """

    @property
    def problem(self) -> Any:
        """The `Problem` or `Family` whose queries this environment answers."""

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """The chance of so many rounds, one row per round; blocks drawn one after the other are one long block.

        With a parameter `start` it is told the number of the first of them; a run's first round is 0.
        """

    def reward(self, query: Any, noise: Any) -> float:
        """The answer to a query, given the round's row of noise."""


@runtime_checkable
class TargetedEnvironment(Protocol):
    """What an environment with a declared target knows besides: the regret of every query."""

    @property
    def alpha_star(self) -> float:
        """The most that an allowed query earns under the target."""

    def expected(self, queries: Any) -> Array:
        """The expected reward of a query, or of each of an array of queries."""
