import pytest

from warmer import environments, problems
from warmer.analysis import Comparison, Task, compare, draw_targets


@pytest.fixture(scope="session")
def comparison() -> Comparison:
    problem = problems.treasure(side=5)
    played = [environments.UniformNoise(problem, target) for target in draw_targets(problem, runs=3, seed=0)]
    return compare(played, ["least-squares", "thompson", "uniform"], Task(epsilon=0.1), horizon=50, seed=0)
