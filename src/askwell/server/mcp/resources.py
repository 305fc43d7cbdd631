"""Documents as resources: their addresses, the list in pages, a document or some of its lines, completion of names.

    askwell://SOURCE/PATH            a document
    askwell://SOURCE/PATH?lines=A-B  its lines A to B

Source and path are percent-encoded, so that every name has one address. Whatever is listed, counted, completed or read
is what the reader may see: an address of anything else is an address of nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from askwell.errors import BadRequest
from askwell.server.mcp.tools import NOTICE, paged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.engine import Engine
    from askwell.ports import DocumentInfo
    from askwell.types import Audience

SCHEME = "askwell://"

TEMPLATE = SCHEME + "{source}/{+path}{?lines}"
"""RFC 6570; `lines` is `A-B`."""

PAGE = 100
"""Documents in one page of the list, and completions of one name."""

LONGEST_WHOLE = 400_000
"""Characters of a document that are returned at once; the rest is at the address that comes with them."""

_LONGEST_ADDRESS = 16_384
_LINES = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")
_MIME = {"markdown": "text/markdown", "json": "application/json", "yaml": "application/yaml", "python": "text/x-python"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is at an address."""

    uri: str
    mime: str
    text: str
    first: int
    last: int
    total: int
    following: str  # the address of what comes after it; empty at the end


def address(source: str, path: str) -> str:
    """Return a document's address."""
    return f"{SCHEME}{quote(source, safe='', errors='surrogatepass')}/{quote(path, errors='surrogatepass')}"


def mime_type(parsed_as: str) -> str:
    """Return the media type of a document's text by the format that it has."""
    return _MIME.get(parsed_as, "text/plain")


def page(engine: Engine, cursor: str | None, *, audience: Audience) -> tuple[Sequence[DocumentInfo], str | None]:
    """Return the documents that come after a cursor, by source and path, and the cursor of the next page.

    A cursor is the name of the document before it, so it stays right when documents come and go.

    Raises:
        BadRequest: the cursor is not one of ours.
    """
    after = _position(cursor) if cursor is not None else ("", "")
    left = [info for info in engine.documents(audience=audience) if (info.source, info.path) > after]
    shown = left[:PAGE]
    more = len(left) > PAGE
    return shown, _cursor(shown[-1]) if more else None


def read(engine: Engine, uri: str, *, audience: Audience) -> Excerpt | None:
    """Return what is at an address; None if it is nothing that may be seen.

    Raises:
        BadRequest: `lines` has another form than `A-B`.
    """
    source, path, lines = _parts(uri)
    document = engine.read(source, path, audience=audience) if source and path else None
    if document is None:
        return None
    first, last = _range(lines)
    part = paged(document.text, first=first, most=last - first + 1, longest=LONGEST_WHOLE)
    base = address(document.source, document.path)
    ends = min(last, part.total)
    return Excerpt(
        uri=uri,
        mime=mime_type(document.format),
        text=part.text,
        first=part.first,
        last=part.last,
        total=part.total,
        following=f"{base}?lines={part.last + 1}-{ends}" if part.first <= part.last < ends else "",
    )


def completions(engine: Engine, name: str, typed: str, *, source: str, audience: Audience) -> tuple[Sequence[str], int]:
    """Return at most `PAGE` visible values of a name that hold what was typed, and how many there are.

    Those that begin with it come first.

    Args:
        engine: The index.
        name: `source` or `path`; nothing is known of other names.
        typed: The value so far, compared without case.
        source: Only paths of this source; of every source if empty.
        audience: What may be seen.
    """
    infos = engine.documents(audience=audience)
    match name:
        case "source":
            values = {info.source for info in infos}
        case "path":
            values = {info.path for info in infos if source in ("", info.source)}
        case _:
            values = set()
    wanted = typed.casefold()
    fitting = [value for value in values if wanted in value.casefold()]
    fitting.sort(key=lambda value: (not value.casefold().startswith(wanted), value))
    return fitting[:PAGE], len(fitting)


def meta(excerpt: Excerpt) -> dict[str, object]:
    """Return what comes with an excerpt: which lines it is, where it goes on, how to take it."""
    said: dict[str, object] = {
        "askwell/notice": NOTICE,
        "askwell/lines": [excerpt.first, excerpt.last],
        "askwell/total_lines": excerpt.total,
    }
    return said | ({"askwell/next": excerpt.following} if excerpt.following else {})


def _parts(uri: str) -> tuple[str, str, str]:
    """Return source, path and the value of `lines`; empty ones where the address has none."""
    if len(uri) > _LONGEST_ADDRESS or not uri.startswith(SCHEME):
        return "", "", ""
    place, _, query = uri.removeprefix(SCHEME).partition("?")
    source, _, path = place.partition("/")
    lines = query.removeprefix("lines=") if query.startswith("lines=") else query
    return unquote(source), unquote(path), lines


def _range(lines: str) -> tuple[int, int]:
    if not lines:
        return 1, 10**9
    match = _LINES.fullmatch(lines)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise BadRequest(f"`{lines[:100]}` is no range of lines", hint="write `?lines=1-200`")
    return int(match[1]), int(match[2])


def _cursor(info: DocumentInfo) -> str:
    return base64.urlsafe_b64encode(json.dumps([info.source, info.path]).encode()).decode()


def _position(cursor: str) -> tuple[str, str]:
    try:
        source, path = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii", "replace")))
    except (binascii.Error, ValueError, TypeError, RecursionError) as error:
        raise BadRequest("this cursor is not one of this server's", hint="list from the beginning") from error
    if not (isinstance(source, str) and isinstance(path, str)):
        raise BadRequest("this cursor is not one of this server's", hint="list from the beginning")
    return source, path
