"""How the answer to a counting or listing question is said: the number, then one line an item."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.listing.query import (
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
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.listing.query import Criterion, ListingQuery, What

_NOUNS: dict[str, dict[What, tuple[str, str]]] = {
    "en": {
        "document": ("document", "documents"),
        "file": ("file", "files"),
        "page": ("page", "pages"),
        "note": ("note", "notes"),
        "script": ("script", "scripts"),
        "readme": ("README", "READMEs"),
        "manual": ("manual", "manuals"),
        "template": ("template", "templates"),
        "setting": ("setting", "settings"),
        "tag": ("tag", "tags"),
    },
    "de": {
        "document": ("Dokument", "Dokumente"),
        "file": ("Datei", "Dateien"),
        "page": ("Seite", "Seiten"),
        "note": ("Notiz", "Notizen"),
        "script": ("Skript", "Skripte"),
        "readme": ("README", "READMEs"),
        "manual": ("Handbuch", "Handbücher"),
        "template": ("Vorlage", "Vorlagen"),
        "setting": ("Einstellung", "Einstellungen"),
        "tag": ("Tag", "Tags"),
    },
    "sv": {
        "document": ("dokument", "dokument"),
        "file": ("fil", "filer"),
        "page": ("sida", "sidor"),
        "note": ("anteckning", "anteckningar"),
        "script": ("skript", "skript"),
        "template": ("mall", "mallar"),
        "tag": ("tagg", "taggar"),
    },
    "tr": {
        "document": ("belge", "belge"),
        "file": ("dosya", "dosya"),
        "note": ("not", "not"),
        "script": ("betik", "betik"),
    },
}
# What a criterion is called in front of its value, where a language has no sentence for it.
_LABELS: dict[str, dict[str, str]] = {
    "de": {
        "Tagged": "Tag",
        "Untagged": "ohne Tag",
        "Mentions": "erwähnt genau",
        "Takes": "kennt",
        "Defines": "definiert",
        "InFolder": "im Ordner",
        "FromSource": "aus der Quelle",
        "Titled": "im Titel",
        "PointsTo": "verweist auf",
        "PointedFrom": "verlinkt in",
        "DefinedIn": "in",
        "created": "erstellt",
        "updated": "geändert",
        "dated": "datiert",
        "personal": "persönlich",
        "open": "offen",
    },
    "sv": {
        "Tagged": "tagg",
        "Untagged": "utan tagg",
        "Mentions": "nämner exakt",
        "Takes": "tar",
        "InFolder": "i mappen",
        "Titled": "i titeln",
        "PointsTo": "länkar till",
        "created": "skapad",
        "updated": "ändrad",
        "personal": "personlig",
        "open": "öppen",
    },
    "tr": {"Tagged": "etiket", "Mentions": "geçen söz", "Takes": "seçenek", "InFolder": "klasör"},
}
_NONE = {
    "de": "Keine {noun}{how} in den indexierten Dokumenten.",
    "sv": "Inga {noun}{how} bland de indexerade dokumenten.",
    "tr": "Dizine eklenen belgeler arasında böyle bir {noun} yok{how}.",
}
_RUN = re.compile("`+")


def heading(query: ListingQuery, count: int) -> str:
    """Return the first line: the number, what was counted, and by which criteria. Zero ends in a full stop."""
    if query.what in ("failed", "skipped"):
        return _faults(query.what, count)
    if query.language != "en":
        return _labelled(query, count)
    noun = _english_noun(query, count)
    criteria = [one for one in query.criteria if not isinstance(one, OfClass)]
    said = " and ".join(_predicate(one, many=count > 1) for one in criteria)
    if query.what == "tag":
        said = f"{'are' if count > 1 else 'is'} in use" + (f" in documents that {_many(criteria)}" if criteria else "")
    if not said:
        said = "are indexed" if count > 1 else "is indexed"
    if count:
        return f"{count} {noun} {said}:"
    if said == "is indexed":
        return f"No {noun} is indexed."
    return f"Among the indexed documents, no {noun} {said}."


def line(title: str, path: str, marker: int) -> str:
    """Return one document with its marker; a title that is only the file's name is left out."""
    shown = " ".join(title.split())
    if shown in ("", path.rpartition("/")[2]):
        return f"- {code(path)} [{marker}]"
    plain = re.sub(r"([\\`\[\]【】*<])", r"\\\1", shown)
    return f"- {plain}: {code(path)} [{marker}]"


def name_line(name: str, marker: int) -> str:
    """Return one setting or tag with its marker."""
    return f"- {code(name)} [{marker}]"


def fault_line(path: str, reason: str) -> str:
    """Return one file that is not in the index, with the reason."""
    return f"- {code(path)}: {code(reason)}"


