"""`python -m benchmarks.peers`: install the peers one by one, so that one that fails is named and the rest goes on."""

import subprocess
import sys
import tomllib
from pathlib import Path

SETTINGS = Path(__file__).parents[1] / "pyproject.toml"


def requirements() -> list[str]:
    """The peers, as the extra `bench` lists them."""
    return list(tomllib.loads(SETTINGS.read_text())["project"]["optional-dependencies"]["bench"])


def names() -> list[str]:
    """Their names, without versions."""
    return [requirement.partition("==")[0] for requirement in requirements()]


def install() -> list[str]:
    """Install each of them; those that failed."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    failed = []
    for requirement in requirements():
        done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
            failed.append(requirement)
            print(f"{requirement} could not be installed, its figures are left out: {last}", flush=True)
        else:
            print(f"{requirement} is here", flush=True)
    return failed


if __name__ == "__main__":
    install()
