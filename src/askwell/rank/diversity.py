"""Keep one document, one text or one page in four languages from filling the ranking.

twins      translations of one page count as one document; the question's language is shown
same text  one text at several places is one hit that lists them all
cap        at most N chunks a document (or group of twins)
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askwell.rank.language import language_folder, language_of
from askwell.types import Kind, Location, Removed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.types import Hit

ALSO_AT = 20
"""Most places listed for one hit: a footer may stand in thousands of documents."""

NEAR_DUPLICATE = 0.9
"""Share of words in common (Jaccard) from which two texts count as one."""

COMPARED = 16
"""Hits whose words are compared with each other; further down only equal texts are found."""

_FEWEST_WORDS = 12
"""Shorter texts are only compared whole: one word changes what they say."""

_PLAIN = re.compile(r"[^\w]*[^\W\d_]*[^\w]*\Z")

_TRANSLATED = frozenset({Kind.NOTE, Kind.DOC, Kind.README, Kind.MANUAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What tells whether two documents are translations of one page."""

    source: str
    path: str
    permalink: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The hits that stay, best first, and those that were removed with the step that did it."""

    hits: tuple[Hit, ...]
    removed: tuple[Removed, ...] = ()


def location(hit: Hit) -> Location:
    """Return where a hit stands."""
    return Location(source=hit.source, path=hit.path, lines=hit.chunk.lines)


def twins(pages: Mapping[DocumentId, Page]) -> Mapping[DocumentId, str]:
    """Return a group name for each document that has a translation among `pages`; others are left out.

    Two documents of one source are translations of one page when they carry the same permalink in
    differently named language folders, or when their paths differ in nothing but that folder.
    """
    groups: defaultdict[tuple[str, str, str], dict[str, DocumentId]] = defaultdict(dict)
    for id, page in pages.items():
        place = _language_part(page.path)
        if place is None or page.kind not in _TRANSLATED:
            continue
        position, code = place
        parts = page.path.split("/")
        parts[position] = "*"
        groups[page.source, "path", "/".join(parts)].setdefault(code, id)
        if page.permalink:
            groups[page.source, "permalink", page.permalink].setdefault(code, id)
    names: dict[DocumentId, str] = {}
    for (source, _, shared), members in groups.items():
        if len(members) > 1:
            name = next((names[id] for id in members.values() if id in names), f"{source}:{shared}")
            names.update(dict.fromkeys(members.values(), name))
    return names


def one_language(hits: Sequence[Hit], groups: Mapping[DocumentId, str], *, languages: Sequence[str]) -> Kept:
    """Keep one translation of each page and list the others with its best hit.

    Args:
        hits: Best first.
        groups: From `twins`.
        languages: Codes in order of preference (the question's, then the reader's). Where none of them is
            among a page's translations, the one that ranks first is kept.

    Returns:
        The kept translation's best hit takes the best score that any translation had, so that a page does
        not sink because its better match was in another language.
    """
    members: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        if (name := groups.get(hit.chunk.document_id)) is not None:
            members[name].append(hit)
    chosen = {name: _preferred(found, languages) for name, found in members.items()}
    kept: list[Hit] = []
    removed: list[Removed] = []
    seen: set[str] = set()
    for hit in hits:
        name = groups.get(hit.chunk.document_id)
        if name is None:
            kept.append(hit)
        elif hit.chunk.document_id != chosen[name]:
            removed.append(Removed(hit=hit, by="a translation of the same page is shown"))
        elif name in seen:
            kept.append(hit)
        else:
            seen.add(name)
            kept.append(_for_all(hit, members[name]))
    return Kept(hits=tuple(sorted(kept, key=lambda hit: -hit.score)), removed=tuple(removed))


def collapse(hits: Sequence[Hit], same: Mapping[ChunkId, Sequence[Location]]) -> Kept:
    """Keep one hit of each text and list on it where else the text stands.

    Args:
        hits: Best first.
        same: By chunk, the other visible places of the very same text; a chunk without any may be absent.

    Returns:
        The first of each text stays. Texts count as one when they are equal but for surrounding blanks, or
        share nine tenths of their words and differ in plain lower-case words only: a number, a name or a
        setting that differs is a different fact. Words are compared among the first 16 hits that are kept.
    """
    kept: list[Hit] = []
    words: list[frozenset[str]] = []
    texts: dict[str, int] = {}
    removed: list[Removed] = []
    for hit in hits:
        text = hit.chunk.text.strip()
        twin = texts.get(text)
        if twin is None and len(kept) < COMPARED:
            mine = frozenset(text.split())
            twin = _nearest(mine, words)
            if twin is None:
                words.append(mine)
        if twin is None:
            texts[text] = len(kept)
            kept.append(listed(hit, same.get(hit.chunk.id, ())))
        else:
            kept[twin] = listed(kept[twin], (*hit.also_at, location(hit)))
            removed.append(Removed(hit=hit, by=f"same text as {kept[twin].path}"))
    return Kept(hits=tuple(kept), removed=tuple(removed))


def cap_per_document(hits: Sequence[Hit], limit: int, *, groups: Mapping[DocumentId, str] | None = None) -> Kept:
    """Keep at most `limit` hits a document, the best ones; documents of one group count as one."""
    of = groups or {}
    counts: Counter[str] = Counter()
    kept: list[Hit] = []
    removed: list[Removed] = []
    for hit in hits:
        name = of.get(hit.chunk.document_id, hit.chunk.document_id)
        counts[name] += 1
        if counts[name] <= limit:
            kept.append(hit)
        else:
            removed.append(Removed(hit=hit, by=f"{limit} chunks of this document are already shown"))
    return Kept(hits=tuple(kept), removed=tuple(removed))


def listed(hit: Hit, places: Sequence[Location]) -> Hit:
    """Return the hit with `places` added to where else its text stands: once each, at most twenty, never its own."""
    if not places:
        return hit
    mine = location(hit)
    unique = dict.fromkeys(place for place in (*hit.also_at, *places) if place != mine)
    return replace(hit, also_at=tuple(unique)[:ALSO_AT])


def _language_part(path: str) -> tuple[int, str] | None:
    """Return position and code of the outermost folder that is named after a language."""
    for position, part in enumerate(path.split("/")[:-1]):
        if code := language_folder(part):
            return position, code
    return None


def _language(hit: Hit) -> str:
    place = _language_part(hit.path)
    return place[1] if place else language_of(hit.chunk.text)


def _preferred(hits: Sequence[Hit], languages: Sequence[str]) -> DocumentId:
    for code in languages:
        for hit in hits:
            if code and _language(hit) == code:
                return hit.chunk.document_id
    return hits[0].chunk.document_id


def _for_all(hit: Hit, group: Sequence[Hit]) -> Hit:
    best = group[0]
    if best.score > hit.score:
        hit = hit.moved(best.score, f"stands for its translation {best.path}")
    first_of: dict[DocumentId, Hit] = {}
    for other in group:
        if other.chunk.document_id != hit.chunk.document_id:
            first_of.setdefault(other.chunk.document_id, other)
    return listed(hit, tuple(location(other) for other in first_of.values()))


def _nearest(mine: frozenset[str], others: Sequence[frozenset[str]]) -> int | None:
    """Return the position of the first text that says the same in nearly the same words, None if there is none."""
    size = len(mine)
    if size < _FEWEST_WORDS:
        return None
    low, high = NEAR_DUPLICATE * size, size / NEAR_DUPLICATE
    return next((n for n, other in enumerate(others) if low <= len(other) <= high and _near(mine, other)), None)


def _near(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    if shared < NEAR_DUPLICATE * (len(one) + len(other) - shared):
        return False
    return all(_PLAIN.match(word) and word == word.lower() for word in one ^ other)
