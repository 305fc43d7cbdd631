"""Closed vocabularies that are stored and shown, and places in a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of document: decides boosts and `--kind`, not how it is parsed."""

    HEADER = "header"
    README = "readme"
    MANUAL = "manual"
    TEMPLATE = "template"
    DOC = "doc"
    NOTE = "note"
    UI = "ui"
    CODE = "code"
    DATA = "data"


class PrivacyClass(StrEnum):
    """Who may see a document. The word is *class* everywhere a person reads it."""

    OPEN = "open"
    PERSONAL = "personal"


class Arm(StrEnum):
    """One retriever; or, of the last two, one that only compares what the others found."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    GRAPH = "graph"
    WORDS = "words"
    RERANK = "rerank"


class SourceType(StrEnum):
    """How a source is listed and read."""

    GIT = "git"
    FOLDER = "folder"
    VAULT = "vault"
    LIVESYNC = "livesync"


class Profile(StrEnum):
    """Under which contract a question is answered, and from which inputs; `askwell.ask.profiles` says what each is."""

    DOCS = "docs"
    CHAT = "chat"
    CODE = "code"
    TROUBLESHOOT = "troubleshoot"


class CodeMode(StrEnum):
    """How much of a program file is indexed."""

    HEADERS = "headers"
    DOCSTRINGS = "docstrings"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character range ``[start, end)`` into ``Document.text``."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span needs 0 <= start <= end, got {self.start}..{self.end}")

    def slice(self, text: str) -> str:
        """Return the characters of `text` this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Lines:
    """Inclusive range of line numbers, 1-based, of the file on disk."""

    first: int
    last: int
