"""Who may come in: everything is refused that has no reason to be let through."""

import hmac
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from warmer.web.keys import KeyRing

LARGEST_BODY = 1_000_000
"""Bytes of a request; a table may have more."""

LARGEST_TABLE = 32_000_000

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_LOOKS = ("GET", "HEAD")
_CHANGES_NOTHING = "/api/v1/jobs"
"""Where a POST starts a computation and writes nothing."""


class Visitor(NamedTuple):
    """Who has come in, and what they may do."""

    name: str
    may_write: bool


class TooLargeError(Exception):
    """More bytes came than anybody may send."""

    def __init__(self, largest: int) -> None:
        super().__init__(largest)
        self.largest = largest


class Guard:
    """Checks Host, credentials, origin, permission and size before anything else sees a request.

    Who brings the token in the link gets a cookie; a port behind a host is ignored.
    """

    def __init__(
        self, application: ASGIApp, *, token: str, keys: KeyRing, hosts: Collection[str], may_write: bool
    ) -> None:
        self._application, self._token, self._keys = application, token, keys
        self._hosts, self._may_write = frozenset(hosts), may_write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it in one sentence."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing here speaks over web sockets; the server closes them
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        sending = _with_headers(send)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        largest = LARGEST_TABLE if scope["path"].startswith("/api/v1/tables") else LARGEST_BODY
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > largest:
            await too_large(largest)(scope, receive, sending)
            return
        await self._application(scope, _limited(receive, largest), sending)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        host = headers.get("host", "")
        if _name_of(host) not in self._hosts:
            return _refuse(403, "this server does not answer to that name; open the address that it printed.")
        if scope["path"] == "/health":
            return None
        cookie_name = f"warmer-{host.rpartition(':')[2] if ':' in host else 'web'}"
        link = self._from_link(scope, cookie_name)
        if link is not None:
            return link
        visitor, has_cookie = self._visitor(headers, cookie_name)
        if visitor is None:
            return _refuse(401, "open the link with the token that `warmer serve` printed.")
        scope["state"] = {**scope.get("state", {}), "visitor": visitor}
        if scope["method"] in _LOOKS:
            return None
        return self._write_refusal(scope, headers, visitor, has_cookie)

    def _from_link(self, scope: Scope, cookie_name: str) -> Response | None:
        """Who brings the token in the link gets a cookie, and the address without the token."""
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        tokens = [value for name, value in given if name == "token"]
        if scope["method"] != "GET" or not tokens or not _is_same(tokens[0], self._token):
            return None
        rest = urlencode([(name, value) for name, value in given if name != "token"])
        raw = scope.get("raw_path", b"/").decode("latin-1").partition("?")[0]
        path = "/" + raw.lstrip("/")  # never //elsewhere
        response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        response.set_cookie(cookie_name, self._token, httponly=True, samesite="strict", path="/")
        return response

    def _visitor(self, headers: dict[str, str], cookie_name: str) -> tuple[Visitor | None, bool]:
        """Who it is, and whether the browser says so by itself: then another site may have made it speak."""
        kind, _, secret = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            if _is_same(secret.strip(), self._token):
                return Visitor("", self._may_write), False
            key = self._keys.find(secret.strip())
            return (None if key is None else Visitor(key.name, key.may_write and self._may_write)), False
        cookies = dict(part.strip().partition("=")[::2] for part in headers.get("cookie", "").split(";"))
        is_known = _is_same(cookies.get(cookie_name, ""), self._token)
        return (Visitor("", self._may_write) if is_known else None), True

    def _write_refusal(
        self, scope: Scope, headers: dict[str, str], visitor: Visitor, has_cookie: bool
    ) -> Response | None:
        origin = headers.get("origin")
        is_elsewhere = origin is not None and urlsplit(origin).netloc != headers["host"]
        if has_cookie and (headers.get("sec-fetch-site", "same-origin") != "same-origin" or is_elsewhere):
            return _refuse(403, "another site may not write here.")
        if has_cookie and headers.get("x-warmer") != "1":
            return _refuse(403, "a request that writes needs the header X-Warmer: 1.")
        if not visitor.may_write and not scope["path"].startswith(_CHANGES_NOTHING):
            why = "this key may only read" if self._may_write else "this server only shows; start it with --write"
            return _refuse(403, f"{why}; nothing was recorded.")
        return None


def too_large(largest: int) -> Response:
    """The answer to who sends too much."""
    return _refuse(413, f"more than {largest // 1_000_000} MB were sent; nothing was kept.")


def _name_of(host: str) -> str:
    """The host without its port; an IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def _is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret.encode())


def _refuse(status: int, words: str) -> Response:
    return PlainTextResponse(f"{words}\n", status)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            if b"cache-control" not in given:
                message["headers"].append((b"cache-control", b"no-store"))
            message["headers"].extend(_HEADERS)
        await send(message)

    return sending


def _limited(receive: Receive, largest: int) -> Receive:
    came = 0

    async def receiving() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > largest:
            raise TooLargeError(largest)
        return message

    return receiving
