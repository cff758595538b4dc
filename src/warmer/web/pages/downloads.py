"""What can be taken home: the answers as CSV, the whole study as JSON lines, a report that needs nothing but itself."""

import csv
import io
import re
from collections.abc import Callable, Iterator
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
    files: dict[str, tuple[Callable[[Study], Iterator[str]], str, str]] = {
        "answers.csv": (csv_lines, " answers.csv", "text/csv; charset=utf-8"),
        "study.jsonl": (Study.export_lines, ".jsonl", "application/x-ndjson"),
        "report.html": (lambda study: iter([study_page(study)]), ".html", "text/html; charset=utf-8"),
    }

    async def download(request: Request) -> Response:
        content, ending, media_type = files[request.url.path.rpartition("/")[2]]
        study = await library.study(request)
        return _download(await library.run(content, study), f"{study.name}{ending}", media_type)

    return [Route(f"/studies/{{study}}/{name}", download) for name in files]


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
