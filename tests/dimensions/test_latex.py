"""What was found, as LaTeX: formulas that a parser reads, labels escaped, the same conditions as the definitions."""

import re
from fractions import Fraction

import pytest
from matplotlib.mathtext import MathTextParser

from warmer.claims import CLAIMS, find, verify
from warmer.dimensions import (
    Bracket,
    covering_number,
    dissimilarity_dimension,
    eluder_dimension,
    latex,
    star_number,
    strong_sq_dimension,
)
from warmer.dimensions.continuous import search_vectors
from warmer.model import Problem

LABELS = ["50% & more", "a_b", "{x}"]
PROBLEM = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]], labels=LABELS)
HALF = Fraction(1, 2)
WITNESSES = {
    "dissimilarity": dissimilarity_dimension(PROBLEM, alpha=1, epsilon=HALF).witness,
    "eluder": eluder_dimension(PROBLEM, epsilon=HALF).witness,
    "strong SQ": strong_sq_dimension(PROBLEM, epsilon=HALF).witness,
    "star": star_number(PROBLEM, epsilon=HALF, monotone=False).witness,
    "covering": covering_number(PROBLEM, epsilon=HALF).witness,
}


def parses(formula):
    """Raise unless a parser of formulas reads it; Matplotlib's knows other names for some symbols, and no escapes."""
    known = re.sub(
        r"\\text\{((?:\\.|[^{}\\])*)\}", lambda label: rf"\mathrm{{{re.sub(r'[^a-z0-9]', '', label[1])}}}", formula
    )
    known = re.sub(r"\\(ge|le|ne)(?![a-z])", r"\\\1q", known).replace(r"\iff", r"\Leftrightarrow")
    MathTextParser("path").parse(f"${known}$")


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_every_witness_is_a_formula_with_its_elements_and_its_scale(witness):
    numbered, named = witness.to_latex(), witness.to_latex(PROBLEM)
    for formula in (numbered, named):
        parses(formula)
        assert r"\frac{1}{2}" in formula
    assert r"\text{50\% \& more}" in named
    assert r"\text{" not in numbered


def test_the_conditions_are_those_of_the_definition():
    assert WITNESSES["dissimilarity"].to_latex() == (
        r"(0,\ 1,\ 2),\quad \rho(z_i\mid z_i)\ge 1,\quad "
        r"|\rho(z_i\mid z_j)-0|\le\frac{1}{2}/\sqrt{3}\ (i<j),\quad 0\le 1-\frac{1}{2}"
    )
    two = dissimilarity_dimension(PROBLEM, alpha=1, epsilon=HALF, sided="two").witness
    assert r"(i\ne j)" in two.to_latex()
    assert r"(f_i(a_j)-f_i'(a_j))^2\le\left(\frac{1}{2}\right)^2" in WITNESSES["eluder"].to_latex()
    assert r"|\langle h_i,h_j\rangle|\le1-\frac{1}{2}" in WITNESSES["strong SQ"].to_latex()
    signs = Problem.from_table([[-1, 1, -1], [-1, -1, 1]])
    assert star_number(signs).witness.to_latex() == r"f_0=0,\quad ((0,1),\ (1,2)),\quad f_i(a_j)\ne f_0(a_j)\iff i=j"


def test_vectors_are_shown_by_their_numbers():
    witness = search_vectors("sphere", 2, epsilon=1.25).witness
    assert witness.to_latex() == witness.sequence.to_latex()
    assert witness.to_latex().startswith(r"(0,\ 1,\ 2,\ 3,\ 4),\quad")


def test_a_bracket_is_an_equation_or_two_inequalities():
    exact, open_ = (Bracket(lower=2, upper=upper, witness=None, reason="") for upper in (2, 5))
    assert (exact.to_latex(), open_.to_latex(r"d_\rho")) == ("d = 2", r"2 \le d_\rho \le 5")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(-3, 7), r"-\frac{3}{7}"),
        ("5/4", r"\frac{5}{4}"),
        (Fraction(4, 2), "2"),
        (-0.125, "-0.125"),
        (2.5e-7, r"2.5\cdot10^{-7}"),
        (1e20, "100000000000000000000"),
    ],
)
def test_numbers_are_written_as_people_write_them(value, expected):
    assert latex.number(value) == expected


def test_every_claim_is_a_paragraph_without_loose_commands():
    for claim in CLAIMS:
        text = claim.to_latex()
        assert text.startswith(r"\paragraph{")
        bare = text
        for command in (r"\paragraph{", r"\emph{If:}", r"\^{}", r"\~{}", r"\textbackslash{}", "$<$", "$>$", "$|$"):
            bare = bare.replace(command, "")
        for character in "{}$&#_%":
            bare = bare.replace(f"\\{character}", "")
        assert not set(bare.replace("}", "", 1)) & set(r"\{}$&#_%^~"), claim.label


def test_a_refutation_shows_the_table_that_refutes():
    (claim, *_) = find("theorem::upper_eluder")
    text = verify(claim, instances=0).to_latex()
    assert r"\emph{Verdict:} refuted by one function" in text
    assert text.endswith(r"\[\rho=\begin{pmatrix}1\\\frac{1}{2}\end{pmatrix}\]")
    large = verify(find("theorem::linear_dim_bound")[0], instances=0)
    assert r"\begin{pmatrix}" in large.to_latex()
    assert r"\begin{pmatrix}" not in verify(find("theorem::turan")[0], instances=2).to_latex()
