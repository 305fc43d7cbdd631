"""Settings → who searches the web. Nothing is contacted before a question allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.ports import Leaving, WebPage, WebSearch
    from askwell.settings import Config


def make_web(config: Config, *, environ: Mapping[str, str], leaving: Leaving | None = None) -> WebSearch | None:
    """Return the search service that is set, None where none is.

    Raises:
        ConfigError: it needs an address or a key that is not there.
    """
    if config.web.provider == "none":
        return None
    from askwell.web.providers import provider_named
    from askwell.web.searching import HttpWebSearch

    provider = provider_named(config.web.provider, url=config.web.url, environ=environ)
    return HttpWebSearch(
        provider,
        url=config.web.url,
        key=environ.get(provider.key_env, "") if provider.key_env else "",
        results=config.web.results,
        leaving=leaving,
        today=_today,
    )


def web_later(config: Config, *, environ: Mapping[str, str], leaving: Leaving | None = None) -> WebSearch | None:
    """Return the search service that is set, made when it is first asked: a missing key stops nobody who never asks."""
    if config.web.provider == "none":
        return None
    return _Later(lambda: make_web(config, environ=environ, leaving=leaving))


class _Later:
    def __init__(self, make: Callable[[], WebSearch | None]) -> None:
        self._make = make

    def find(self, query: str) -> Sequence[WebPage]:
        """Return the pages; see `askwell.ports.web.WebSearch`."""
        search = self._make()
        return search.find(query) if search is not None else ()


def _today() -> str:
    import datetime

    return datetime.datetime.now().astimezone().date().isoformat()
