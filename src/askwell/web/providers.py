"""Search services and their own wire formats: what is asked, and where in the reply the addresses are.

searxng     GET  {url}/search?q=…&format=json              results[].{title, url}
tavily      POST {url}/search  {query, max_results}        results[].{title, url}         Authorization: Bearer KEY
brave       GET  {url}/res/v1/web/search?q=…&count=…       web.results[].{title, url}     X-Subscription-Token: KEY
duckduckgo  POST {url}/html/   q=…                         <a class="result__a" href=…>   no key
"""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from askwell.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Found:
    """An address that a service found, and what it calls the page."""

    url: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request to a service."""

    method: str
    path: str
    params: Mapping[str, str] | None = None
    json: Mapping[str, object] | None = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One service: where it is, which variable holds its key, how it is asked and read."""

    name: str
    url: str  # its own; empty where each person runs one
    key_env: str  # empty if it needs none
    ask: Callable[[str, str, int], Asked]  # query, key, results
    read: Callable[[str], list[Found]]  # raises ValueError, TypeError or KeyError for what is no reply of it


def _listed(value: Any) -> list[Found]:  # Any: JSON
    if not isinstance(value, list):
        raise ValueError("no list of results")
    return [
        Found(str(one["url"]), str(one.get("title") or ""))
        for one in value
        if isinstance(one, dict) and isinstance(one.get("url"), str)
    ]


def _json(text: str) -> Any:  # Any: JSON
    import json

    return json.loads(text)


class _Results(HTMLParser):
    """Reads the result list of a page; a page without one, such as a puzzle for robots, has none."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Found] = []
        self.said_nothing = False
        self._url = ""
        self._title: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if tag == "a" and "result__a" in classes and "/y.js" not in given.get("href", ""):  # that is an advertisement
            self._url = _unwrapped(given.get("href", ""))
        if "no-results" in classes or "result--no-result" in classes:
            self.said_nothing = True

    def handle_data(self, data: str) -> None:
        if self._url:
            self._title.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._url:
            self.found.append(Found(self._url, " ".join("".join(self._title).split())))
            self._url = ""
            self._title.clear()


def _unwrapped(href: str) -> str:
    """Return the address behind the service's own redirect."""
    parts = urlsplit(href if not href.startswith("//") else f"https:{href}")
    inner = parse_qs(parts.query).get("uddg", [""])[0] if parts.path.startswith("/l/") else ""
    return inner or parts.geturl()


def _html(text: str) -> list[Found]:
    reader = _Results()
    reader.feed(text)
    if not reader.found and not reader.said_nothing:
        raise ValueError("no result list")
    return reader.found


def _searxng(text: str) -> list[Found]:
    value = _json(text)
    found = _listed(value["results"])
    if not found and value.get("unresponsive_engines"):
        raise ValueError("its engines do not answer")
    return found


def _brave(text: str) -> list[Found]:
    value = _json(text)
    if value.get("type") != "search":
        raise ValueError("no search reply")
    return _listed(value.get("web", {}).get("results", []))


PROVIDERS: dict[str, Provider] = {
    one.name: one
    for one in (
        Provider(
            name="searxng",
            url="",
            key_env="",
            ask=lambda query, _key, _n: Asked(method="GET", path="/search", params={"q": query, "format": "json"}),
            read=_searxng,
        ),
        Provider(
            name="tavily",
            url="https://api.tavily.com",
            key_env="TAVILY_API_KEY",
            ask=lambda query, key, n: Asked(
                method="POST",
                path="/search",
                json={"query": query, "max_results": n, "search_depth": "basic"},
                headers={"Authorization": f"Bearer {key}"},
            ),
            read=lambda text: _listed(_json(text)["results"]),
        ),
        Provider(
            name="brave",
            url="https://api.search.brave.com",
            key_env="BRAVE_API_KEY",
            ask=lambda query, key, n: Asked(
                method="GET",
                path="/res/v1/web/search",
                params={"q": query[:400], "count": str(n)},
                headers={"X-Subscription-Token": key, "Accept": "application/json"},
            ),
            read=_brave,
        ),
        Provider(
            name="duckduckgo",
            url="https://html.duckduckgo.com",
            key_env="",
            ask=lambda query, _key, _n: Asked(method="POST", path="/html/", form={"q": query}),
            read=_html,
        ),
    )
}


def provider_named(name: str, *, url: str, environ: Mapping[str, str]) -> Provider:
    """Return a service that can be asked.

    Raises:
        ConfigError: it needs an address or a key that is not there.
    """
    provider = PROVIDERS[name]
    if not (url or provider.url):
        raise ConfigError(f"`web.provider` is {name!r}, and `web.url` is empty", hint="name the address of your server")
    if provider.key_env and not environ.get(provider.key_env):
        raise ConfigError(
            f"`web.provider` is {name!r}, and {provider.key_env} is not set",
            hint=f"put the key into the environment variable {provider.key_env}",
        )
    return provider
