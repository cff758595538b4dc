"""Imported by the server that workers are forked from, so that each of them finds its kernels loaded."""

import tempfile

from benchmarks.studies import a_study

with tempfile.TemporaryDirectory() as folder, a_study(f"sqlite:///{folder}/warm.db", "warm") as study:
    study.tell(study.ask(2)[0], 0.5)
    study.status()
