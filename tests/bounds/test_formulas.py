"""Every bound is what its statement says: the formula of the statement, its edges, and its silence beyond them.

`python -m tests.mutations` spoils every number of every bound and reports which of these notices.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.bounds.catalog import EVERY_BOUND
from tests.bounds.formulas_of_classes import CLASSES
from tests.bounds.formulas_of_learning import LEARNING
from warmer import WarmerError
from warmer.bounds.lemmas import Step

FORMULAS = {**LEARNING, **CLASSES}


def check(name: str) -> None:
    """Raise unless the bound is its formula, and silent where it should be."""
    bound, said = EVERY_BOUND[name], FORMULAS[name]
    for given in said.given:
        found, expected = _asked(bound, given), said.formula(**given)
        if isinstance(expected, int | Fraction):
            assert found == expected, given
        else:
            numbers = np.asarray(expected, dtype=float)
            assert np.asarray(found, dtype=float) == pytest.approx(numbers, rel=1e-9, abs=1e-24), given
    for given in said.refused:
        with pytest.raises(WarmerError):
            _asked(bound, given)


def _asked(bound: Any, given: dict[str, Any]) -> Any:
    found = bound(*given.get("_", ()), **{name: value for name, value in given.items() if name != "_"})
    if isinstance(found, tuple) and isinstance(found[0], Step):
        return [side for step in found for side in (step.left, step.right)]
    return found


@pytest.mark.parametrize("name", EVERY_BOUND)
def test_every_bound_is_what_its_statement_says(name):
    check(name)
