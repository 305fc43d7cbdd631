"""The few marks that a chart is made of, as SVG text. No script, no font file, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INK = "#1f2933"
FAINT = "#d5dae1"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Told apart by readers with any colour vision. Source: Okabe and Ito, "Color Universal Design", 2008."""


def drawing(width: int, height: int, *, title: str, description: str, body: Sequence[str]) -> str:
    """Return a whole file: white ground, the title on top, a description for who cannot see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
            f'<title id="title">{_text(title)}</title>',
            f'<desc id="desc">{_text(description)}</desc>',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            text(16, 24, title, size=15, weight="600"),
            *body,
            "</svg>",
            "",
        ]
    )


def text(
    x: float, y: float, content: str, *, anchor: str = "start", size: int = 12, weight: str = "400", turn: bool = False
) -> str:
    """Return text with its base line at `y`; `turn` writes it upwards."""
    turned = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}"{turned}>'
        f"{_text(content)}</text>"
    )


def rect(x: float, y: float, width: float, height: float, *, fill: str, tip: str = "") -> str:
    """Return a filled box; `tip` is shown by a reader's pointer."""
    inside = f"<title>{_text(tip)}</title>" if tip else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}">{inside}</rect>'


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = FAINT, dashed: bool = False) -> str:
    """Return a straight line."""
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"{dash}/>'


def path(points: Sequence[tuple[float, float]], *, stroke: str) -> str:
    """Return a line through the points."""
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{listed}" fill="none" stroke="{stroke}" stroke-width="2"/>'


def dot(x: float, y: float, *, fill: str, tip: str = "") -> str:
    """Return a point with a white rim."""
    inside = f"<title>{_text(tip)}</title>" if tip else ""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="#ffffff" stroke-width="1.5">{inside}</circle>'
    )


def _text(content: str) -> str:
    """Return text that XML may hold: escaped, without control characters."""
    return escape("".join(char if char.isprintable() else " " for char in content))
