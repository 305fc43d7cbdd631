"""Which documents, settings or tags belong to the set that a question asks for, and the lines that show it.

documents that the request may see ─▶ by noun ─▶ by tags, folders, dates, links ─▶ by their whole text ─▶ items
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askwell.ask.listing import (
    Dated,
    DefinedIn,
    Defines,
    FromSource,
    InFolder,
    Mentions,
    OfClass,
    PointedFrom,
    PointsTo,
    Tagged,
    Takes,
    Titled,
    Untagged,
)
from askwell.ask.listing.evidence import Needle, assigned, opening, quote, takes
from askwell.types import EdgeKind, Filter, Kind, Lines, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from askwell.ask.listing import Criterion, Form, ListingQuery
    from askwell.ids import DocumentId
    from askwell.ports import DocumentInfo, Store

_PROSE = frozenset({"markdown", "text", "rst"})
_PROGRAMS = frozenset({"script", "python"})
_TEMPLATES = frozenset({"template", "example", "sample", "dist", "j2", "jinja", "jinja2"})
_POINTING: Mapping[str, tuple[EdgeKind, ...]] = {
    "link": (EdgeKind.LINK, EdgeKind.EMBED),
    "embed": (EdgeKind.EMBED,),
    "call": (EdgeKind.CALL,),
}
_HEAD = 8_000  # characters in which a note's dates stand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Lines that show that a document belongs to a set."""

    lines: Lines
    near: int = 0
    by: DocumentId | None = None  # the document they stand in, if another


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What is listed, and where it stands."""

    label: str
    info: DocumentInfo
    at: DocumentInfo
    lines: Lines
    quote: str


def members(query: ListingQuery, *, store: Store, visible: Filter) -> list[Item] | None:
    """Return what belongs to the set that a query asks for, by source and path, complete.

    Args:
        query: What is asked for; not about files that failed.
        store: The index.
        visible: What may be seen; every read takes it, and its other conditions narrow the set.

    Returns:
        None where something that the query names (a folder, a document) does not exist for this audience.
    """
    return _Reading(query, store=store, visible=visible).items()


class _Reading:
    """One query over the index. `items` is None where something that it names does not exist."""

    def __init__(self, query: ListingQuery, *, store: Store, visible: Filter) -> None:
        self._query = query
        self._store = store
        self._visible = visible
        # What a question names is looked up in all that the audience sees, whatever else the request asks for.
        self._wide = Filter(classes=visible.classes, sources=visible.sources)
        self._places: dict[DocumentId, _Place] = {}
        self._every: Sequence[DocumentInfo] | None = None
        self._known_vaults: frozenset[str] | None = None

    def items(self) -> list[Item] | None:
        """Return what belongs to the set, by source and path."""
        admitted = self._store.documents(visible=self._visible)
        if self._visible == self._wide:
            self._every = admitted
        infos: list[DocumentInfo] | None = [info for info in admitted if self._is_meant(info)]
        for criterion in self._query.criteria:
            infos = None if infos is None else self._by(criterion, infos)
        if infos is None:
            return None
        if self._query.what == "setting":
            return self._settings(infos)
        if self._query.what == "tag":
            return self._tags(infos)
        return self._read(infos)

    def _is_meant(self, info: DocumentInfo) -> bool:
        """Say whether the noun means a document."""
        match self._query.what:
            case "page":
                return info.format in _PROSE
            case "note":
                vaults = self._vaults()
                return info.format in _PROSE and (not vaults or info.source in vaults)
            case "script":
                return info.format in _PROGRAMS and info.kind is not Kind.TEMPLATE
            case "readme":
                return info.kind is Kind.README
            case "manual":
                return info.kind is Kind.MANUAL
            case "template":
                return info.kind is Kind.TEMPLATE and _extension(info.path) in _TEMPLATES
            case _:
                return True

    def _vaults(self) -> frozenset[str]:
        if self._known_vaults is None:
            kinds = (SourceType.VAULT, SourceType.LIVESYNC)
            sources = self._store.sources(visible=self._wide)
            self._known_vaults = frozenset(one.name for one in sources if one.type in kinds)
        return self._known_vaults

    def _by(self, criterion: Criterion, infos: list[DocumentInfo]) -> list[DocumentInfo] | None:
        """Return the documents that meet a criterion that the index knows of; one of the text admits them all."""
        match criterion:
            case Tagged(tag=tag):
                ids = {d.id for d in self._store.documents(visible=replace(self._wide, tags=frozenset({tag})))}
                return [info for info in infos if info.id in ids]
            case Untagged():
                return [info for info in infos if not info.metadata.tags]
            case InFolder(folder=folder):
                return self._in_folder(folder, infos)
            case FromSource(name=name):
                return self._of_source(name, infos)
            case Titled(text=text, of=of):
                needle = _folded(text)
                return [i for i in infos if needle in _folded(i.title if of == "title" else i.path.rpartition("/")[2])]
            case Dated():
                return [info for info in infos if (day := _day(info, criterion)) and _within(day, criterion)]
            case PointsTo(name=name, by=by):
                return self._pointing(name, _POINTING[by], infos)
            case PointedFrom(name=name):
                return self._pointed(name, infos)
            case OfClass(class_=class_):
                return [info for info in infos if info.class_ is class_]
            case DefinedIn(name=name):
                named = self._named(name)
                return [info for info in infos if info.id in named] if named else None
            case Mentions() | Takes() | Defines():
                return infos

    # -- what the index knows

    def _all(self) -> Sequence[DocumentInfo]:
        if self._every is None:
            self._every = self._store.documents(visible=self._wide)
        return self._every

    def _in_folder(self, folder: str, infos: list[DocumentInfo]) -> list[DocumentInfo] | None:
        inner = f"/{_folded(folder)}/"
        if not any(inner in _folder(info) for info in self._all()):
            return self._of_source(folder, infos)
        return [info for info in infos if inner in _folder(info)]

    def _of_source(self, name: str, infos: list[DocumentInfo]) -> list[DocumentInfo] | None:
        wanted = _folded(name)
        if not any(_folded(info.source) == wanted for info in self._all()):
            return None
        return [info for info in infos if _folded(info.source) == wanted]

    def _named(self, name: str) -> frozenset[DocumentId]:
        """Return the documents that are called so: by path, else by file name, by title, by alias."""
        wanted = _folded(name.partition("#")[0]).strip("/ ") or _folded(name)
        tiers: tuple[Callable[[DocumentInfo], Iterable[str]], ...] = (
            lambda info: (info.path, _stem(info.path)),
            lambda info: (info.path.rpartition("/")[2], _stem(info.path.rpartition("/")[2])),
            lambda info: (info.title,),
            lambda info: info.metadata.aliases,
        )
        for tier in tiers:
            found = frozenset(info.id for info in self._all() if wanted in map(_folded, tier(info)))
            if not found and "/" in wanted:
                found = frozenset(i.id for i in self._all() if any(_folded(t).endswith(f"/{wanted}") for t in tier(i)))
            if found:
                return found
        return frozenset()

    def _pointing(self, name: str, kinds: Collection[EdgeKind], infos: list[DocumentInfo]) -> list[DocumentInfo] | None:
        targets = self._named(name)
        if not targets:
            return None
        at: dict[DocumentId, int] = {}
        for known in self._store.edges_to(targets, visible=self._wide, kinds=kinds):
            if known.origin != known.target:
                at[known.origin] = min(known.edge.line, at.get(known.origin, known.edge.line))
        for id, number in at.items():
            self._places.setdefault(id, _Place(lines=Lines(number, number)))
        return [info for info in infos if info.id in at]

    def _pointed(self, name: str, infos: list[DocumentInfo]) -> list[DocumentInfo] | None:
        origins = self._named(name)
        if not origins:
            return None
        at: dict[DocumentId, _Place] = {}
        for known in self._store.edges_from(origins, visible=self._wide):
            if known.target is not None and known.edge.kind in _POINTING["link"] and known.target not in origins:
                number = known.edge.line
                at.setdefault(known.target, _Place(lines=Lines(number, number), by=known.origin))
        self._places = at | self._places
        return [info for info in infos if info.id in at]

    # -- what the texts say

    def _read(self, infos: list[DocumentInfo]) -> list[Item]:
        """Return the documents whose texts meet the rest of the query, each with the lines to cite."""
        self._find_tags(infos)
        form = self._query.form
        if form is not None:
            infos = [info for info in infos if _may_be(form, info)]
        by_id = {info.id: info for info in infos}
        found: dict[DocumentId, Item] = {}
        others: dict[DocumentId, list[DocumentId]] = {}
        tests = [one for one in self._query.criteria if isinstance(one, (Mentions, Takes, Defines))]
        needles = {one: Needle(_wanted(one)) for one in tests}
        for id, text in self._store.texts(list(by_id), visible=self._visible):
            info = by_id[id]
            if form is not None and not _is_of(form, info, text):
                continue
            places = [self._place(one, needles[one], info, text) for one in tests]
            if None in places:
                continue
            place = next(filter(None, places), None) or self._places.get(id) or self._default(info, text)
            if place.by is not None:
                others.setdefault(place.by, []).append(id)
                continue
            found[id] = _item(info.title, info, info, place, text)
        for other, text in self._store.texts(list(others), visible=self._wide):
            at = next(info for info in self._all() if info.id == other)
            for id in others[other]:
                found[id] = _item(by_id[id].title, by_id[id], at, self._places[id], text)
        return [found[info.id] for info in infos if info.id in found]

    def _place(self, criterion: Criterion, needle: Needle, info: DocumentInfo, text: str) -> _Place | None:
        """Return the first lines that meet a criterion of the text, None if there are none."""
        if isinstance(criterion, Defines):
            if next(needle.lines(text), None) is None:
                return None
            document = self._store.document_by_id(info.id, visible=self._visible)
            names = {_folded(name): name for name in document.defines} if document is not None else {}
            name = names.get(_folded(criterion.name))
            return None if name is None else _at(assigned(text, name))
        lines = takes(text, criterion.flag, path=info.path) if isinstance(criterion, Takes) else needle.lines(text)
        admitted = next(self._in_sections(info.id, lines), None)
        if admitted is None:
            return None
        return _Place(lines=admitted, near=needle.within(_line(text, admitted.first)))

    def _in_sections(self, id: DocumentId, lines: Iterator[Lines]) -> Iterator[Lines]:
        """Yield the lines that stand in the sections of the request, all of them if it names none."""
        if not self._visible.sections:
            yield from lines
            return
        chunks = self._store.document_chunks(id, visible=self._visible)
        for one in lines:
            if any(chunk.lines.first <= one.first <= chunk.lines.last for chunk in chunks):
                yield one

    def _find_tags(self, infos: list[DocumentInfo]) -> None:
        wanted = [_folded(one.tag) for one in self._query.criteria if isinstance(one, Tagged)]
        if not wanted:
            return
        for known in self._store.edges_from([info.id for info in infos], visible=self._wide):
            if known.edge.kind is EdgeKind.TAG and known.origin not in self._places:
                tag = _folded(known.edge.target.lstrip("#"))
                if tag == wanted[0] or tag.startswith(f"{wanted[0]}/"):
                    self._places[known.origin] = _at(known.edge.line)

    def _default(self, info: DocumentInfo, text: str) -> _Place:
        """Return the line with the date that was asked for, else the title's."""
        for criterion in self._query.criteria:
            if isinstance(criterion, Dated):
                at = text[:_HEAD].find(_day(info, criterion))
                if at >= 0:
                    return _at(text.count("\n", 0, at) + 1)
        return _at(opening(text, info.title if info.format in _PROSE else ""))

    def _settings(self, infos: list[DocumentInfo]) -> list[Item] | None:
        """Return the settings of files, in their order; None if none of them has any."""
        items: list[Item] = []
        for info in infos:
            document = self._store.document_by_id(info.id, visible=self._visible)
            if document is not None:
                text = document.text
                items += (_item(name, info, info, _at(assigned(text, name)), text) for name in document.defines)
        return items or None

    def _tags(self, infos: list[DocumentInfo]) -> list[Item]:
        """Return every tag once, as it is first spelt, by name."""
        first: dict[str, tuple[str, DocumentInfo]] = {}
        for info in infos:
            for tag in info.metadata.tags:
                first.setdefault(_folded(tag), (tag, info))
        holders = {info.id: info for _, info in first.values()}
        lines = {
            (known.origin, _folded(known.edge.target.lstrip("#"))): known.edge.line
            for known in self._store.edges_from(list(holders), visible=self._wide)
            if known.edge.kind is EdgeKind.TAG
        }
        texts = dict(self._store.texts(list(holders), visible=self._visible))
        return [
            _item(tag, info, info, _at(lines.get((info.id, key), 1)), texts[info.id])
            for key, (tag, info) in sorted(first.items())
            if info.id in texts
        ]


