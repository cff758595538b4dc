"""What can be taken home: the answers as CSV, the whole study as JSON lines, a report that needs nothing but itself."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from warmer.report import study_page
from warmer.studies import Study
from warmer.studies.records.history import history_rows
from warmer.web.library import Library

_ROWS = 1000
_COMMAND = ("=", "+", "-", "@", "\t", "\r")
"""Text that begins like this is run as a formula by spreadsheets."""


def download_routes(library: Library) -> list[Route]:
    """The files of a study."""

    async def answers(request: Request) -> Response:
        study = (await library.run(lambda: library.desk(request.path_params["study"]))).study
        return _download(csv_lines(study), f"{study.name} answers.csv", "text/csv; charset=utf-8")

    async def lines(request: Request) -> Response:
        study = (await library.run(lambda: library.desk(request.path_params["study"]))).study
        return _download(study.export_lines(), f"{study.name}.jsonl", "application/x-ndjson")

    async def report(request: Request) -> Response:
        study = (await library.run(lambda: library.desk(request.path_params["study"]))).study
        text = await library.run(study_page, study)
        return _download(iter([text]), f"{study.name}.html", "text/html; charset=utf-8")

    here = "/studies/{study}"
    return [
        Route(f"{here}/answers.csv", answers),
        Route(f"{here}/study.jsonl", lines),
        Route(f"{here}/report.html", report),
    ]


def csv_lines(study: Study) -> Iterator[str]:
    """The answers as CSV, some at a time."""
    entries = study.entries()
    for start in range(0, max(1, len(entries)), _ROWS):
        file = io.StringIO()
        rows = history_rows(entries[start : start + _ROWS])
        names = ["seq", "at", "query", "reward", "count", "ticket", "standing", "told", "author", "note", "reason"]
        writer = csv.DictWriter(file, names)
        if start == 0:
            writer.writeheader()
        writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
        yield file.getvalue()


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_COMMAND) else value


def _download(content: Iterator[str], name: str, media_type: str) -> Response:
    plain = re.sub(r"[^\w .-]", "_", name, flags=re.ASCII)
    headers = {"content-disposition": f'attachment; filename="{plain}"'}
    return StreamingResponse(content, media_type=media_type, headers=headers)
