"""One answer against all shards: forecast, charge, weigh, rule out; what comes here each time is a few numbers."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.certification import kernels
from warmer.certification.bets import Bets, Betting
from warmer.certification.likelihoods import FREE, Coins, Likelihoods, Squares
from warmer.certification.memory import Memory, cut_for
from warmer.certification.sharded.part import Told, charged, notes, predicted, struck, weighed
from warmer.estimation.table_fit import first_least
from warmer.model.errors import InvalidValueError
from warmer.model.sharded import Pieces, ShardedProblem

Step = Callable[[Any, float, int, float, float], tuple[Told, Any]]


def step_of(process: Any) -> Step:
    """How an answer is charged to candidates, and what else a process remembers of it."""
    if isinstance(process, Squares | Coins):
        return lambda numbers, *told: _compare(process, numbers, *told)
    if isinstance(process, Bets):
        return lambda numbers, *told: _bet(process, numbers, *told)
    raise InvalidValueError(
        "over a table in shards the noise is SubGaussian, Coin, Bounded or BoundedNoise; "
        "read the table into memory for any other."
    )


def start(process: Any, problem: ShardedProblem) -> Likelihoods | Betting:
    """What a process remembers at first, beside the arrays that stay with the shards."""
    nobody, n = np.empty(0), float(problem.n_targets)
    memory = Memory(nobody, nobody, nobody, *np.zeros((2, problem.n_queries)))
    if isinstance(process, Bets):
        return Betting(memory, nobody, 0.0, 0, 0.0, n, 0.0, 0.0, 0.0, 0.0)
    return Likelihoods(memory, 0.0, 0, 0.0, n, 0.0)


def advance(
    process: Any, problem: ShardedProblem, numbers: Any, parts: Pieces, answer: tuple[int, float, float], limit: float
) -> tuple[Any, Pieces, int]:
    """One answer more: the numbers of the process, the parts, and how many candidates it has ruled out."""
    expected = sum(parts.each(predicted, problem.shards, answer[0])) / numbers.total
    told, numbers = step_of(process)(numbers, expected, *answer)
    kernels.steps.note(numbers.memory, *answer)
    parts, found = parts.step(charged, problem.shards, told, note=notes)
    least, best = first_least([each[:2] for each in found], problem.firsts)
    numbers = numbers._replace(least=least, best=best)
    parts, found = parts.step(weighed, least, process.rate(numbers), cut_for(problem.n_targets), note=notes)
    numbers = numbers._replace(total=sum(each[2] for each in found))
    if told.rule is None:
        limit -= log_numerator(problem, numbers)
    parts, found = parts.step(struck, limit, note=notes)
    return numbers, parts, sum(each[3] for each in found)


def log_numerator(problem: ShardedProblem, numbers: Any) -> float:
    """The logarithm of the mixture that likelihoods are compared with, on the scale of the losses."""
    log_n = math.log(problem.n_targets)
    return float(kernels.steps.log_mixture(0.0, numbers.total, log_n, numbers.least, numbers.free, FREE))


def _compare(process: Any, numbers: Any, expected: float, query: int, reward: float, count: float) -> tuple[Told, Any]:
    sigma = float(process.sigmas[query]) if process.sigmas.size else 0.0
    mean = kernels.steps.free_mean(numbers.memory, query, expected)
    low, high = process.problem.reward_range
    price = kernels.steps.prices(low, high, sigma, mean, reward, count)
    told = Told(query, reward, count, numbers.least, sigma, price)
    return told, numbers._replace(free=(numbers.free - numbers.least) + price[0])


def _bet(process: Bets, numbers: Any, expected: float, query: int, reward: float, count: float) -> tuple[Told, Any]:
    sigma, variance = float(process.sigmas[query]) if process.sigmas.size else 0.0, process.variance(numbers)
    free = kernels.steps.free_mean(numbers.memory, query, expected)
    mixed = kernels.steps.mixed_forecast(expected, free, numbers.by_candidates, numbers.by_free, variance)
    told = Told(query, reward, count, numbers.least, sigma, rule=process.rule, forecast=mixed, variance=variance)
    return told, numbers._replace(
        by_candidates=numbers.by_candidates + count * (reward - expected) ** 2,
        by_free=numbers.by_free + count * (reward - free) ** 2,
        by_mixed=numbers.by_mixed + count * (reward - mixed) ** 2,
        n_errors=numbers.n_errors + 1.0,
    )
