"""Choosing a model in a study: tickets, several people, corrections, crashes, and the same next point again."""

import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.choice.onlookers import STUDY_LOOKS, folder_in_memory, study_is_false
from tests.choice.test_coverage import most_allowed
from warmer import ChoiceStudy, ModelChoice, create_study, import_study, open_choice_study, open_study
from warmer.choice import Absolute, CostMatrix, Recall, Squared, ZeroOne, model_choice
from warmer.choice.draws import Drawn
from warmer.model.errors import CertificateError, InvalidValueError, ProtocolError
from warmer.studies.verification import verify_draws


def pool(seed: int = 0, n_models: int = 8, n_points: int = 150):
    rng = np.random.default_rng(seed)
    truth = rng.choice(["cat", "cow", "dog"], size=n_points)
    rows = [
        np.where(rng.random(n_points) < 0.5 + 0.05 * k, truth, rng.choice(["cat", "cow", "dog"], size=n_points))
        for k in range(n_models)
    ]
    return {f"model {k}": row for k, row in enumerate(rows)}, truth


def choice(seed: int = 0, **settings) -> ModelChoice:
    return ModelChoice(pool()[0], **{"epsilon": 0.05, "seed": seed, **settings})


@pytest.fixture
def url(storage: str) -> str:
    """Every test runs on SQLite and, with the long ones, on PostgreSQL."""
    return storage


TRUTH = pool()[1]


def label_until_proven(study, n: int = 1) -> None:
    while tickets := study.ask(n):
        for ticket in tickets:
            study.tell(ticket, TRUTH[ticket.query])


def test_a_study_asks_for_the_points_that_the_choice_alone_asks_for(url):
    alone = choice()
    with create_study("pets", choice(), storage=url) as study:
        while points := alone.ask(3):
            tickets = study.ask(3)
            assert [ticket.query for ticket in tickets] == points
            for ticket in tickets:
                alone.tell(ticket.query, TRUTH[ticket.query])
                study.tell(ticket, TRUTH[ticket.query])
        assert study.is_settled
        assert study.certificate().certificate == alone.certificate()
        assert study.ask() == []


def test_reopening_gives_the_same_next_point_and_every_choice_is_verified(url):
    with create_study("pets", choice(), storage=url) as study:
        for _ in range(12):
            [ticket] = study.ask()
            study.tell(ticket, TRUTH[ticket.query])
        held = study.ask(2)
        expected, leader = study.preview(3), study.choice.leader
    with open_choice_study("pets", storage=url) as again:
        assert again.preview(3) == expected
        assert again.choice.leader == leader
        assert again.tickets() == held
        assert again.verify() == 14


def test_several_people_have_different_points_and_may_answer_in_any_order(url):
    create_study("pets", choice(), storage=url).close()
    with open_choice_study("pets", storage=url) as ada, open_choice_study("pets", storage=url) as bob:
        hers, his = ada.ask(3, worker="Ada"), bob.ask(3, worker="Bob")
        assert len({ticket.query for ticket in hers + his}) == 6
        for ticket in reversed(hers + his):
            bob.tell(ticket, TRUTH[ticket.query])
        alone = choice()
        for point in alone.ask(6):
            alone.tell(point, TRUTH[point])
        assert ada.choice.standings == alone.standings


def test_a_ticket_whose_lease_ran_out_goes_to_somebody_else_and_a_late_label_counts(url):
    with create_study("pets", choice(), storage=url) as study:
        [late] = study.ask(worker="Ada", lease=1e-6)
        [again] = study.ask(worker="Bob")
        assert (again.query, again.number, again.worker) == (late.query, late.number, "Bob")
        study.tell(late, TRUTH[late.query])
        assert study.choice.labels == {late.query: TRUTH[late.query]}


