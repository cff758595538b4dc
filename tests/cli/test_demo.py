from pathlib import Path

from tests.cli.conftest import Command

SMALL = ("demo", "--runs", "2", "--horizon", "60")


def test_the_demo_tells_its_story_and_draws_it(warmer: Command) -> None:
    said = warmer(*SMALL)
    assert said.code == 0
    assert said.err == ""
    assert "A treasure lies in one of 225 places" in said.out
    assert said.out.endswith("Figure: warmer-demo.png\n")
    assert Path("warmer-demo.png").read_bytes().startswith(b"\x89PNG")
    assert max(map(len, said.out.splitlines())) <= 80


def test_the_numbers_of_the_story_are_those_of_the_outcomes(warmer: Command) -> None:
    form = warmer(*SMALL, "--json", "--figure", "hunt.png").form
    assert set(form) >= {"outcomes", "story", "figure", "horizon", "runs", "seed"}
    assert (form["figure"], form["runs"], form["horizon"]) == ("hunt.png", 2, 60)
    assert 3 <= len(form["story"]) <= 5
    ranking = sorted(form["outcomes"], key=lambda outcome: outcome["regret"]["estimate"])
    assert form["story"][0].startswith(f"{ranking[0]['learner']} has the least regret")
    made = sum(outcome["certificate"]["certified"] for outcome in form["outcomes"])
    assert f"All {made} certificates were right." in form["story"]


def test_a_run_too_short_for_a_proof_says_so(warmer: Command) -> None:
    form = warmer("demo", "--runs", "2", "--horizon", "3", "--json").form
    assert any(sentence.startswith("No learner certified") for sentence in form["story"])
    assert all(outcome["certificate"]["median_queries"] is None for outcome in form["outcomes"])


def test_the_same_seed_tells_the_same_story(warmer: Command) -> None:
    first, again = (warmer("demo", "--runs", "1", "--horizon", "20", "--seed", "5", "--json").form for _ in range(2))
    assert first["story"] == again["story"]
    assert first["targets"] == again["targets"]
