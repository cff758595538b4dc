import subprocess
import sys

import dask
import dask.array as da
import numpy as np
import pytest

from warmer import Problem, ShardedProblem, dissimilarity_dimension
from warmer.model.errors import InvalidValueError, WarmerError

RHO = np.random.default_rng(0).uniform(-0.5, 0.5, (4, 11))


@pytest.fixture(autouse=True, scope="module")
def _at_once():
    with dask.config.set(scheduler="synchronous"):
        yield


def sharded(rho=RHO, chunks=(2, 3), **options) -> ShardedProblem:
    return ShardedProblem.from_dask(da.from_array(rho, chunks=chunks), **options)


@pytest.mark.parametrize("chunks", [(4, 11), (1, 4), (3, 1), (4, (5, 0, 6))])
def test_each_target_reads_the_same_however_the_table_is_cut(chunks):
    whole, cut = Problem.from_table(RHO), sharded(chunks=chunks)
    assert (cut.n_queries, cut.n_targets, cut.slack, cut.scale) == (4, 11, whole.slack, whole.scale)
    assert cut.top == whole.self_evaluations.max()
    for target in range(11):
        assert cut.best_query(target) == whole.best_query(target)
        assert cut.self_evaluation(target) == cut.best_value(target) == whole.best_value(target)
        assert (cut.evaluate(slice(None), target) == whole.rho[:, target]).all()


def test_columns_come_in_the_order_in_which_they_were_asked_for_with_their_labels():
    names = [f"t{k}" for k in range(11)]
    options = {"queries": list("abcd"), "costs": [1, 2, 3, 4], "forbidden": [True, False, False, False]}
    some = sharded(targets=names, **options).columns([9, 0, 4])
    assert list(some.targets) == ["t9", "t0", "t4"]
    assert (some.rho == RHO[:, [9, 0, 4]]).all()
    assert list(some.queries) == list("abcd")
    assert some.legal_queries.tolist() == [1, 2, 3]
    assert some.costs is not None


def test_whole_numbers_become_floats_and_rounding_beyond_the_range_is_cut_off():
    assert sharded(np.eye(3, dtype=int), (3, 2)).columns([2]).rho.tolist() == [[0.0], [0.0], [1.0]]
    assert sharded(np.array([[1.0 + 1e-12, 0.5]]), (1, 1)).self_evaluation(0) == 1.0


def test_single_precision_is_kept():
    assert sharded(RHO.astype(np.float32)).columns([3]).rho.dtype == np.float32


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((2, 2)), "from_dask needs a two-dimensional Dask array, got ndarray"),
        (da.zeros(4), "from_dask needs a two-dimensional Dask array"),
        (da.zeros((2, 0)), "the table is empty"),
        (da.zeros((2, 2), dtype=complex), "a table must hold real numbers, got complex128"),
        (da.from_array(np.array([[0.5, 0.5, 7.0]]), chunks=(1, 2)), "query 0 and target 2 must lie in"),
        (da.from_array(np.array([[0.5, 0.5, np.nan]]), chunks=(1, 2)), "query 0 and target 2 must be a finite number"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(array, message):
    with pytest.raises(InvalidValueError, match=message):
        ShardedProblem.from_dask(array)


def test_an_array_of_unknown_shape_is_refused():
    array = da.from_array(RHO.T, chunks=(3, 4))
    with pytest.raises(InvalidValueError, match="compute_chunk_sizes"):
        ShardedProblem.from_dask(array[array[:, 0] > 0].T)


def test_what_needs_the_whole_table_says_so():
    with pytest.raises(WarmerError, match=r"Problem|whole table"):
        dissimilarity_dimension(sharded(), alpha=0.2, epsilon=0.1)
    with pytest.raises(InvalidValueError, match=r"needs the whole table in memory, and ShardedProblem\(4 queries x 11"):
        _ = sharded().rho


def test_importing_warmer_and_its_learners_does_not_import_dask():
    code = "import sys, warmer; warmer.TopTwo, warmer.ShardedProblem; print('dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