def code(text: str) -> str:
    """Return text as inline code, whatever is in it: nothing of it can pass for a marker."""
    shown = re.sub(r"\s+", " ", text).strip()
    fence = "`" * (1 + max((len(run) for run in _RUN.findall(shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _faults(what: What, count: int) -> str:
    said = "could not be indexed" if what == "failed" else "left out of the index"
    if what == "failed":
        return f"{count} {'files' if count > 1 else 'file'} {said}:" if count else "Every file could be indexed."
    be = "were" if count > 1 else "was"
    return f"{count} {'files' if count > 1 else 'file'} {be} {said}:" if count else f"No file was {said}."


def _english_noun(query: ListingQuery, count: int) -> str:
    one, many = _NOUNS["en"][query.what]
    classes = [one_.class_.value for one_ in query.criteria if isinstance(one_, OfClass)]
    return " ".join([*classes, *([query.form.name] if query.form else []), many if count > 1 else one])


def _many(criteria: Sequence[Criterion]) -> str:
    return " and ".join(_predicate(one, many=True) for one in criteria)


def _predicate(criterion: Criterion, *, many: bool) -> str:  # noqa: C901 - one case a criterion
    """Return what a criterion says of one document, or of many."""
    be, have, s = ("are", "have", "") if many else ("is", "has", "s")
    match criterion:
        case Tagged(tag=tag):
            return f"{be} tagged {code(tag)}"
        case Untagged():
            return f"{have} no tag"
        case Mentions(text=text):
            exactly = "" if criterion.sure else " in these very words" if " " in text else " as that very word"
            return f"mention{s} {code(text)}{exactly}"
        case Takes(flag=flag):
            return f"take{s} {code(flag)}"
        case Defines(name=name):
            return f"define{s} {code(name)}"
        case InFolder(folder=folder):
            return f"{be} in the folder {code(folder)}"
        case FromSource(name=name):
            return f"{be} in the source {code(name)}"
        case Titled(text=text, of=of):
            return f"{have} {code(text)} in the {of}"
        case PointsTo(name=name, by=by):
            return f"{by}{s} {'to ' if by == 'link' else ''}{code(name)}"
        case PointedFrom(name=name):
            return f"{be} linked from {code(name)}"
        case DefinedIn(name=name):
            return f"{be} defined in {code(name)}"
        case Dated(field=field):
            said = "dated" if field == "dated" else f"{'were' if many else 'was'} {field}"
            return f"{f'{be} ' if field == 'dated' else ''}{said} {_english_period(criterion)}"
        case OfClass(class_=class_):
            return f"{be} {class_.value}"


def _english_period(criterion: Dated) -> str:
    first, last = criterion.first, criterion.last
    if not first:
        return f"up to {last}"
    if not last:
        return f"from {first} on"
    if (first[5:], last[5:]) == ("01-01", "12-31") and first[:4] == last[:4]:
        return f"in {first[:4]}"
    return f"on {first}" if first == last else f"from {first} to {last}"


def _labelled(query: ListingQuery, count: int) -> str:
    """Return the heading of a language that names criteria in brackets."""
    one, many = _NOUNS[query.language].get(query.what) or _NOUNS["en"][query.what]
    noun = f"{query.form.name}-{many}" if query.form and query.language == "de" else many
    if query.form and query.language != "de":
        noun = f"{query.form.name} {many}"
    labels = _LABELS[query.language]
    said = "; ".join(_labelled_criterion(criterion, labels) for criterion in query.criteria)
    how = f" ({said})" if said else ""
    if not count:
        return _NONE[query.language].format(noun=noun, how=how)
    return f"{count} {one if count == 1 and not query.form else noun}{how}:"


def _labelled_criterion(criterion: Criterion, labels: dict[str, str]) -> str:
    kind = type(criterion).__name__
    match criterion:
        case OfClass(class_=PrivacyClass() as class_):
            return labels.get(class_.value, class_.value)
        case Untagged():
            return labels.get(kind, kind)
        case Dated(field=field, first=first, last=last):
            return f"{labels.get(field, field)}: {first}–{last}"
        case Titled(text=value) | Mentions(text=value) | Tagged(tag=value) | Takes(flag=value):
            return f"{labels.get(kind, kind)} {code(value)}"
        case InFolder(folder=value):
            return f"{labels.get(kind, kind)} {code(value)}"
        case PointsTo(name=value) | PointedFrom(name=value) | DefinedIn(name=value) | Defines(name=value):
            return f"{labels.get(kind, kind)} {code(value)}"
        case FromSource(name=value):
            return f"{labels.get(kind, kind)} {code(value)}"
