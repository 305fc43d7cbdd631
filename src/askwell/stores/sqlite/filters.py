"""A filter as SQL: conditions that stand inside every query, before its limit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from askwell.globs import literal_start
from askwell.stores.conditions import clean, day, section_key, tag_key
from askwell.stores.sqlite.rows import CLASS_CODES
from askwell.types import Filter, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

Values: TypeAlias = dict[str, str | int | float]

OPEN_ONLY = frozenset({PrivacyClass.OPEN})


def class_codes(visible: Filter) -> str:
    """Return the codes of the visible classes, comma-separated; empty if nothing is visible."""
    return ", ".join(sorted(str(CLASS_CODES[class_]) for class_ in visible.classes))


def boilerplate_mark(visible: Filter) -> int:
    """Return from which mark on a text is boilerplate to an audience: 2 is counted over open documents alone."""
    return 2 if visible.classes == OPEN_ONLY else 1


def chunk_conditions(visible: Filter, *, chunk: str = "c", few: bool = False) -> tuple[str, Values]:
    """Return what a row of `chunk` must satisfy, and the values bound in it.

    Args:
        visible: The filter.
        chunk: What the statement calls the row.
        few: Whether a handful of rows is looked at: their documents are judged one by one, else all at once first.
    """
    conditions, values = _shared(visible, chunk)
    if visible.sections:
        condition, more = section_condition(visible, chunk=chunk)
        conditions.append(condition)
        values |= more
    described, more = described_conditions(visible, document="fd")
    if described:
        one = f"EXISTS (SELECT 1 FROM document fd WHERE fd.id = {chunk}.document AND {described})"
        all_ = f"{chunk}.document IN (SELECT fd.id FROM document fd WHERE {described})"
        conditions.append(one if few else all_)
        values |= more
    return " AND ".join(conditions), values


def document_conditions(visible: Filter, *, document: str = "d") -> tuple[str, Values]:
    """Return what a row of `document` must satisfy, and the values bound in it.

    A section admits the documents that have it.
    """
    conditions, values = _shared(visible, document)
    if visible.sections:
        condition, more = section_condition(visible, chunk="fc")
        conditions.append(f"EXISTS (SELECT 1 FROM chunk fc WHERE fc.document = {document}.id AND {condition})")
        values |= more
    described, more = described_conditions(visible, document=document)
    if described:
        conditions.append(described)
        values |= more
    return " AND ".join(conditions), values


def section_condition(visible: Filter, *, chunk: str = "c") -> tuple[str, Values]:
    """Return the condition on sections."""
    names = _listed(section_key(section) for section in visible.sections)
    return f"{chunk}.section_key IN (SELECT value FROM json_each(:sections))", {"sections": names}


def described_conditions(visible: Filter, *, document: str) -> tuple[str, Values]:
    """Return the conditions on path, tags and date that a filter has, empty if none."""
    conditions: list[str] = []
    values: Values = {}
    first, last = day(visible.after), day(visible.before)
    if first or last:
        conditions.append(f"{document}.day <> ''")
    if first:
        conditions.append(f"{document}.day >= substr(:first_day, 1, length({document}.day))")
        values["first_day"] = first
    if last:
        conditions.append(f"substr({document}.day, 1, length(:last_day)) <= :last_day")
        values["last_day"] = last
    if visible.tags:
        conditions.append(
            f"{document}.id IN (SELECT ft.document FROM document_tag ft JOIN json_each(:tags) w"
            " ON ft.tag = w.value OR substr(ft.tag, 1, length(w.value) + 1) = w.value || '/')"
        )
        values["tags"] = _listed(tag_key(tag) for tag in visible.tags)
    if visible.paths:  # last: it is the one that is worked out in Python
        condition, more = _path_condition(visible.paths, document=document)
        conditions.append(condition)
        values |= more
    return " AND ".join(conditions), values


def _path_condition(globs: Collection[str], *, document: str) -> tuple[str, Values]:
    """Return the condition on a path: any of the globs admits it.

    A call of Python for each of a hundred thousand documents takes a tenth of a second. So it is made only for those
    that begin as a glob does, and for none where the glob is a folder with everything below.
    """
    whole, values = [], Values()
    for number, glob in enumerate(sorted(globs)):
        start = literal_start(glob)
        begins = f"substr({document}.path, 1, length(:path{number})) = :path{number}"
        if start:
            values[f"path{number}"] = clean(start)
        match start, glob in (f"{start}**", f"/{start}**", start, f"/{start}"):
            case "", _:
                whole.append(f"path_admitted({document}.path, :glob{number})")
            case _, True if start.endswith("/"):
                whole.append(begins)
                continue
            case _:
                whole.append(f"({begins} AND path_admitted({document}.path, :glob{number}))")
        values[f"glob{number}"] = _listed([glob])
    return f"({' OR '.join(whole)})", values


def _shared(visible: Filter, alias: str) -> tuple[list[str], Values]:
    """Return the conditions on columns that documents and chunks both have."""
    conditions = [f"{alias}.class IN ({class_codes(visible)})"]
    values: Values = {}
    if visible.sources:
        conditions.append(
            f"{alias}.source IN (SELECT id FROM source WHERE name IN (SELECT value FROM json_each(:sources)))"
        )
        values["sources"] = _listed(visible.sources)
    if visible.kinds:
        conditions.append(f"{alias}.kind IN (SELECT value FROM json_each(:kinds))")
        values["kinds"] = _listed(kind.value for kind in visible.kinds)
    return conditions, values


def _listed(values: Iterable[str]) -> str:
    return clean(json.dumps(list(values), ensure_ascii=False))
