"""Templates → pages. Whatever is put into one is escaped, unless `sanitised` has made it."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from starlette.requests import Request

FOLDER = Path(__file__).parent

QUOTE = 320
"""Characters of a quotation that stand beside an answer; the whole is one click away."""

_ENVIRONMENTS: list[Environment] = []


def environment() -> Environment:
    """Return the templates, compiled once."""
    if not _ENVIRONMENTS:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        made = Environment(
            loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, auto_reload=False
        )
        made.filters |= {"span": span, "shorten": shorten, "when": when, "grouped": grouped}
        _ENVIRONMENTS.append(made)
    return _ENVIRONMENTS[0]


def fragment(template: str, context: Mapping[str, object]) -> str:
    """Return a template filled in."""
    return environment().get_template(template).render(context)


def page(request: Request, template: str, *, status: int = 200, **context: object) -> HTMLResponse:
    """Return a whole page, with the way back to the start as `root`."""
    html = fragment(template, {"root": root_of(request.url.path), "nav": True, "status": status, **context})
    return HTMLResponse(html, status_code=status)


def root_of(path: str) -> str:
    """Return the relative way from a path of ours to the start page: it also holds behind a proxy's own prefix."""
    return "../" * max(0, path.count("/") - 1)


def span(lines: tuple[int, int]) -> str:
    """Return a range of lines as it is read."""
    first, last = lines
    return f"line {first}" if first == last else f"lines {first}–{last}"


def shorten(text: str) -> str:
    """Return a quotation on one line, cut where it becomes long."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTE else line[: QUOTE - 1].rstrip() + "…"


def when(iso: str) -> str:
    """Return a moment as a person reads it, in this machine's time; as it is if it is none."""
    try:
        moment = datetime.datetime.fromisoformat(iso)
    except ValueError:
        return iso or "never"
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def grouped(number: float) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,.0f}".replace(",", "\u202f")
