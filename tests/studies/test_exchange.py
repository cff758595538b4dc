"""A study as a file that a person can read."""

import json
from fractions import Fraction

import pytest

from tests.studies.examples import a_study, check_invariants
from warmer import InvalidValueError, Problem, create_study, goals, import_study, open_study


def a_full_study(storage):
    study = a_study(storage)
    for place in range(4):
        study.tell(study.ask(worker="Ada")[0], place / 8, author="Ada", note="naïve" if place else "")
    study.ask(2, worker="Bo", lease=60)
    study.fail("starch", reason="mould")
    study.correct(2, 0.5, reason="typo")
    study.retract(4, reason="no agar")
    study.note("new\u2028batch\r\n\x85of agar")
    study.forbid("broth", reason="sold out")
    study.allow("broth")
    return study


def test_what_is_exported_comes_back_as_it_was(storage, tmp_path):
    with a_full_study(storage) as study:
        study.export(tmp_path / "yeast.jsonl")
        with import_study(tmp_path / "yeast.jsonl", name="copy", storage=storage) as copy:
            assert list(copy.log()) == list(study.log())
            assert copy.entries() == study.entries()
            assert [(t.number, t.token, t.leased_until) for t in copy.tickets()] == [
                (t.number, t.token, t.leased_until) for t in study.tickets()
            ]
            check_invariants(copy)
            assert copy.ask(3)[2].query == study.ask(3)[2].query
            again = [*copy.export_lines()][1:-1]
        assert again[: len([*study.export_lines()]) - 5] == [*study.export_lines()][1:-4]


def test_a_person_can_read_it(storage, tmp_path):
    with a_full_study(storage) as study:
        study.export(tmp_path / "yeast.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "yeast.jsonl").read_text().splitlines()]
    assert lines[0]["name"] == "yeast"
    assert lines[2]["query"] == "agar"
    answer = next(line for line in lines if line.get("kind") == "answered" and line["note"])
    assert (answer["author"], answer["reward"], answer["note"]) == ("Ada", 0.125, "naïve")
    assert answer["time"].startswith("20")
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_exact_tables_labels_costs_and_forbidden_queries_come_back(tmp_path):
    problem = Problem.from_table(
        [[Fraction(1, 3), Fraction(1, 2)], [Fraction(1, 3**45), 0]],
        queries=[("a", 1), Fraction(1, 3)],
        costs=[1.5, 2.5],
        forbidden=[False, True],
        reward_range=(0, 1),
        tolerance=None,
    )
    url = f"sqlite:///{tmp_path}/lab.db"
    with create_study("exact", problem, goal=goals.BestQuery(0.1), tolerance=0.01, storage=url) as study:
        study.tell(("a", 1), 0.5)
        study.export(tmp_path / "exact.jsonl")
    with import_study(tmp_path / "exact.jsonl", name="copy", storage=url) as copy:
        assert copy.problem.entry(1, 0) == Fraction(1, 3**45)
        assert copy.problem.costs.tolist() == [1.5, 2.5]
        assert copy.problem.is_allowed.tolist() == [True, False]
        assert copy.problem.tolerance is None
        assert [entry.query for entry in copy.entries()] == [("a", 1)]


def test_a_file_cut_off_anywhere_is_refused_and_nothing_is_imported(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with a_full_study(url) as study:
        text = "".join(study.export_lines())
    for length in range(0, len(text) - 1, 97):
        (tmp_path / "torn.jsonl").write_text(text[:length])
        with pytest.raises(InvalidValueError, match=r"torn\.jsonl: .*(not whole|no exported study|cut off)"):
            import_study(tmp_path / "torn.jsonl", name="torn", storage=url)
    with pytest.raises(InvalidValueError, match="there is no study 'torn'"):
        open_study("torn", storage=url)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"reward": 0.25', '"reward": 0.75', "do not match their checksum"),
        ('"version": 1', '"version": 2', "a newer warmer wrote this"),
        ('{"warmer": "study"', '{"warmer": "letter"', "this is no exported study"),
        ('"kind": "answered"', "answered", "line 8 is not whole"),
    ],
)
def test_a_file_that_was_changed_is_refused(tmp_path, old, new, words):
    url = f"sqlite:///{tmp_path}/lab.db"
    with a_full_study(url) as study:
        text = "".join(study.export_lines())
    assert old in text
    (tmp_path / "changed.jsonl").write_text(text.replace(old, new, 1))
    with pytest.raises(InvalidValueError, match=words):
        import_study(tmp_path / "changed.jsonl", name="changed", storage=url)


def test_an_import_takes_nobodys_name_and_leaves_nothing_behind(storage, tmp_path):
    with a_full_study(storage) as study:
        study.export(tmp_path / "yeast.jsonl")
        with pytest.raises(InvalidValueError, match=r"there is a study 'yeast' in .* already; choose another name"):
            import_study(tmp_path / "yeast.jsonl", storage=storage)
        with pytest.raises(InvalidValueError, match=r"none\.jsonl cannot be read \(No such file"):
            import_study(tmp_path / "none.jsonl", storage=storage)
        with pytest.raises(InvalidValueError, match=r"cannot be written \(No such file"):
            study.export(tmp_path / "no" / "where.jsonl")
        check_invariants(study)
