"""Stands before every route: right host, no foreign origin, a known caller, not too often, not too much.

A browser sends what any page asks it to, also to loopback. So the name in `Host` must be one of ours (a foreign name
that resolves to this machine is DNS rebinding), and a request that another site's page caused is refused, whichever
method it uses and whatever it asks for.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders

from askwell.errors import AskwellError
from askwell.server.problems import problem, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from askwell.server.tokens import TokenFile

COOKIE = "askwell_token"
"""Holds a token for the pages; set by `/login`, never readable by scripts."""

BODY_SECONDS = 30.0
"""Seconds that a client may take for one piece of a request's body."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers send our own forms with `Origin: null`
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

OPEN_PATHS = frozenset({"/healthz", "/readyz", "/login"})
"""Answered without a token. None of them tells anything of the index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who sent a request and the most it may see."""

    name: str
    open_only: bool


OWNER = Caller(name="owner", open_only=False)
"""Whoever reaches a server on loopback by a loopback name: the person at this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one caller may ask for."""

    body: int = 1_000_000  # bytes
    per_minute: int = 240  # requests; as many at once after a quiet minute; 0 for no limit


class Guard:
    """ASGI middleware; leaves the `Caller` in `scope["state"]["caller"]`."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        tokens: TokenFile,
        hosts: frozenset[str] = frozenset(),
        loopback: bool = True,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        dressed: Callable[[str, Response], Response] = lambda _path, reply: reply,
    ) -> None:
        """Take what is allowed.

        Args:
            app: What stands behind.
            tokens: Known tokens.
            hosts: Names, besides loopback ones, that this server is reached by; a token is needed there.
            loopback: Whether the server listens on loopback only; otherwise a token is always needed.
            limits: Of each caller.
            clock: Seconds, monotonic.
            dressed: Gives a refusal the form that clients of a path read.
        """
        self._app = app
        self._dressed = dressed
        self._tokens = tokens
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._loopback = loopback
        self._limits = limits or Limits()
        self._budgets = Budgets(self._limits.per_minute, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _secured(send)
        headers = Headers(scope=scope)
        refused = self._misdirected(headers)
        caller = None
        if refused is None:
            caller, refused = self._known(scope["path"], headers)
        if refused is None and caller is not None:
            refused = self._excessive(caller, headers)
        if refused is not None:
            await self._dressed(scope["path"], refused)(scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        body = _Body(receive, self._limits.body)
        try:
            await self._app(scope, body.receive, body.watched(send))
        except _BodyRefused as fault:
            if not body.started:
                await self._dressed(scope["path"], fault.reply())(scope, receive, send)

    def _misdirected(self, headers: Headers) -> Response | None:
        host = host_name(headers.get("host", ""))
        if not is_loopback_name(host) and host not in self._hosts:
            return problem(421, f"this server is not called {host!r}", hint="name it in `server.hosts`")
        origin = headers.get("origin")
        if origin is not None and origin_host(origin) != headers.get("host", "").casefold():
            return problem(403, "another site's page may not use this server", hint="open this server's own pages")
        if headers.get("sec-fetch-site") in {"cross-site", "same-site"} and headers.get("sec-fetch-mode") != "navigate":
            return problem(403, "another site's page may not use this server", hint="open this server's own pages")
        return None

    def _known(self, path: str, headers: Headers) -> tuple[Caller | None, Response | None]:
        text = _token_of(headers)
        if text:
            try:
                token = self._tokens.find(text)
            except AskwellError as error:
                return None, told(error)
            if token is not None:
                return Caller(name=token.name, open_only=token.open_only), None
            if path not in OPEN_PATHS and not path.startswith("/static/"):
                return None, problem(401, "this token is not known", hint="`askwell serve --tokens` lists their names")
        if path in OPEN_PATHS or path.startswith("/static/"):
            return Caller(name="anyone", open_only=True), None
        if self._loopback and is_loopback_name(host_name(headers.get("host", ""))):
            return OWNER, None
        return None, problem(
            401, "a token is needed here", hint="send `Authorization: Bearer …`; `askwell serve --add-token` makes one"
        )

    def _excessive(self, caller: Caller, headers: Headers) -> Response | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18:
            return problem(400, "`Content-Length` is no number")
        if int(length) > self._limits.body:
            return _too_large(self._limits.body).reply()
        wait = self._budgets.take(caller.name)
        if wait:
            return problem(
                429,
                f"more than {self._limits.per_minute} requests a minute",
                hint=f"try again in {wait} s",
                headers={"Retry-After": str(wait)},
            )
        return None


class Budgets:
    """A token bucket a caller: `per_minute` at once, refilled evenly."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> int:
        """Take one; return 0, or the seconds after which there is one again."""
        if not self._most:
            return 0
        now = self._clock()
        left, then = self._left.get(name, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / 60)
        granted = left >= 1
        self._left[name] = (left - granted, now)
        return 0 if granted else max(1, math.ceil((1 - left) * 60 / self._most))


class _BodyRefused(Exception):
    def __init__(self, status: int, detail: str, hint: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.hint = hint

    def reply(self) -> Response:
        return problem(self.status, self.detail, hint=self.hint)


def _too_large(most: int) -> _BodyRefused:
    return _BodyRefused(413, f"the body has more than {most} bytes", "send less, or raise `server.max_body`")


class _Body:
    """Passes on a request's body as long as it is neither too long nor too slow."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.started = False
        self._receive = receive
        self._left = most
        self._most = most
        self._whole = False

    async def receive(self) -> Message:
        if self._whole:  # from here on, what arrives is only that the client has gone
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), BODY_SECONDS)
        except TimeoutError:
            raise _BodyRefused(408, "the body did not arrive in time", "send it again") from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _too_large(self._most)
        self._whole = not message.get("more_body", False)
        return message

    def watched(self, send: Send) -> Send:
        async def watch(message: Message) -> None:
            self.started = True
            await send(message)

        return watch


def _secured(send: Send) -> Send:
    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return secured


def _token_of(headers: Headers) -> str:
    scheme, _, text = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and text.strip():
        return text.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def host_name(host: str) -> str:
    """Return the name in a `Host` header, without port and brackets, in lower case; empty if it is malformed."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def origin_host(origin: str) -> str:
    """Return host and port of an `Origin` header in lower case; empty for `null` and what is malformed."""
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:
        return ""


def is_loopback_name(host: str) -> bool:
    """Whether a name can only mean this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