def test_points_that_were_given_back_or_failed_are_asked_for_again_and_block_what_came_later(url):
    with create_study("pets", choice(), storage=url) as study:
        first, second, third = study.ask(3)
        study.release(first)
        study.fail(second, reason="blurred")
        study.tell(third, TRUTH[third.query])
        assert study.choice._race.n_labels == 0, "the labels before it are missing"
        assert [ticket.query for ticket in study.ask(2)] == [first.query, second.query]


def test_when_all_that_is_left_has_failed_it_is_tried_again(url):
    rows = {"a": [0, 0], "b": [1, 1]}
    with create_study("two", ModelChoice(rows, epsilon=0.0, seed=0), storage=url) as study:
        tickets = study.ask(2)
        study.fail(tickets[0], reason="blurred")
        study.tell(tickets[1], 0)
        study.fail(study.ask()[0], reason="blurred")
        assert [ticket.query for ticket in study.ask()] == [tickets[0].query]


def test_a_corrected_label_counts_as_if_it_had_been_told_at_once_while_draws_stay(url):
    with create_study("pets", choice(), storage=url) as study:
        told = []
        for place in range(10):
            [ticket] = study.ask()
            wrong = "cow" if TRUTH[ticket.query] != "cow" else "dog"
            told.append((ticket, study.tell(ticket, wrong if place == 2 else TRUTH[ticket.query])))
        study.correct(told[2][1].seq, TRUTH[told[2][0].query], reason="wrong button")
        drawn = [event.body for event in study.log() if event.kind == "asked"]
        replayed = choice()
        for asked in drawn:
            replayed.take(Drawn(asked.query, asked.frame))
            replayed.tell(asked.query, TRUTH[asked.query])
        assert study.choice.standings == replayed.standings
        assert study.choice.labels == replayed.labels


def test_a_retracted_label_leaves_its_point_to_be_labelled_again_and_the_certificate_names_it(url):
    with create_study("pets", choice(), storage=url) as study:
        entries = [study.tell(ticket, TRUTH[ticket.query]) for ticket in study.ask(5)]
        study.retract(entries[0].seq, reason="the label of another picture")
        assert study.choice.n_labels == 4
        assert [ticket.query for ticket in study.ask()] == [entries[0].query]
        assert f"answer {entries[0].seq} to" in str(study.certificate())
        study.tell(study.tickets()[0], TRUTH[entries[0].query])
        label_until_proven(study)
        assert study.certificate()


def test_a_retracted_correction_brings_the_first_label_back(url):
    with create_study("pets", choice(), storage=url) as study:
        [ticket] = study.ask()
        entry = study.tell(ticket, "cat")
        study.correct(entry.seq, "dog", reason="a tail")
        correction = list(study.log())[-1].seq
        study.retract(correction, reason="it was no tail")
        assert study.choice.labels == {ticket.query: "cat"}


def test_another_label_for_the_same_point_is_refused_and_names_the_event(url):
    with create_study("pets", choice(), storage=url) as study:
        entry = study.tell(7, "cat", author="Ada")
        assert study.tell(7, "cat").reward == "cat"
        with pytest.raises(ProtocolError, match=rf"already \(event {entry.seq}, by Ada\), got 'dog'.*correct\("):
            study.tell(7, "dog")
        with pytest.raises(InvalidValueError, match="no class 'kat'"):
            study.tell(8, "kat")
        assert study.label_event(7) == entry.seq


LOSSES = {
    "accuracy": {},
    "declared classes": {"classes": ["cat", "cow", "dog", "unclear"]},
    "abstentions": {"loss": ZeroOne("cow", abstention_cost=0.3)},
    "costs": {"loss": CostMatrix([[0, 1, 2], [1, 0, 1], [3, 1, 0]], labels=["cat", "cow", "dog"]), "epsilon": 0.2},
    "recall": {"loss": Recall("dog")},
    "population": {"population": True, "epsilon": 0.4},
}


