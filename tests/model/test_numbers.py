"""Numbers as people type them: fractions of a bounded size, whatever door they come by."""

from decimal import Decimal
from fractions import Fraction

import pytest

import warmer
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction, as_number
from warmer.studies.records.plain import label_of

HUGE = "1e400000000"


@pytest.mark.parametrize(
    "value", [HUGE, "1e-400000000", "1E+401", "9" * 401, f"1/{'3' * 401}", f"1e{'9' * 5000}", Decimal(HUGE), 10**400]
)
def test_a_number_that_would_take_long_to_work_out_is_refused_before_it_is(value):
    with pytest.raises(InvalidValueError, match="a number may have 400 digits and an exponent within 400, got "):
        as_fraction(value)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1e400", Fraction(10**400)),
        ("1e-400", Fraction(1, 10**400)),
        ("-9" + "0" * 399, Fraction(-9 * 10**399)),
        (f"{'7' * 400}/{'9' * 400}", Fraction(7, 9)),
        (Decimal("1e400"), Fraction(10**400)),
        (10**399, Fraction(10**399)),
        (Fraction(1, 3**2000), Fraction(1, 3**2000)),
    ],
)
def test_numbers_up_to_the_bound_are_read_exactly(value, number):
    assert as_fraction(value) == number


def test_the_message_names_what_was_asked_for():
    with pytest.raises(InvalidValueError, match=r"epsilon may have 400 digits and .* got '1e400000000'"):
        as_number("epsilon", HUGE)
    with pytest.raises(InvalidValueError, match="epsilon may have 400 digits"):
        warmer.dissimilarity_dimension(warmer.Problem.from_table([[1.0]]), alpha=1, epsilon=HUGE)


def test_a_label_of_a_request_or_an_import_is_bounded_too():
    with pytest.raises(InvalidValueError, match="a number may have 400 digits"):
        label_of({"tuple": [1, {"fraction": HUGE}]})
    assert label_of({"fraction": "1/3"}) == Fraction(1, 3)


def test_a_cell_of_a_table_is_bounded_too(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"query,a,b\nx,1/{'3' * 401},0.5\n")
    with pytest.raises(InvalidValueError, match=r"line 2, column 'a' must be a number such as 0.75 or 3/4"):
        warmer.read_problem(path)
