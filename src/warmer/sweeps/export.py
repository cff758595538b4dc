"""A sweep as Parquet: a row per run, and a row per run and kept round."""

from pathlib import Path
from typing import Any

import numpy as np

from warmer.model.errors import optional_module
from warmer.sweeps.sweeping import Sweep

_CURVE = ("rounds", "regrets")


def export_sweep(sweep: Sweep, folder: Path) -> list[Path]:
    """Write runs.parquet and curves.parquet into a folder; the same results give the same files."""
    arrow, parquet = (
        optional_module(name, "an export as Parquet", "tables") for name in ("pyarrow", "pyarrow.parquet")
    )
    runs, curves = [], []
    for cell in sweep.cells:
        rows = sweep.runs(cell)
        if not len(rows):
            continue
        labels = sweep.problem(cell).targets
        names: Any = rows.dtype.names
        plain = {name: rows[name] for name in names if name not in _CURVE}
        plain["target"] = np.array([str(labels[int(place)]) for place in rows["target"]])
        runs.append(_table(arrow, cell.names, plain))
        n_rounds = rows["rounds"].shape[1]
        curve = {"run": np.repeat(rows["run"], n_rounds), "round": rows["rounds"].ravel()}
        curves.append(_table(arrow, cell.names, {**curve, "regret": rows["regrets"].ravel()}))
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, tables in (("runs", runs), ("curves", curves)):
        if tables:
            path = folder / f"{name}.parquet"
            part = path.with_suffix(".part")
            parquet.write_table(arrow.concat_tables(tables), part)
            part.replace(path)
            written.append(path)
    return written


def _table(arrow: Any, names: dict[str, Any], columns: dict[str, Any]) -> Any:
    """The columns, with the names of the cell before them in every row."""
    length = len(columns["run"])
    return arrow.table({name: [value] * length for name, value in names.items()} | columns)