@pytest.mark.parametrize("settings", LOSSES.values(), ids=LOSSES)
def test_every_kind_of_choice_is_replayed_from_the_database_and_from_an_export(url, tmp_path, settings):
    with create_study("pets", choice(**settings), storage=url) as study:
        for ticket in study.ask(20):
            study.tell(ticket, "dog" if TRUTH[ticket.query] == "cow" else TRUTH[ticket.query])
        study.export(tmp_path / "pets.jsonl")
        expected = study.choice.standings, study.certificate().certificate, study.preview(2)
    with open_choice_study("pets", storage=url) as again:
        assert (again.choice.standings, again.certificate().certificate, again.preview(2)) == expected
    with import_study(tmp_path / "pets.jsonl", name="copy", storage=url) as copied:
        assert (copied.choice.standings, copied.certificate().certificate, copied.preview(2)) == expected
        assert copied.verify() == 20


@pytest.mark.parametrize("loss", [Squared(0, 10), Absolute(0, 10), "brier"], ids=str)
def test_numbers_and_probabilities_are_kept_exactly(url, tmp_path, loss):
    rng = np.random.default_rng(0)
    numbers, chances = rng.uniform(0, 10, (4, 30)), rng.dirichlet([1, 1, 1], (4, 30))
    made = ModelChoice(chances if loss == "brier" else numbers, epsilon=0.1, loss=loss, seed=0)
    with create_study("numbers", made, storage=url) as study:
        for ticket in study.ask(8):
            study.tell(ticket, 1)
        study.export(tmp_path / "numbers.jsonl")
        expected = study.choice.standings
    with open_choice_study("numbers", storage=url) as again:
        assert again.choice.standings == expected
    with import_study(tmp_path / "numbers.jsonl", name="copy", storage=url) as copied:
        assert copied.choice.standings == expected


def test_creating_again_opens_the_same_study_and_another_choice_is_refused(url):
    with create_study("pets", choice(), storage=url) as study:
        study.tell(3, "cat")
    with create_study("pets", choice(), storage=url) as again:
        assert again.choice.labels == {3: "cat"}
    with pytest.raises(InvalidValueError, match="there is another study 'pets'"):
        create_study("pets", choice(seed=1), storage=url)


def test_without_a_seed_the_log_has_the_draws_and_replay_draws_nothing(url, monkeypatch):
    with create_study("pets", choice(seed=None), storage=url) as study:
        for ticket in study.ask(12):
            study.tell(ticket, TRUTH[ticket.query])
        held = study.ask(3)
        expected = study.choice.standings, study.choice.unanswered
        assert study.preview(9) == [ticket.query for ticket in held] == study.choice.unanswered
    monkeypatch.setattr(model_choice, "fresh_chance", lambda: pytest.fail("replay must not draw"))
    with open_choice_study("pets", storage=url) as again:
        assert (again.choice.standings, again.choice.unanswered) == expected
        assert again.tickets() == held
        assert again.preview(9) == [ticket.query for ticket in held]
        assert again.verify() == 15


def test_a_label_that_is_volunteered_while_somebody_asks_never_takes_the_place_of_a_draw(url, monkeypatch):
    """Bob tells a label after Ada has looked at the log; where she has drawn by then, he knows her point."""
    create_study("pets", choice(seed=None), storage=url).close()
    planned, told = ChoiceStudy._plan, []

    def plan_and_be_overtaken(study, n):
        plan = planned(study, n)
        if study is ada and not told:
            told.append(plan.queries[0] if plan.queries else 3)
            bob.tell(told[0], TRUTH[told[0]])
        return plan

    monkeypatch.setattr(ChoiceStudy, "_plan", plan_and_be_overtaken)
    with open_choice_study("pets", storage=url) as ada, open_choice_study("pets", storage=url) as bob:
        ada.ask(4, worker="Ada")
        events = list(ada.log())
        answered = [event.body.query for event in events if event.kind == "answered"]
        asked = [event.body for event in events if event.kind == "asked"]
        assert [event.kind for event in events] == ["answered", *["asked"] * 4]
        assert answered == told
        assert {body.query for body in asked}.isdisjoint(told)
        assert [body.as_of for body in asked] == [1] * 4, "drawn from all that was written before"


