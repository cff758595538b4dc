"""Continuous families by name, each with a way to draw a target; their tables would be infinite."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from warmer import families
from warmer.model import Array
from warmer.problems.catalog import Entry, parse

Draw = Callable[[np.random.Generator], Any]
NamedFamily = tuple[Any, Draw]
"""A family, and what draws one of its targets."""


def arms_family(n_arms: int = 10) -> NamedFamily:
    """Bandit arms with any means in [0, 1]."""
    return families.KArms(n_arms), lambda rng: rng.random(n_arms)


def sphere_family(n: int = 3) -> NamedFamily:
    """Points of the unit sphere, and their inner products."""
    return families.Sphere(n), lambda rng: _unit_vectors(rng, n)[0]


def ball_family(n: int = 3) -> NamedFamily:
    """Linear rewards: the queries and the target are points of the unit ball."""
    return families.LinearBall(n), lambda rng: _unit_vectors(rng, n)[0]


def linear_family(n: int = 3, n_actions: int = 30, seed: int = 0) -> NamedFamily:
    """Linear rewards over random unit vectors, with any target in the unit ball."""
    actions = _unit_vectors(np.random.default_rng(seed), n, n_actions)
    return families.Linear(actions), lambda rng: _unit_vectors(rng, n)[0]


def glm_family(n: int = 3, n_actions: int = 30, seed: int = 0) -> NamedFamily:
    """Logistic rewards over random unit vectors, with any target in the unit ball."""
    actions = _unit_vectors(np.random.default_rng(seed), n, n_actions)
    return families.GLM(actions, families.logistic), lambda rng: _unit_vectors(rng, n)[0]


def relu_family(n: int = 2, bias: Fraction | float = Fraction(1, 2)) -> NamedFamily:
    """Rewards max(0, <target, query> - bias) on the unit ball."""
    return families.ReLU(n, bias=float(bias)), lambda rng: _unit_vectors(rng, n)[0]


def separation_family(n_bumps: int = 1) -> NamedFamily:
    """Semicircles with bumps, where the eluder dimension is infinite."""
    return families.Separation(n_bumps), lambda rng: _semicircle(rng, n_bumps)


_BUILDERS = (arms_family, sphere_family, ball_family, linear_family, glm_family, relu_family, separation_family)
FAMILIES = {(name := each.__name__.replace("_", "-")): Entry(name, each) for each in _BUILDERS}
"""Every family that `warmer simulate` knows, by name."""


def build_family(text: str) -> NamedFamily:
    """The family that NAME or NAME:key=value,... describes.

    Examples
    --------
    >>> build_family("sphere-family:n=4")[0]
    Sphere(4)
    """
    recipe = parse(text, catalog=FAMILIES)
    named: NamedFamily = FAMILIES[recipe.name].builder(**recipe.parameters)
    return named


def _unit_vectors(rng: np.random.Generator, n: int, count: int = 1) -> Array:
    vectors = rng.standard_normal((count, n))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _semicircle(rng: np.random.Generator, n_bumps: int) -> families.SeparationTarget:
    """The right half is empty but for the bumps in its upper quarter; the best query lies to the left."""
    bumps = zip(rng.uniform(0.0, np.pi / 2, n_bumps), rng.choice([-1.0, 1.0], n_bumps), strict=True)
    return families.SeparationTarget(0, float(rng.uniform(np.pi / 2, 3 * np.pi / 2)), tuple(bumps))
