"""Questions that the corpus does answer: made from headings, titles and settings of documents that may be seen.

They add no word of their own that a search would look for, so that asking one finds what it was made from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askwell.terms import content_words, forms, index_terms
from askwell.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.ports import DocumentInfo
    from askwell.types import Hit

SUGGESTIONS = 3
"""How many are offered at most."""

_SETTING = re.compile(r"^[ \t]*(?:export |- )?\$?([A-Z][A-Z0-9]*_[A-Z0-9_]{2,60})[ \t]*(?::|\+?=)", re.MULTILINE)
_LINK = re.compile(
    r"!?\[\[(?:[^\]|\n]{0,200}\|)?([^\]\n]{0,200})\]\]|!?\[([^\]\n]{0,200})\](?:\([^)\n]{0,300}\)|\[[^\]\n]{0,100}\])?"
)
_ATTRIBUTES = re.compile(r"\{[^}\n]{0,80}\}|<[^>\n]{0,200}>")
_SIGNS = re.compile(r"[*_`~#\"“”]+|^[\W\d_]+|[\s:.,;–—-]+$")
_LONE = re.compile(r"[A-Za-z][a-z]*")
_SAYS_NOTHING = """
    operational model design principles safeguards runtime modes synopsis arguments author copyright environment
    about overview introduction intro usage notes note example examples summary contents general misc other more
    readme index home links references resources todo changelog license credits related faq details description
    purpose configuration installation install setup options requirements prerequisites conclusion background
    getting started table untitled main
"""
_GENERIC = frozenset(_SAYS_NOTHING.split())
_VERBS = """
    add allow apply attach back build change check choose clean clear clone configure connect convert copy
    create define delete deploy disable download edit enable exclude export find fix format generate get host
    import include insert install link list load manage merge migrate mount move open override pin prevent print
    publish push recover redirect remove rename render reset resize restart restore rotate run schedule search
    secure select send set share show split start stop switch sync test troubleshoot turn undo uninstall update
    upgrade use verify view write
"""
_IMPERATIVE = frozenset(_VERBS.split())
_ADJECTIVES = frozenset(("open", "clean", "clear", "secure"))  # too: "Open plans" is no instruction


@dataclass(frozen=True, slots=True)
class _Idea:
    """A question with what it was made from."""

    question: str
    origin: str
    document: str
    near: float


def suggest(
    question: str, hits: Sequence[Hit], documents: Sequence[DocumentInfo] = (), *, limit: int = SUGGESTIONS
) -> tuple[str, ...]:
    """Return at most `limit` questions that the visible documents answer, nearest to `question` first.

    Args:
        question: What was asked and is not answered; never suggested again.
        hits: Nearest chunks, best first; visible ones only.
        documents: Visible documents to fall back on.
        limit: How many at most. Each is from another document, unless there are too few.
    """
    asked = {term for word in content_words(question) for term in forms(word)}
    own = _plain(question).casefold().rstrip("?")
    ideas = [idea for place, hit in enumerate(hits) for idea in _of_hit(hit, place, asked)]
    ideas += [
        idea
        for info in _introductory(documents)[: 4 * limit]
        for idea in _of_title(info.title, info.kind, info.path, 0.0)
    ]
    # Among words of another language ours are no stop words any more: then the heading alone is the question.
    ideas = [idea if _finds_itself(idea) else replace(idea, question=f"{idea.origin}?") for idea in ideas]
    usable = [idea for idea in ideas if idea.question.casefold().rstrip("?") != own and _finds_itself(idea)]
    usable.sort(key=lambda idea: -idea.near)
    chosen: list[_Idea] = []
    for several in (False, True):
        for idea in usable:
            taken = any(idea.question.casefold() == other.question.casefold() for other in chosen)
            crowded = any(idea.document == other.document for other in chosen)
            if len(chosen) < limit and not taken and (several or not crowded):
                chosen.append(idea)
    return tuple(idea.question for idea in chosen)


def _of_hit(hit: Hit, place: int, asked: set[str]) -> Iterator[_Idea]:
    """Yield what a hit's chunk can be asked for, with how near that is to what was asked."""
    document = str(hit.chunk.document_id)

    def near(text: str) -> float:
        return len(asked & set(index_terms(text))) - 0.1 * place

    for name in dict.fromkeys(_SETTING.findall(hit.chunk.text[:8000])):
        yield _Idea(f"What does {name} do?", name, document, near(name) + 0.1)
    for heading in reversed(hit.chunk.headings):
        plain = _plain(heading)
        if _LONE.fullmatch(plain):
            continue  # one common word stands in many places: asked for, it is refused
        if made := _from_heading(plain):
            yield _Idea(made, plain, document, near(plain))
    for idea in _of_title(hit.title, hit.chunk.kind, hit.path, near(hit.title) - 0.05):
        yield _Idea(idea.question, idea.origin, document, idea.near)


def _of_title(title: str, kind: Kind, path: str, near: float) -> Iterator[_Idea]:
    name = path.rpartition("/")[2]
    if kind in (Kind.HEADER, Kind.CODE) and re.fullmatch(r"[\w.+-]{3,60}", name):
        yield _Idea(f"What does {name} do?", name, path, near)
    elif made := _from_heading(_plain(title)):
        yield _Idea(made, title, path, near)


def _from_heading(heading: str) -> str:
    """Return a question that a section of that name answers; empty if its name says too little."""
    words = heading.split()
    if not 3 <= len(heading) <= 80 or all(word.casefold() in _GENERIC for word in words):
        return ""
    if heading.endswith("?"):
        return heading
    if not any(char.isalpha() for char in heading):
        return ""
    first = words[0].casefold()
    if first in _ADJECTIVES and len(words) == 2:
        return f"What is there about {heading}?"
    if first in _IMPERATIVE and len(words) > 1:
        return f"How do I {_lower_first(heading)}?"
    if first in ("how", "why", "what", "when", "where", "who", "which"):
        return f"{heading}?"
    return f"What is there about {heading}?"


def _lower_first(text: str) -> str:
    return text if text.split()[0].isupper() else text[0].lower() + text[1:]


def _plain(text: str) -> str:
    """Return a heading as a reader sees it: links by their text, no markup, on one line."""
    text = _LINK.sub(lambda m: m[1] or m[2] or "", text)
    return _SIGNS.sub("", " ".join(_ATTRIBUTES.sub("", text).split())).strip()


def _finds_itself(idea: _Idea) -> bool:
    """Say whether every word that a search would look for is one of the document's own."""
    own = set(index_terms(idea.origin))
    words = content_words(idea.question)
    return bool(words) and all(own & set(forms(word)) for word in words)


def _introductory(documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """Return documents with those that introduce others first, shallow paths before deep ones."""
    order = {Kind.README: 0, Kind.MANUAL: 1, Kind.DOC: 2, Kind.NOTE: 2, Kind.HEADER: 3}
    return sorted(documents, key=lambda info: (order.get(info.kind, 4), info.path.count("/"), info.path))