def test_a_draw_that_was_changed_in_the_log_is_named(url, tmp_path):
    with create_study("pets", choice(seed=None), storage=url) as study:
        tickets = study.ask(6)
        for ticket in tickets:
            study.tell(ticket, TRUTH[ticket.query])
        view = study._new_view()
        events = list(study.log())
        drawn = next(event for event in events if event.body.frame)
        view.add(events[: drawn.seq - 1])
        assert view.could_ask(drawn.body)
        assert not view.could_ask(replace(drawn.body, frame="0:" + "1" * 8)), "another frame"
        same = [p for p in range(len(TRUTH)) if len({row[p] for row in pool()[0].values()}) == 1]
        assert not view.could_ask(replace(drawn.body, query=same[0])), "all models agree there"
        monkey = [
            replace(event, body=replace(event.body, query=same[0])) if event is drawn else event for event in events
        ]
        with pytest.raises(
            CertificateError, match=rf"ticket {drawn.body.number} \(event {drawn.seq}\) asked for {same[0]}"
        ):
            verify_draws(monkey, study._new_view())


def test_a_choice_without_a_seed_opens_a_study_that_was_begun_with_one(url):
    with create_study("pets", choice(seed=0), storage=url) as study:
        study.tell(3, "cat")
    with create_study("pets", choice(seed=None), storage=url) as again:
        assert again.choice.labels == {3: "cat"}
        assert again.choice.seed == 0
    with pytest.raises(InvalidValueError, match="there is another study 'pets'"):
        create_study("pets", choice(seed=None, epsilon=0.1), storage=url)


def test_a_study_that_an_older_version_wrote_replays_to_the_same_state(url):
    """Written before draws came from fresh chance; the numbers are what that version said."""
    with import_study(Path(__file__).parent / "data" / "choice-with-seed.jsonl", storage=url) as study:
        race = study.choice._race
        assert study.choice.seed == 0
        assert study.preview(4) == [19, 14, 42, 46]
        assert (study.choice.leader, study.choice.n_labels, study.choice.labels_left) == ("model 3", 11, 22)
        assert study.choice.unanswered == [19, 50]
        assert study.certificate().remaining == ("model 0", "model 1", "model 2", "model 4")
        assert race._evidence.wealth(race.incumbent).tolist() == pytest.approx(
            [1.5023265436582607, 3.3454803950335306, 1.0850807751829676, 1.0, 0.7930862877729068]
        )
        assert study.verify() == 12


def test_what_is_drawn_and_given_back_stays_and_nothing_is_proven_past_it(url):
    few = {name: row[:15] for name, row in pool()[0].items()}
    with create_study("pets", ModelChoice(few, epsilon=0.0), storage=url) as study:
        first = study.ask()[0]
        study.release(first)
        study.fail(study.ask()[0], reason="blurred")
        for point in range(15):
            if point != first.query:
                study.tell(point, TRUTH[point])
        assert study.choice.n_labels == 14
        assert not study.certificate()
        assert study.preview() == [first.query]
        study.tell(first.query, TRUTH[first.query])
        assert study.certificate()


def false_studies(look: str, runs: int, delta: float) -> int:
    false = 0
    for seed in range(runs):
        with folder_in_memory() as folder:
            false += study_is_false(seed, STUDY_LOOKS[look], f"sqlite:///{folder}/lab.db", delta=delta)
    return false


@pytest.fixture
def fixed_chance(monkeypatch) -> None:
    """The system's chance, the same in every run of a test, and kept where no onlooker sees it."""
    stream = np.random.default_rng(26)
    monkeypatch.setattr(model_choice, "fresh_chance", lambda: stream.spawn(1)[0])


@pytest.mark.usefixtures("fixed_chance")
def test_an_onlooker_of_a_study_gets_no_more_false_certificates_than_promised():
    assert false_studies("preview", 3, 0.05) <= most_allowed(0.05, 3)


