"""Running sums of the answers to each query."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from warmer.model.readings import Readings

N_QUERIES = 3
ANSWERS = st.lists(st.tuples(st.integers(0, N_QUERIES - 1), st.floats(-1e3, 1e3), st.integers(1, 5)), max_size=12)


def welford(answers):
    """Mean, weight, sum of squares and times of each query, one answer after the other."""
    sums = [[0.0, 0.0, 0.0, 0] for _ in range(N_QUERIES)]
    for query, reward, count in answers:
        before, weight, squares, times = sums[query]
        mean = before + (reward - before) * count / (weight + count)
        squares += count * (reward - before) * (reward - mean)
        sums[query] = [mean, weight + count, squares, times + 1]
    return [list(column) for column in zip(*sums, strict=True)]


@given(ANSWERS, st.integers(0, 12))
def test_answers_one_by_one_and_many_at_once_leave_the_same_bits(answers, n_single):
    readings = Readings(N_QUERIES)
    for answer in answers[:n_single]:
        readings.add(*answer)
    readings.extend(*([answer[part] for answer in answers[n_single:]] for part in range(3)))
    kept = (readings.means, readings.weights, readings.squares, readings.times)
    assert [column.tolist() for column in kept] == welford(answers)
    queries, rewards, counts = readings.told(np.arange(len(answers)))
    assert list(zip(queries, rewards, counts, strict=True)) == answers
    assert readings.n_replicates == len(answers) - len({query for query, _, _ in answers})
