"""What other processes do while the tests kill them."""

import os
import signal
from typing import Any

from warmer import open_study
from warmer.studies.storage.database import Database


def ask_and_tell(storage: str, name: str, key: str) -> tuple[Any, Any]:
    """One round of a worker that can be repeated: every call has its key."""
    with open_study(name, storage=storage) as study:
        return one_round(study, key)


def one_round(study: Any, key: str) -> tuple[Any, Any]:
    [ticket] = study.ask(worker="w", lease=600, key=key)
    return ticket, study.tell(ticket, 0.5, author="w")


def killed_at(storage: str, name: str, key: str, statement: int, when: str) -> None:
    """Die without a word before or after the so-and-so-many-th SQL statement of one round."""
    study = open_study(name, storage=storage)
    run, count = Database.execute, 0

    def counted(self: Database, sql: str, values: Any = ()) -> Any:
        nonlocal count
        count += 1
        if count == statement and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        rows = run(self, sql, values)
        if count == statement and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return rows

    Database.execute = counted  # type: ignore[method-assign]
    one_round(study, key)
    os._exit(0)


def create(storage: str, name: str) -> None:
    """Create a study, and with it the tables, if nobody else has."""
    from tests.studies.examples import a_study

    with a_study(storage, name) as study:
        study.note("here")


def upgrade(storage: str, step: dict[str, list[str]]) -> None:
    """Open the study with a warmer that knows one migration more."""
    from warmer.studies.storage import schema

    schema.MIGRATIONS = (*schema.MIGRATIONS, step)
    with open_study("yeast", storage=storage) as study:
        study.note("upgraded")


def tell_many(storage: str, worker: str, n: int) -> None:
    """Ask and tell so often, come what may."""
    with open_study("yeast", storage=storage) as study:
        for place in range(n):
            [ticket] = study.ask(worker=worker, lease=600, key=f"{worker}:{place}")
            study.tell(ticket, 0.5, key=f"{worker}/{place}")


def work_then_die(storage: str, fatal: int) -> None:
    """Do experiments, and die in the middle of one."""
    done = 0

    def experiment(query: Any) -> float:
        nonlocal done
        done += 1
        if done == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0.5

    open_study("yeast", storage=storage).run(experiment, lease=0.3)
