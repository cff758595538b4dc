"""Builders and readers of problems: files, bandits, hypotheses, points, classifiers, extremes; and a catalogue."""

from warmer.problems.bandits import arms, from_features, linear, needle, random_table
from warmer.problems.catalog import CATALOG, Entry, Recipe, build, names, parse
from warmer.problems.classifiers import classifiers
from warmer.problems.edits import extended, without
from warmer.problems.files import read_problem
from warmer.problems.geometry import circle, from_vectors, sphere
from warmer.problems.hypotheses import (
    dictators,
    from_functions,
    from_hypotheses,
    halfspaces,
    hypothesis_values,
    monotone_conjunctions,
    parities,
    thresholds,
)
from warmer.problems.semicircles import separation
from warmer.problems.treasure import places, treasure
from warmer.problems.witnesses import (
    Extremal,
    conference,
    linear_counterexample,
    linear_geometric,
    linear_greedy_counterexample,
)

__all__ = [
    "CATALOG",
    "Entry",
    "Extremal",
    "Recipe",
    "arms",
    "build",
    "circle",
    "classifiers",
    "conference",
    "dictators",
    "extended",
    "from_features",
    "from_functions",
    "from_hypotheses",
    "from_vectors",
    "halfspaces",
    "hypothesis_values",
    "linear",
    "linear_counterexample",
    "linear_geometric",
    "linear_greedy_counterexample",
    "monotone_conjunctions",
    "names",
    "needle",
    "parities",
    "parse",
    "places",
    "random_table",
    "read_problem",
    "separation",
    "sphere",
    "thresholds",
    "treasure",
    "without",
]
