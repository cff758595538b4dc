"""Which runs go to the GPU together: those of learners with one rule, in environments of one kind."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from warmer.learners import Uniform, UntilCertified
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.simulation.engine.answering import answering_of
from warmer.simulation.engine.forms import Answering, Proof, Rule, Watch
from warmer.simulation.engine.proving import KINDS, proof_of
from warmer.simulation.engine.rules import rule_of
from warmer.simulation.engine.run import borders_of
from warmer.simulation.engine.watching import watch_of


class Player(NamedTuple):
    """A learner: its rule, what watches the answers, if anything does, and what it goes by if it asks for a proof."""

    rule: Rule
    watch: Watch | None = None
    proof: Proof | None = None

    @property
    def kind(self) -> tuple[Any, ...]:
        """What learners must have in common to be played together: all but where they start."""
        return self.rule.kind, self.rule.radius, self.rule.scale, id(self.watch), id(self.proof)


class Group(NamedTuple):
    """Consecutive runs that are played together, the places at which something changes, and what holds from there."""

    player: Player
    borders: list[int]
    starts: list[Array]
    """The losses to start with."""
    answerings: list[Answering]

    @property
    def n_runs(self) -> int:
        """How many runs there are."""
        return self.borders[-1] - self.borders[0]


def groups_of(learners: Sequence[Any], environments: Sequence[Any], until: Any, certifier: Any = None) -> list[Group]:
    """The runs in groups; one sentence where something is not known to the GPU.

    Where a certifier is given, runs end when it is settled.
    """
    groups: list[Group] = []
    players: dict[int, Player] = {}
    answerings: dict[int, Answering] = {}
    before: Any = None
    for start, end in pairwise(borders_of(learners, environments)):
        learner, environment = learners[start], environments[start]
        if id(learner) not in players:
            players[id(learner)] = _player(learner, until, certifier)
        if id(environment) not in answerings:
            answerings[id(environment)] = _known(answering_of(environment), environment)
        player, answering = players[id(learner)], answerings[id(environment)]
        kind = player.kind, answering.model, answering[2:]
        if kind != before:
            groups.append(Group(player, [start], [], []))
            before = kind
        groups[-1].starts.append(player.rule.start)
        groups[-1].answerings.append(answering)
        groups[-1].borders.append(end)
    return groups


def _player(learner: Any, until: Any, certifier: Any) -> Player:
    """A learner as the GPU knows it.

    One that asks for the sake of a proof in any case, and one that stops when certified where that ends runs; others
    where nothing ends them, or a certifier.
    """
    if until is not None and until != getattr(learner, "is_done", None):
        raise InvalidValueError('engine="cuda" ends runs by the is_done of their learners alone; leave the engine out.')
    if type(learner) in KINDS and certifier in (None, learner.certifier):
        watch = _known(watch_of(learner.certifier), learner if learner.noise is None else learner.noise)
        proof = _known(proof_of(learner, watch, is_ending=until is not None or certifier is not None), learner)
        return Player(_known(rule_of(Uniform(learner.problem)), learner), watch, proof)
    if certifier is not None:
        return Player(_known(rule_of(learner), learner), _known(watch_of(certifier), certifier.noise))
    if (type(learner) is UntilCertified) != (until is not None):
        return Player(_known(None, learner))
    if until is None:
        return Player(_known(rule_of(learner), learner))
    return Player(_known(rule_of(learner.base), learner.base), _known(watch_of(learner.certifier), learner.noise))


def _known(found: Any, what: Any) -> Any:
    if found is None:
        raise InvalidValueError(f'engine="cuda" does not know {type(what).__name__} here; leave the engine out.')
    return found
