"""Addresses of the pages' own documents, and how a link to somewhere else is written."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from askwell.types import Lines

_MOST_OF_ADDRESS = 60
"""Characters of an address that are shown; its host is always among them."""


def document_href(source: str, path: str, *, lines: Lines | None = None, at: str = "", raw: bool = False) -> str:
    """Return the viewer's relative address of a document, at cited lines or at an anchor."""
    query = {"source": source, "path": path}
    if raw:
        query["raw"] = "1"
    if lines is not None:
        query["lines"] = f"{lines.first}-{lines.last}"
    if at:
        query["at"] = at
    return f"view?{urlencode(query)}{'#at' if lines is not None or at else ''}"


def host_of(address: str) -> str:
    """Return where an address leads, in plain ASCII so that no letter passes for another; empty if nowhere."""
    try:
        host = urlsplit(address.strip()).hostname or ""
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return ""


def is_foreign(address: str) -> bool:
    """Whether an address leads away from these pages in a way that a person may follow: http, https, mailto."""
    scheme, colon, _ = address.strip().partition(":")
    return bool(colon) and scheme.casefold() in ("http", "https", "mailto")


def shown_address(address: str) -> str:
    """Return what is written beside a link to elsewhere: the host first, then as much of the rest as is useful."""
    if address.strip().casefold().startswith("mailto:"):
        return address.strip()[7:][:_MOST_OF_ADDRESS]
    host = host_of(address)
    parts = urlsplit(address.strip()) if host else None
    rest = f"{parts.path}{'?' + parts.query if parts.query else ''}" if parts is not None else ""
    whole = host + (rest if rest != "/" else "")
    return whole if len(whole) <= max(_MOST_OF_ADDRESS, len(host)) else whole[: max(_MOST_OF_ADDRESS, len(host))] + "…"


def foreign_open(address: str, *, css: str = "away") -> str:
    """Return the opening of a link that leads elsewhere: it tells that place nothing of where it was followed."""
    return f'<a class="{css}" href="{escape(address)}" rel="noopener noreferrer nofollow" title="{escape(address)}">'
