"""The only way from rendered text to a page: a short list of elements and attributes, and nothing that runs or loads.

The Markdown renderer lets no HTML of a note through. This stands behind it, so that a mistake there shows nothing.
"""

from __future__ import annotations

import nh3
from markupsafe import Markup

_BLOCKS = "p div h1 h2 h3 h4 h5 h6 blockquote pre ul ol li hr br table thead tbody tr th td details summary"
_INLINE = "a span strong em s code sup sub mark"

TAGS = frozenset(f"{_BLOCKS} {_INLINE}".split())

ATTRIBUTES = {
    "*": {"class", "id", "dir", "title"},
    "a": {"href", "rel", "aria-label", "data-n"},
    "span": {"data-s", "data-m"},
    "pre": {"tabindex", "role", "aria-label"},
    "div": {"tabindex", "role", "aria-label"},
    "ol": {"start"},
    "th": {"scope"},
}

SCHEMES = frozenset({"http", "https", "mailto"})
"""Of addresses that a link may have; relative ones are ours."""


def sanitised(html: str) -> Markup:
    """Return `html` with everything removed that is not on the lists; safe in a page."""
    cleaned = nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(),  # the text of what is not allowed stays, as text
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        url_schemes=set(SCHEMES),
        link_rel=None,  # the renderer sets it, on links that lead elsewhere
        strip_comments=True,
    )
    return Markup(cleaned)  # noqa: S704 - cleaned in the line above
