"""A document's neighbours as a drawing: what points here on the left, what it points at on the right."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from markupsafe import Markup

from askwell.server.pages.links import document_href

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.surroundings import Neighbour, Surroundings

MOST = 9
"""Neighbours that are drawn on each side; all of them stand in the lists beside the drawing."""

_ROW, _TOP, _WIDTH, _BOX = 30, 18, 640, 190
_LETTERS = 24


def neighbours_svg(around: Surroundings) -> Markup:
    """Return the drawing as SVG, each neighbour a link; empty where there is none."""
    towards = _distinct([n for n in around.neighbours if not n.outgoing])
    away = _distinct([n for n in around.neighbours if n.outgoing])
    if not towards and not away:
        return Markup("")
    rows = max(len(towards[:MOST]), len(away[:MOST]), 1) + (len(towards) > MOST or len(away) > MOST)
    height = 2 * _TOP + rows * _ROW
    middle = height / 2
    body = [
        *_side(towards, left=True, middle=middle),
        *_side(away, left=False, middle=middle),
        f'<circle class="self" cx="{_WIDTH / 2}" cy="{middle:.1f}" r="9"/>',
    ]
    told = f"{len(towards)} documents point here, it points at {len(away)}"
    return Markup(  # noqa: S704 - put together here, what comes from documents escaped
        f'<svg class="graph" viewBox="0 0 {_WIDTH} {height}" role="group" aria-label="{told}">{"".join(body)}</svg>'
    )


def _side(found: Sequence[Neighbour], *, left: bool, middle: float) -> list[str]:
    drawn = found[:MOST]
    more = len(found) - len(drawn)
    rows = len(drawn) + bool(more)
    body = []
    centre = _WIDTH / 2
    edge = _BOX if left else _WIDTH - _BOX
    for row, neighbour in enumerate(drawn):
        y = middle + (row - (rows - 1) / 2) * _ROW
        turn = (edge + centre) / 2
        info = neighbour.info
        body.append(
            f'<path class="edge {neighbour.kind.value}" d="M{centre:.1f} {middle:.1f} '
            f'C{turn:.1f} {middle:.1f} {turn:.1f} {y:.1f} {edge:.1f} {y:.1f}"/>'
        )
        x, anchor = (_BOX - 10, "end") if left else (_WIDTH - _BOX + 10, "start")
        body.append(
            f'<a href="{escape(document_href(info.source, info.path))}">'
            f"<title>{_plain(info.title)} ({_plain(info.path)}), {neighbour.kind.value}</title>"
            f'<circle class="dot {neighbour.kind.value}" cx="{edge}" cy="{y:.1f}" r="4"/>'
            f'<text x="{x}" y="{y + 4:.1f}" text-anchor="{anchor}">{_plain(_short(info.title or info.path))}</text></a>'
        )
    if more:
        y = middle + (rows - 1) / 2 * _ROW
        x, anchor = (_BOX - 10, "end") if left else (_WIDTH - _BOX + 10, "start")
        body.append(f'<text class="more" x="{x}" y="{y + 4:.1f}" text-anchor="{anchor}">and {more} more</text>')
    return body


def _distinct(found: Sequence[Neighbour]) -> list[Neighbour]:
    """Return one neighbour a document: two kinds of link between the same two are one line."""
    return list({neighbour.info.id: neighbour for neighbour in reversed(found)}.values())[::-1]


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def _plain(text: str) -> str:
    return escape("".join(char if char.isprintable() else " " for char in text))
