"""`askwell.ports.web.WebSearch` over a search service and the pages that it finds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import httpx

from askwell.errors import ModelUnavailable
from askwell.ports.leaving import told
from askwell.ports.web import WebPage
from askwell.web.addresses import Refused
from askwell.web.fetching import AGENT, Fetcher
from askwell.web.readable import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ports import Leaving
    from askwell.web.providers import Found, Provider

RESULTS = 3
QUERY = 400
"""Characters of a question that are sent: services take no more."""

SECONDS = 8.0
LARGEST = 1_000_000

_AGAIN = frozenset({429, 500, 502, 503, 504})


class HttpWebSearch:
    """Asks one service, once more if it is busy, and reads the first pages it names."""

    def __init__(
        self,
        provider: Provider,
        *,
        url: str = "",
        key: str = "",
        results: int = RESULTS,
        fetcher: Fetcher | None = None,
        leaving: Leaving | None = None,
        today: Callable[[], str],
        sleep: Callable[[float], None] = time.sleep,
        seconds: float = SECONDS,
    ) -> None:
        """Contact nothing yet.

        Args:
            provider: The service.
            url: Its address, if not its own.
            key: Its key; appears nowhere but in requests.
            results: Pages that are read.
            fetcher: Reads them.
            leaving: Told of each request to another machine.
            today: The date, ISO.
            sleep: Waits before the second attempt.
            seconds: Of silence after which the service counts as gone.
        """
        self._provider = provider
        self._url = (url or provider.url).rstrip("/")
        self._key = key
        self._results = results
        self._fetcher = fetcher or Fetcher(leaving=leaving)
        self._leaving = leaving
        self._today = today
        self._sleep = sleep
        self._seconds = seconds

    def find(self, query: str) -> Sequence[WebPage]:
        """Return the pages; see `askwell.ports.web.WebSearch`."""
        pages: list[WebPage] = []
        for found in self._found(" ".join(query.split())[:QUERY])[: self._results]:
            try:
                page = self._fetcher.fetch(found.url)
            except Refused:
                continue
            title, sections = readable(page.text, html="html" in page.type)
            if sections:
                pages.append(
                    WebPage(url=page.url, title=title or found.title, sections=sections, fetched=self._today())
                )
        return pages

    def _found(self, query: str) -> list[Found]:
        for attempt in (1, 2):
            reply = self._asked(query)
            if reply.status_code in _AGAIN and attempt == 1:
                self._sleep(1.0)
                continue
            break
        name = self._provider.name
        match reply.status_code:
            case 200:
                pass
            case 401 | 403 if not self._provider.key_env:
                raise ModelUnavailable(f"{name} refuses", hint="a SearXNG must list `json` in its `search.formats`")
            case 401 | 403:
                raise ModelUnavailable(f"{name} refuses the key", hint=f"check {self._provider.key_env}")
            case 429:
                raise ModelUnavailable(f"{name} takes no more questions for now", hint="ask again later")
            case status:
                raise ModelUnavailable(f"{name} answers {status}", hint="check `web.provider` and `web.url`")
        try:
            return self._provider.read(reply.text)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelUnavailable(
                f"{name} answers something else than results", hint="it may take this for a robot; ask again later"
            ) from error

    def _asked(self, query: str) -> httpx.Response:
        asked = self._provider.ask(query, self._key, self._results)
        hooks = [told(self._leaving, "web search")] if self._leaving is not None else []
        try:
            with (
                httpx.Client(timeout=self._seconds, trust_env=False, event_hooks={"request": hooks}) as client,
                client.stream(
                    asked.method,
                    self._url + asked.path,
                    params=asked.params,
                    json=asked.json,
                    data=asked.form,
                    headers={"User-Agent": AGENT, "Accept-Encoding": "identity", **(asked.headers or {})},
                ) as reply,
            ):
                body, until = b"", time.monotonic() + self._seconds
                for piece in reply.iter_bytes():
                    body += piece
                    if len(body) > LARGEST or time.monotonic() > until:
                        break
                return httpx.Response(
                    reply.status_code, content=body, headers={"content-type": "text/plain; charset=utf-8"}
                )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnavailable(
                f"{self._provider.name} cannot be reached", hint="check the connection, or ask without `--web`"
            ) from error
