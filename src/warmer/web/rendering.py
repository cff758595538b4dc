"""Templates to responses, and the files that pages fetch, under addresses that change with their content."""

import hashlib
import secrets
from collections.abc import Sequence
from functools import cache, partial
from importlib import resources
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from warmer.report.markup.templates_of import templates_of


class Asset(NamedTuple):
    """A file of a page."""

    content: bytes
    media_type: str
    address: str


def html(template: str, **values: Any) -> str:
    """A template filled in."""
    templates = templates_of("warmer.web", "warmer.report")
    return templates.get_template(template).render(new_key=_new_key, assets=_assets(), **values)


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A whole page, for this visitor."""
    visitor = getattr(request.state, "visitor", None)
    may_write = visitor is not None and visitor.may_write
    return HTMLResponse(html(template, path=request.url.path, may_write=may_write, **values), status)


def turned(request: Request, found: Sequence[Any], per_page: int) -> dict[str, Any]:
    """What a page of many shows: those of the page that is asked for, and where that is."""
    asked = request.query_params.get("page", "1")
    n_pages = max(1, -(-len(found) // per_page))
    number = min(max(1, int(asked)), n_pages) if asked.isdecimal() and len(asked) < 9 else 1
    shown = found[(number - 1) * per_page : number * per_page]
    return {"shown": shown, "number": number, "n_pages": n_pages, "n_found": len(found)}


def asset_routes() -> list[Route]:
    """Styles and scripts: they never change under one address, so they are fetched once."""
    return [Route(asset.address, partial(_serve, asset)) for asset in _assets().values()]


async def _serve(asset: Asset, request: Request) -> Response:
    return Response(
        asset.content, media_type=asset.media_type, headers={"cache-control": "max-age=31536000, immutable"}
    )


@cache
def _assets() -> dict[str, Asset]:
    web, report = resources.files("warmer.web"), resources.files("warmer.report")
    style = (report / "templates" / "style.css").read_bytes() + (web / "static" / "pages.css").read_bytes()
    script, icon = ((web / "static" / name).read_bytes() for name in ("pages.js", "icon.svg"))
    files = {
        "style": ("pages.css", style, "text/css; charset=utf-8"),
        "script": ("pages.js", script, "text/javascript; charset=utf-8"),
        "icon": ("icon.svg", icon, "image/svg+xml"),
    }
    return {
        key: Asset(content, kind, f"/assets/{hashlib.sha256(content).hexdigest()[:16]}/{name}")
        for key, (name, content, kind) in files.items()
    }


def _new_key() -> str:
    """Makes a form that is sent twice count once."""
    return secrets.token_hex(8)
