"""Settings → who searches the web. Nothing is contacted before a question allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ports import Leaving, WebSearch
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


def _today() -> str:
    import datetime

    return datetime.datetime.now().astimezone().date().isoformat()
