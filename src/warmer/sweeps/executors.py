"""Who plays the chunks: this process, local processes, or a Dask cluster."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Any

from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError, optional_module

Hands = Callable[[], Any]
"""Makes a fresh executor, as a context."""


def hands_of(where: "str | Executor", jobs: int) -> Hands:
    """What `where` stands for: "here", "processes", the address of a Dask scheduler, or an executor of your own."""
    check_count("jobs", jobs)
    if isinstance(where, Executor):
        return lambda: nullcontext(where)
    if where == "here":
        return lambda: nullcontext(_Here())
    if where == "processes":
        return lambda: _processes(jobs)
    if isinstance(where, str) and "://" in where:
        return lambda: _dask(where)
    raise InvalidValueError(
        f"a sweep runs 'here', in 'processes', or on a Dask scheduler such as tcp://host:8786; got {where!r}."
    )


class _Here(Executor):
    """Plays at once, in this process."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **options: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        try:
            done.set_result(call(*arguments, **options))
        except Exception as error:
            done.set_exception(error)
        return done


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """So many processes; where the block is left in a hurry they are ended at once."""
    before = set(multiprocessing.active_children())
    spawning, deaf = multiprocessing.get_context("spawn"), (signal.SIGINT, signal.SIG_IGN)
    # the terminal sends Ctrl-C to every process; only the one that keeps results acts on it
    pool = ProcessPoolExecutor(jobs, mp_context=spawning, initializer=signal.signal, initargs=deaf)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        pool.shutdown(cancel_futures=True)  # that they have ended is noticed at once
        raise


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    distributed = optional_module("distributed", "a sweep on a Dask cluster", "dask")
    try:
        client = distributed.Client(address, timeout="10s")
    except OSError as error:
        raise InvalidValueError(f"no Dask scheduler answers at {address}: start one, or check the address.") from error
    with client:
        yield client.get_executor(pure=False)