def _item(label: str, info: DocumentInfo, at: DocumentInfo, place: _Place, text: str) -> Item:
    return Item(label=label, info=info, at=at, lines=place.lines, quote=quote(text, place.lines, near=place.near))


def _at(number: int) -> _Place:
    return _Place(lines=Lines(number, number))


def _line(text: str, number: int) -> str:
    return text.split("\n", number)[number - 1]


def _wanted(criterion: Mentions | Takes | Defines) -> str:
    match criterion:
        case Mentions(text=text):
            return text
        case Takes(flag=flag):
            return flag
        case Defines(name=name):
            return name


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()


def _folder(info: DocumentInfo) -> str:
    return f"/{_folded(info.path.rpartition('/')[0])}/"


def _extension(path: str) -> str:
    stem, dot, extension = path.rpartition("/")[2].lower().rpartition(".")
    return extension if dot and stem else ""


def _stem(name: str) -> str:
    folder, slash, last = name.rpartition("/")
    return f"{folder}{slash}{last.rpartition('.')[0] or last}"


def _may_be(form: Form, info: DocumentInfo) -> bool:
    extension = _extension(info.path)
    return extension in form.extensions or bool(form.interpreters and not extension and info.format in _PROGRAMS)


def _is_of(form: Form, info: DocumentInfo, text: str) -> bool:
    if _extension(info.path) in form.extensions:
        return True
    first = text.partition("\n")[0][:200]
    return first.startswith("#!") and not form.interpreters.isdisjoint(first[2:].replace("/", " ").split())


def _day(info: DocumentInfo, criterion: Dated) -> str:
    """Return the day of a document that a criterion is about, empty if it has none."""
    match criterion.field:
        case "created":
            return info.metadata.created[:10]
        case "updated":
            return info.metadata.updated[:10]
        case _:
            return (info.metadata.updated or info.metadata.created)[:10]


def _within(day: str, criterion: Dated) -> bool:
    return (not criterion.first or day >= criterion.first) and (not criterion.last or day <= criterion.last)
