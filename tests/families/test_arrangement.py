"""The regions of an arrangement: those that random points meet are all there, and there are as many as there can be."""

import numpy as np
import pytest

from warmer.families.solvers.arrangement import n_regions_at_most, regions


@pytest.mark.parametrize(("n_planes", "n"), [(1, 1), (2, 4), (5, 2), (7, 3), (8, 4)])
def test_in_general_position_there_are_as_many_as_there_can_be(n_planes, n):
    found = regions(np.random.default_rng(n).standard_normal((n_planes, n)), 0.3)
    assert len(found) == n_regions_at_most(n_planes, n)


@pytest.mark.parametrize("bias", [0.0, 0.5])
@pytest.mark.parametrize("seed", range(10))
def test_no_random_point_lies_elsewhere(bias, seed):
    """Also where planes are parallel, the same, or all through 0, and where their normals do not span the space."""
    rng = np.random.default_rng(seed)
    points = rng.integers(-2, 3, (6, 3)).astype(float)
    points = points[points.any(axis=1)]
    if seed % 2:
        points[:, 2] = points[:, 0]
    scattered = rng.standard_normal((5000, 3)) * rng.choice([0.1, 1.0, 5.0], (5000, 1))
    met = {tuple(row) for row in scattered @ points.T > bias}
    assert met <= {tuple(row) for row in regions(points, bias)}


def test_without_planes_there_is_one_region():
    assert regions(np.zeros((0, 3)), 0.5).shape == (1, 0)
