"""One HTTP address that serves models: the connection, its key, time limits, retries, and what its failures mean."""

from __future__ import annotations

import json
import threading
import time
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from askwell.errors import ConfigError, ModelUnavailable
from askwell.models.refusals import error_in, no_model, refusal
from askwell.models.trust import trust_of
from askwell.ports.leaving import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import httpx

    from askwell.errors import AskwellError
    from askwell.ports import Leaving, Trust
    from askwell.types import Purpose

CONNECT_TIMEOUT = 5.0
"""Seconds to wait for a connection; a server that is up answers in far less, one that is down should not cost more."""

ATTEMPTS = 3
_DELAYS = (0.5, 1.0)  # seconds before the second and the third attempt
_LONGEST_DELAY = 5.0  # seconds; a server that asks for more is unavailable for this run
_AGAIN = frozenset({429, 500, 502, 503, 504})


class Endpoint:
    """An OpenAI-style base URL. The key is sent with requests and appears nowhere else."""

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        declared: Trust | None = None,
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
        reuse: bool = True,
        root: str = "/v1",
        purpose: Purpose = "generation",
        leaving: Leaving | None = None,
    ) -> None:
        """Take a base URL (`http://host:port/v1`; `root` is added to a bare host) or `unix:///path/of.sock`.

        Args:
            url: Where it is.
            key: Sent as a bearer token if not empty.
            declared: The trust that the user declared, over what the address says.
            timeout: Seconds of silence after which a request is given up.
            sleep: Waits between attempts.
            reuse: Whether connections are kept for the next request.
            root: The path where the URL has none.
            purpose: What its requests are for.
            leaving: Told of each request that goes to another machine.

        Raises:
            ConfigError: the URL or the key cannot be used.
        """
        self._base, self._socket, self.label = _address(url, root=root)
        self.trust = trust_of(url, declared=declared)
        if not (key.isascii() and key.isprintable()):
            raise ConfigError(f"the key for {self.label} holds characters that no key has", hint="set it again")
        self._key = key.strip()
        self._timeout = timeout
        self._sleep = sleep
        self._reuse = reuse
        self._hooks = [told(leaving, purpose)] if leaving is not None else []
        self._lock = threading.Lock()
        self._made: httpx.Client | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.label!r})"

    def post(self, path: str, body: Mapping[str, object], *, sent: Sequence[str], attempts: int = ATTEMPTS) -> object:
        """Return the JSON reply.

        Args:
            path: Below the base URL.
            body: JSON of the request.
            sent: The texts in it, which no message may repeat.
            attempts: How often at most, while the server is busy or does not answer.

        Raises:
            ModelUnavailable, ModelRefused, InputTooLong: see `refusals.refusal`.
        """
        for attempt in range(attempts):
            last = attempt + 1 == attempts
            try:
                return self._post(path, body, sent=sent)
            except _Busy as busy:
                delay = max(busy.after, _DELAYS[min(attempt, len(_DELAYS) - 1)])
                if last or delay > _LONGEST_DELAY:
                    raise busy.error from None
            self._sleep(delay)
        raise ValueError("at least one attempt is needed")

    @contextmanager
    def stream(
        self,
        path: str,
        body: Mapping[str, object],
        *,
        sent: Sequence[str],
        connected: Callable[[object], None],
    ) -> Iterator[httpx.Response]:
        """Open one request and yield its successful response, whose body is not read yet.

        Args:
            path: Below the base URL.
            body: JSON of the request.
            sent: The texts in it.
            connected: Called with the socket as soon as there is one, so that another thread can shut it down.

        Raises:
            ModelUnavailable, ModelRefused: as for `post`; httpx's own errors while the body is read are wrapped too.
        """
        import httpx

        def trace(event: str, info: Mapping[str, object]) -> None:
            if event in ("connection.connect_tcp.complete", "connection.connect_unix_socket.complete"):
                connected(info["return_value"])

        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        try:
            with self._client().stream(
                "POST", path, json=body, headers=headers, extensions={"trace": trace}
            ) as response:
                if response.status_code != 200:
                    response.read()
                    raise refusal(response.status_code, response.text, by=self.label, sent=sent, key=self._key)
                yield response
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise translated(error, by=self.label) from error

    def close(self) -> None:
        """Close idle connections. Idempotent; the next request opens new ones."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None

    def refusal(self, error: str, *, sent: Sequence[str]) -> AskwellError:
        """Return the error for a JSON error inside a reply whose status was 200."""
        return refusal(200, error, by=self.label, sent=sent, key=self._key)

    def _post(self, path: str, body: Mapping[str, object], *, sent: Sequence[str]) -> object:
        import httpx

        try:
            response = self._client().post(path, json=body)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            fault = translated(error, by=self.label)
            if isinstance(error, (httpx.ConnectError, httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)):
                raise _Busy(fault, after=0.0) from error
            raise fault from error
        if response.status_code != 200:
            fault = refusal(response.status_code, response.text, by=self.label, sent=sent, key=self._key)
            if response.status_code in _AGAIN and isinstance(fault, ModelUnavailable):
                raise _Busy(fault, after=_seconds(response.headers.get("retry-after", "")))
            raise fault
        try:
            reply: object = json.loads(response.content)
        except (ValueError, RecursionError) as error:
            raise no_model(self.label) from error
        if (fault_text := error_in(reply)) is not None:
            raise self.refusal(fault_text, sent=sent)
        return reply

    def _client(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._made is None:
                limits = httpx.Limits(max_keepalive_connections=None if self._reuse else 0)
                secure = self._base.startswith("https:")
                # Making a TLS context costs more than a local request. An own transport also leaves out the proxies
                # of the environment: what is for this machine or network must not pass through one.
                transport = (
                    httpx.HTTPTransport(verify=secure, limits=limits, uds=self._socket or None)
                    if self.trust == "local"
                    else None
                )
                self._made = httpx.Client(
                    base_url=self._base,
                    transport=transport,
                    limits=limits,
                    verify=secure,
                    headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
                    timeout=httpx.Timeout(self._timeout, connect=min(self._timeout, CONNECT_TIMEOUT)),
                    event_hooks={"request": list(self._hooks)},
                )
                weakref.finalize(self, self._made.close)
            return self._made


class _Busy(Exception):
    """A failure that another attempt may mend."""

    def __init__(self, error: AskwellError, *, after: float) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after


def translated(error: Exception, *, by: str) -> AskwellError:
    """Return our error for one of httpx's."""
    import httpx

    match error:
        case httpx.ConnectTimeout() | httpx.ConnectError():
            return ModelUnavailable(f"no connection to {by}", hint="start the model server, or check the URL")
        case httpx.TimeoutException():
            return ModelUnavailable(f"{by} did not answer in time", hint="try again, or raise `models.timeout`")
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError() | httpx.InvalidURL():
            return ConfigError(f"the address {by} cannot be used", hint="set it to `http://` or `https://` and a host")
        case httpx.DecodingError() | httpx.TooManyRedirects():
            return no_model(by)
        case _:
            return ModelUnavailable(f"{by} broke off", hint="try again, or look at the server's log")


def _address(url: str, *, root: str) -> tuple[str, str, str]:
    """Return (base URL with a final slash, socket path or empty, name for messages: no user, password or query)."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise ConfigError("a model's URL cannot be read", hint="write `http://HOST:PORT/v1`") from error
    if parts.scheme == "unix" and parts.path:
        return f"http://localhost{root}/", parts.path, f"unix://{parts.path}"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError("a model's URL needs `http://` or `https://` and a host", hint="write `http://HOST:PORT/v1`")
    if parts.username or parts.password:
        raise ConfigError(
            "a model's URL holds a user or a password", hint="put the key into the environment variable for it"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    origin = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
    path = parts.path.rstrip("/") or root
    return f"{origin}{path}/", "", origin


def _seconds(value: str) -> float:
    """Return the seconds of a `Retry-After` header; dates and nonsense count as none."""
    return float(value) if value.isascii() and value.isdigit() else 0.0