@pytest.mark.long
@pytest.mark.usefixtures("fixed_chance")
@pytest.mark.parametrize("look", STUDY_LOOKS)
def test_every_way_to_look_at_a_study_gets_no_more_false_certificates_than_promised(look):
    assert false_studies(look, 10, 0.05) <= most_allowed(0.05, 10)


class Mine:
    scale, wants = 1.0, "classes"

    def pool(self, predictions, classes):
        return ZeroOne().pool(predictions, classes)


def test_what_a_study_cannot_keep_is_refused_in_words(url):
    used = choice()
    used.ask()
    with pytest.raises(InvalidValueError, match="nobody has asked or told anything"):
        create_study("pets", used, storage=url)
    with pytest.raises(InvalidValueError, match="leave out delta"):
        create_study("pets", choice(), delta=0.1, storage=url)
    with pytest.raises(InvalidValueError, match=r"knows only those of warmer\.choice; got Mine"):
        create_study("pets", choice(loss=Mine()), storage=url)
    create_study("pets", choice(), storage=url).close()
    with pytest.raises(InvalidValueError, match="chooses a model: open it with open_choice_study"):
        open_study("pets", storage=url)


VICTIM = textwrap.dedent("""
    import sys
    sys.path.insert(0, {root!r})
    from tests.studies.test_choices import TRUTH
    from warmer import open_choice_study
    with open_choice_study("pets", storage={url!r}) as study:
        while tickets := study.ask(2, worker="victim", lease=0.01):
            for ticket in tickets:
                study.tell(ticket, TRUTH[ticket.query])
                print(ticket.query, flush=True)
""")


def test_kill_9_in_the_middle_loses_no_label_that_was_acknowledged(url):
    create_study("pets", choice(), storage=url).close()
    root = os.getcwd()
    process = subprocess.Popen(
        [sys.executable, "-c", VICTIM.format(root=root, url=url)], stdout=subprocess.PIPE, text=True
    )
    acknowledged = [int(process.stdout.readline()) for _ in range(7)]
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in process.communicate()[0].splitlines()]
    with open_choice_study("pets", storage=url) as study:
        assert set(acknowledged) <= set(study.choice.labels)
        study.verify()
        label_until_proven(study)
        models = np.array(list(pool()[0].values()))
        accuracy = dict(zip(study.choice.models, (models == TRUTH).mean(axis=1), strict=True))
        assert accuracy[study.certificate().answer] >= max(accuracy.values()) - 0.05


def test_one_open_ticket_is_named_with_the_labels_that_wait_for_it(url):
    with create_study("pets", choice(), storage=url) as study:
        first, *others = study.ask(12, worker="Ada")
        for ticket in others:
            study.tell(ticket, TRUTH[ticket.query])
        certificate = study.certificate()
        assert certificate.waiting == (
            f"11 labels wait for the label of point {first.query!r} (ticket 1, Ada): tell it, or release the ticket so "
            "that somebody else is asked"
        )
        assert certificate.waiting in str(certificate).splitlines()
        study.release(first)
        assert study.certificate().waiting.endswith("which nobody has in hand: the next ask gives it out")
        [again] = study.ask(1, worker="Bo")
        assert again.query == first.query
        study.tell(again, TRUTH[again.query])
        assert study.certificate().waiting == ""
        assert study.certificate().certificate.n_labels == 12


def test_what_is_asked_of_and_told_to_the_choice_of_a_study_is_no_part_of_it(url):
    predictions, _ = pool()
    with create_study("pets", ModelChoice(predictions, epsilon=0.05), storage=url) as study:
        looked_at = study.choice
        for point in looked_at.ask(3) + looked_at.ask(20):
            looked_at.tell(point, "cat")
        assert study.n_events == 0
        assert study.choice.n_labels == 0
        assert study.choice.unanswered == study.preview() == []
        study.ask(3)
        assert study.verify() == 3
