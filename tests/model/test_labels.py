"""Labels: each once, found by name or place."""

import re

import numpy as np
import pandas as pd
import pytest

from warmer.model import Labels
from warmer.model.errors import InvalidValueError


def labels(*names: object) -> Labels:
    return Labels(names, length=len(names), noun="query")


def test_where_none_are_given_labels_are_the_integers() -> None:
    unnamed = Labels(None, length=3, noun="target")
    assert list(unnamed) == [0, 1, 2]
    assert unnamed.position(2) == 2
    assert unnamed.position(np.int64(1)) == 1


def test_a_label_is_found_by_name_or_by_place() -> None:
    assert labels("left", "right").position("right") == 1
    assert labels("left", "right").position(1) == 1
    assert labels("left", "right").position(np.str_("left")) == 0


def test_integer_labels_are_names_and_not_places() -> None:
    assert labels(10, 0).position(0) == 1
    with pytest.raises(InvalidValueError, match="there is no query 1"):
        labels(10, 0).position(1)


def test_any_hashable_is_a_label() -> None:
    assert labels(("a", 1), 2.5, True, pd.Timestamp("2024-01-01")).position(("a", 1)) == 0


def test_labels_compare_by_their_names_and_hash_alike() -> None:
    assert labels(0, 1) == Labels(None, length=2, noun="target")
    assert labels("a") != labels("b")
    assert labels("a") != ["a"]
    assert hash(labels("a", "b")) == hash(labels("a", "b"))


def test_labels_slice_and_show_themselves() -> None:
    assert labels("a", "b", "c", "d")[1:3] == ("b", "c")
    assert repr(labels("a", "b", "c", "d")) == "Labels(['a', 'b', 'c', ...], length=4, noun='query')"


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("rihgt", "there is no query 'rihgt'; perhaps 'right' was meant"),
        ("zzz", "there is no query 'zzz'; there are 'left', 'right'."),
        (2, "there is no query 2"),
        (-1, "there is no query -1"),
        (True, "there is no query True"),
        (["left"], "there is no query ['left']"),
    ],
)
def test_an_unknown_label_is_named_with_a_hint(label: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        labels("left", "right").position(label)


def test_an_unknown_place_is_named_with_the_places_there_are() -> None:
    with pytest.raises(InvalidValueError, match=re.escape("there is no target 'x'; use an integer from 0 to 2.")):
        Labels(None, length=3, noun="target").position("x")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "a"], "the query label 'a' is used twice, at positions 0 and 2; give each its own name."),
        (["a", "b"], "the table needs 3 query labels, got 2."),
        (["a", None, "b"], "the query label at position 1 is missing (None)."),
        (["a", "", "b"], "the query label at position 1 is missing ('')."),
        (["a", "b", float("nan")], "the query label at position 2 is missing (nan)."),
        (["a", pd.NA, "b"], "the query label at position 1 is missing (<NA>)."),
        (["a", "b", pd.NaT], "the query label at position 2 is missing (NaT)."),
        (["a", ["b"], "c"], "the query label at position 1 must be hashable, got ['b']."),
        (["a", np.zeros(2), "c"], "the query label at position 1 must be hashable"),
        ("abc", "the query labels must be a list of names, got the single string 'abc'."),
    ],
)
def test_bad_labels_are_refused_by_name(names: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        Labels(names, length=3, noun="query")  # type: ignore[arg-type]
