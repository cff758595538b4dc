"""Queries and noise of a user's own parts, read strictly."""

from types import SimpleNamespace

import dask.array
import numpy as np
import pytest

from warmer import InvalidValueError, Problem, ShardedProblem, families
from warmer.simulation.own_parts import LegalQueries, read_noise


def test_labels_that_are_integers_are_indices_all_the_same():
    legal = LegalQueries(Problem.from_table([[0.1], [0.2], [0.3]], queries=[7, 0, 8]))
    assert legal.read(1, "ask") == 1
    with pytest.raises(
        InvalidValueError, match=r"^ask must give the index of a query, an integer from 0 to 2, got 7\.$"
    ):
        legal.read(7, "ask")


def test_a_table_in_shards_has_the_queries_of_its_frame():
    array = dask.array.from_array(np.array([[0.1, 0.9], [0.7, 0.3]]), chunks=(2, 1))
    legal = LegalQueries(ShardedProblem.from_dask(array, queries=["a", "b"], forbidden=[True, False]))
    assert (legal.size, legal.read(1, "ask"), legal.label(1)) == (2, 1, "'b'")
    with pytest.raises(InvalidValueError, match="'a' is forbidden"):
        legal.read(0, "ask")


@pytest.mark.parametrize("family", [families.KArms(3), families.Linear(np.eye(3))], ids=repr)
def test_a_family_with_a_list_of_queries_is_read_like_a_table(family):
    assert LegalQueries(family).read(np.int32(2), "ask") == 2
    with pytest.raises(InvalidValueError, match="an integer from 0 to 2, got 3"):
        LegalQueries(family).read(3, "ask")


def test_a_family_of_ones_own_without_a_list_says_itself_what_a_query_is():
    def position(label):
        if not isinstance(label, int) or label % 2:
            raise InvalidValueError("a query must be even.")
        return label

    legal = LegalQueries(SimpleNamespace(query_shape=(), queries=SimpleNamespace(position=position)))
    assert legal.read(-4, "ask") == -4
    with pytest.raises(InvalidValueError, match=r"^ask must give a query that may be asked: a query must be even\."):
        legal.read(3, "ask")


@pytest.mark.parametrize("length", [0.5, 1 - 2e-9, 1 + 2e-9, 2.0, np.nan, np.inf])
def test_a_quick_look_at_a_vector_takes_only_what_a_long_look_takes(length):
    for family in (families.Sphere(2), families.LinearBall(2)):
        vector = np.array([0.6, 0.8]) * length
        try:
            is_query = (family.queries.position(vector) == vector).all()
        except InvalidValueError:
            is_query = False
        assert is_query or not family.queries.holds(vector)
    assert families.Sphere(2).queries.holds(np.array([0.6, 0.8]))
    assert not families.Sphere(2).queries.holds(np.array([1, 0]))
    assert not families.Sphere(2).targets.holds(np.array([[0.6, 0.8]]))


def test_only_an_environment_that_takes_start_is_told_it():
    class Told:
        def noise(self, horizon, rng, *, start):
            return np.full(horizon, start)

    class Compiled:
        noise = np.zeros

    assert read_noise(Told(), 2, np.random.default_rng(0), start=7) == [7, 7]
    with pytest.raises(TypeError):
        read_noise(Compiled(), 2, np.random.default_rng(0), start=7)
