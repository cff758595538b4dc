"""A name where an object is meant, and an object where names are, is refused in one sentence that says what to pass."""

from collections.abc import Callable
from typing import Any

import pytest

from warmer import (
    PAC,
    InvalidValueError,
    Problem,
    Session,
    TopTwo,
    UntilCertified,
    analysis,
    bounds,
    create_study,
    environments,
    goals,
    noise,
    simulate,
    sweep,
)

TABLE = Problem.from_table([[0.2, 0.9, 0.5], [0.7, 0.3, 0.6]])
TRUTH = environments.Exact(TABLE, 0)
WHICH, TASK = goals.WhichTarget(), analysis.Task(0.1)
LEARNER = TopTwo(TABLE, WHICH)
SWEEP: Any = {
    "problems": {"table": TABLE},
    "learners": ["uniform"],
    "settings": {"quiet": TASK},
    "horizon": 3,
    "runs": 1,
}
ONCE: Any = {"horizon": 3, "seed": 0}

CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "the problem and a learner's name": (
        lambda: simulate(TABLE, "top-two", **ONCE, runs=20),
        "needs a learner, .* got Problem",
    ),
    "a learner's name": (
        lambda: simulate("top-two", TRUTH, **ONCE),
        r"such as TopTwo\(problem, .*got the text 'top-two'",
    ),
    "a name per run": (
        lambda: simulate(["top-two"] * 2, TRUTH, **ONCE),
        r"such as TopTwo\(problem, .*got the text 'top-two'",
    ),
    "an environment's name": (
        lambda: simulate(LEARNER, "exact", **ONCE, runs=2),
        r"environments.Exact\(problem, target\), got the text 'exact'",
    ),
    "an environment's name per run": (lambda: simulate(LEARNER, ["exact"] * 2, **ONCE), "got the text 'exact'"),
    "compare: an environment's name": (
        lambda: analysis.compare("exact", ["top-two"], TASK, **ONCE),
        "list of environments, .* got 'exact'",
    ),
    "compare: names of environments": (lambda: analysis.compare(["exact"], ["top-two"], TASK, **ONCE), "got 'exact'"),
    "compare: one environment": (lambda: analysis.compare(TRUTH, ["top-two"], TASK, **ONCE), "got one Exact"),
    "compare: one learner": (
        lambda: analysis.compare([TRUTH], "top-two", TASK, **ONCE),
        r'a list of names such as \["top-two"\], got \'top-two\'',
    ),
    "compare: learners": (
        lambda: analysis.compare([TRUTH], [LEARNER], TASK, **ONCE),
        "got the object TopTwo; simulate takes objects",
    ),
    "compare: a goal's name": (
        lambda: analysis.compare([TRUTH], ["top-two"], "best-query", **ONCE),
        r"Task such as Task\(epsilon=0.1\), got",
    ),
    "budget: a file's name": (
        lambda: analysis.budget("t.csv", TASK),
        r"needs a Problem, got 't.csv'; read_problem\(path\)",
    ),
    "budget: a goal's name": (lambda: analysis.budget(TABLE, "best-query"), "a budget needs a Task"),
    "budget: one learner": (lambda: analysis.budget(TABLE, TASK, learners="top-two"), "a list of names"),
    "budget: learners": (lambda: analysis.budget(TABLE, TASK, learners=[LEARNER]), "got the object TopTwo"),
    "report: a file's name": (lambda: analysis.analyse_problem("t.csv", TASK), "a report needs a Problem, got 't.csv'"),
    "targets of a file's name": (
        lambda: analysis.draw_targets("t.csv", runs=2, seed=0),
        "draw_targets needs a Problem",
    ),
    "evidence of an object": (
        lambda: analysis.simulated_evidence(TRUTH, LEARNER, TASK, **ONCE),
        "learners are named here, such as 'top-two'; got the object TopTwo",
    ),
    "session: a file's name": (
        lambda: Session(problem="t.csv", goal=WHICH),
        r"Problem or a learner, got 't.csv'; read_problem\(path\)",
    ),
    "session: an array": (lambda: Session([[0.1, 0.2]], goal=WHICH), "Problem.from_table takes an array"),
    "session: a goal's name": (
        lambda: Session(TABLE, goal="which-target").ask(),
        r"goals.BestQuery\(0.05\), got 'which-target'",
    ),
    "session: a noise's name": (
        lambda: Session(TABLE, goal=WHICH, noise="gaussian").ask(),
        r"noise.SubGaussian\(0.3\), got 'gaussian'",
    ),
    "certificate: a goal's name": (
        lambda: Session(TABLE, goal=WHICH).certificate("best-query"),
        r"goals.BestQuery\(0.05\), got 'best-query'",
    ),
    "study: a learner's name": (
        lambda: create_study("x", TABLE, learner="top-two"),
        r"a study needs a learner such as TopTwo\(",
    ),
    "task: a goal's name": (
        lambda: analysis.Task(0.1, goal="which-target"),
        r"goals.BestQuery\(0.05\), got 'which-target'",
    ),
    "task: a noise's name": (lambda: analysis.Task(0.1, noise="gaussian"), r"noise.SubGaussian\(0.3\), got 'gaussian'"),
    "limit: a goal's name": (
        lambda: bounds.characteristic_time(TABLE, 0, goal="which-target", noise=noise.SubGaussian(1.0)),
        r"goals.BestQuery\(0.05\), got 'which-target'",
    ),
    "PAC: a name": (lambda: PAC(base="least-squares", epsilon=0.1, delta=0.1), "PAC needs a learner such as TopTwo"),
    "UntilCertified: a name": (
        lambda: UntilCertified("least-squares", WHICH),
        "UntilCertified needs a learner such as TopTwo",
    ),
    "sweep: one learner": (lambda: sweep("x", **SWEEP | {"learners": "uniform"}), r"learners must be a list of names"),
    "sweep: one environment": (
        lambda: sweep("x", **SWEEP | {"environments": "gaussian"}),
        r'environments must be a list of names such as \["gaussian"\]',
    ),
    "sweep: one problem": (lambda: sweep("x", **SWEEP | {"problems": TABLE}), r"problems must map names .*got Problem"),
    "sweep: one setting": (lambda: sweep("x", **SWEEP | {"settings": TASK}), r"settings must map names .*got Task"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_name_in_place_of_an_object_is_refused_in_one_sentence(case: str) -> None:
    call, words = CASES[case]
    with pytest.raises(InvalidValueError, match=words) as refused:
        call()
    assert len(str(refused.value)) < 250
