"""Decides what sort of document a path is: the config's patterns first, then the name, the source, the format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.globs import matches
from askwell.types import Kind, SourceType

if TYPE_CHECKING:
    from collections.abc import Sequence

_README = re.compile(r"readme(?![a-z])")
_MANUAL = re.compile(r"(?:manual|user[-_ ]?guide|man)(?![a-z])")
_MAN_PAGE = re.compile(r"(?:.*/)?man/(?:[^/]+/)*[^/]+|.+\.[1-8](?:\.(?:md|rst|txt|adoc))?")
_UI_PANEL = re.compile(r"(?:.*/)?(?:pages/readme|webgui/help|ui/help)/[^/]+")
_TEMPLATE = re.compile(r".+\.(?:template|example|sample|dist|j2|jinja|jinja2)|env\.example")
_PROSE = frozenset({"markdown", "text", "rst"})
_BY_FORMAT = {
    "script": Kind.HEADER,
    "python": Kind.CODE,
    "template": Kind.TEMPLATE,
    "yaml": Kind.DATA,
    "json": Kind.DATA,
}


def kind_of(
    path: str,
    *,
    format: str,  # noqa: A002 - the word for it everywhere
    source_type: SourceType,
    patterns: Sequence[tuple[str, Kind]] = (),
) -> Kind:
    """Return the kind of the document at `path`. Case does not matter in the built-in rules.

    pattern of the config       → its kind, the first that matches
    a help panel's text         → ui
    README*                     → readme
    Manual*, man pages          → manual
    a vault's prose             → note
    *.template, *.example …     → template, whatever the format under it
    else by format              script → header, python → code, settings → template, yaml and json → data,
                                prose → doc

    A script is `header` also where its body is indexed: its header is what says what it is.
    """
    for pattern, kind in patterns:
        if matches(path, pattern):
            return kind
    lowered = path.lower()
    name = lowered.rsplit("/", 1)[-1]
    if format in _PROSE:
        if _UI_PANEL.fullmatch(lowered):
            return Kind.UI
        if _README.match(name):
            return Kind.README
        if _MANUAL.match(name) or _MAN_PAGE.fullmatch(lowered):
            return Kind.MANUAL
        if source_type in (SourceType.VAULT, SourceType.LIVESYNC):
            return Kind.NOTE
    if _TEMPLATE.fullmatch(name):
        return Kind.TEMPLATE
    return _BY_FORMAT.get(format, Kind.DOC)
