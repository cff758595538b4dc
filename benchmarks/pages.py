"""`python -m benchmarks pages`: 200 pages open on one study while an answer comes every second for a minute."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.document import verdict
from warmer import Problem, create_study, goals, noise, open_study

PAGES, SECONDS, LOADS_PER_SECOND = 200, 60, 4


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/lab.db"
        table = np.random.default_rng(0).uniform(-0.5, 0.5, (40, 200))
        problem = Problem.from_table(table)
        goal, known = goals.BestQuery(0.001), noise.SubGaussian(0.5)
        create_study("load", problem, goal=goal, noise=known, storage=url).close()
        command = [sys.executable, "-m", "warmer", "serve", "--storage", url, "--port", "0", "--no-browser", "--write"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                server.stdout.readline()
                address, token = re.match(r"(http://\S+)/\?token=(\S+)", server.stdout.readline()).groups()
                asyncio.run(measure(address, token, url, server.pid))
            finally:
                server.terminate()


async def measure(address: str, token: str, url: str, server: int) -> None:
    host, port = address.removeprefix("http://").split(":")
    came: list[list[tuple[int, float]]] = [[] for _ in range(PAGES)]
    await load(host, int(port), token, "/studies/load")
    watching = [asyncio.create_task(watch(host, int(port), token, heard)) for heard in came]
    await asyncio.sleep(3)
    memory, told, times = [resident(server)], [], []
    with open_study("load", storage=url) as study:
        for second in range(SECONDS):
            start = time.monotonic()
            query = second % 40
            entry = await asyncio.to_thread(study.tell, query, float(study.problem.rho[query, 7]))
            told.append((entry.seq, entry.at))
            times += [await load(host, int(port), token, "/studies/load") for _ in range(LOADS_PER_SECOND)]
            if second % 10 == 9:
                memory.append(resident(server))
            await asyncio.sleep(max(0.0, 1 - (time.monotonic() - start)))
        await asyncio.sleep(2)
        n_events = study.n_events
    for task in watching:
        task.cancel()
    last = [heard[-1][0] if heard else 0 for heard in came]
    first = [
        next((at for seq, at in heard if seq >= seq_told), np.inf) - at_told
        for heard in came
        for seq_told, at_told in told
    ]
    print(f"{PAGES} pages on one study, {SECONDS} answers in {SECONDS} s, {LOADS_PER_SECOND} page loads per second")
    print(
        f"answers recorded: {n_events} of {SECONDS}; pages that show the last one: {sum(n == n_events for n in last)}"
    )
    verdict(
        "answers recorded, and pages that show the last one",
        f"{n_events}, {sum(n == n_events for n in last)}",
        f"{SECONDS}, {PAGES}",
    )
    verdict("page load, 95%", f"{np.quantile(times, 0.95) * 1000:.0f} ms", "at most 200 ms")
    verdict("server memory after the first answers / at the end", f"{memory[1]:.0f} / {memory[-1]:.0f} MB", "flat")
    print("page load, ms:     " + quantiles(np.array(times) * 1000))
    print("told to shown, ms: " + quantiles(np.array(first) * 1000))
    print("server memory, MB: " + ", ".join(f"{each:.0f} at {10 * place} s" for place, each in enumerate(memory)))


async def load(host: str, port: int, token: str, path: str) -> float:
    """Seconds until all of a page has come."""
    start = time.monotonic()
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(head(host, port, token, path))
    content = await reader.read()
    writer.close()
    assert content.startswith(b"HTTP/1.1 200"), content[:200]
    return time.monotonic() - start


async def watch(host: str, port: int, token: str, heard: list[tuple[int, float]]) -> None:
    """Write down when each version of a page came."""
    reader, writer = await asyncio.open_connection(host, port, limit=2**22)
    writer.write(head(host, port, token, "/studies/load/live"))
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                heard.append((int(line[4:].split(b"-")[0]), time.time()))
    finally:
        writer.close()


def head(host: str, port: int, token: str, path: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", f"Authorization: Bearer {token}", "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode()


def resident(process: int) -> float:
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def quantiles(values: np.ndarray) -> str:
    return json.dumps(
        {name: round(float(np.quantile(values, share))) for name, share in (("p50", 0.5), ("p95", 0.95), ("max", 1.0))}
    )
