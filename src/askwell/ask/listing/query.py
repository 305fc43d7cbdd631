"""What a counting or listing question asks of the index: a set of documents by noun and criteria."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.types import PrivacyClass

Field: TypeAlias = Literal["created", "updated", "dated"]
Pointing: TypeAlias = Literal["link", "embed", "call"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """Has a tag, or one nested in it."""

    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Untagged:
    """Has no tag at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Holds exactly these words, case aside, or this identifier as a whole."""

    text: str
    sure: bool = True  # quoted, or an identifier; False for plain words of the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """Declares or handles a command-line flag, instead of only naming it."""

    flag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Defines:
    """Sets a setting."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InFolder:
    """Lies in a folder, at any depth; a source's name is a folder too."""

    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FromSource:
    """Is of a source."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """Has words in its title or in its file's name."""

    text: str
    of: Literal["title", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsTo:
    """Links to a document, embeds it or calls it."""

    name: str
    by: Pointing = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointedFrom:
    """Is what a document links to."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Has a date of its own in a period; both ends belong to it, and are empty where it is open."""

    field: Field
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfClass:
    """Is of a privacy class."""

    class_: PrivacyClass


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedIn:
    """Of settings: stands in a file."""

    name: str


Criterion: TypeAlias = (
    Tagged
    | Untagged
    | Mentions
    | Takes
    | Defines
    | InFolder
    | FromSource
    | Titled
    | PointsTo
    | PointedFrom
    | Dated
    | OfClass
    | DefinedIn
)

What: TypeAlias = Literal[
    "document", "file", "page", "note", "script", "readme", "manual", "template", "setting", "tag", "failed", "skipped"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How files of a language or format are told: by extension, else by the interpreter of their first line."""

    name: str
    extensions: frozenset[str]
    interpreters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingQuery:
    """What the index is asked."""

    rule: str  # which rule took the question: language and form, `en:count`
    language: str
    what: What
    form: Form | None = None
    criteria: tuple[Criterion, ...] = ()

    @property
    def described(self) -> str:
        """The query as `--explain` shows it."""
        noun = f"{self.form.name} {self.what}" if self.form else self.what
        return " ".join([noun, *(f"· {_shown(one)}" for one in self.criteria)])


def _shown(criterion: Criterion) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(criterion).__name__).lower()
    values = [str(getattr(criterion, field)) for field in criterion.__slots__ if field != "sure"]
    return " ".join([name, *(repr(value) for value in values if value)])


_FORMS = (
    Form(name="YAML", extensions=frozenset({"yaml", "yml"})),
    Form(name="JSON", extensions=frozenset({"json", "jsonc", "json5"})),
    Form(name="JSON Lines", extensions=frozenset({"jsonl", "ndjson"})),
    Form(name="Markdown", extensions=frozenset({"md", "markdown"})),
    Form(name="TOML", extensions=frozenset({"toml"})),
    Form(name="INI", extensions=frozenset({"ini"})),
    Form(name="reStructuredText", extensions=frozenset({"rst"})),
    Form(name="SQL", extensions=frozenset({"sql"})),
    Form(name="AWK", extensions=frozenset({"awk"}), interpreters=frozenset({"awk", "gawk", "mawk"})),
    Form(name="PHP", extensions=frozenset({"php"}), interpreters=frozenset({"php"})),
    Form(name="Perl", extensions=frozenset({"pl", "pm"}), interpreters=frozenset({"perl"})),
    Form(name="PowerShell", extensions=frozenset({"ps1", "psm1"}), interpreters=frozenset({"pwsh"})),
    Form(
        name="Python", extensions=frozenset({"py", "pyw", "pyi"}), interpreters=frozenset({"python", "python3", "uv"})
    ),
    Form(
        name="shell",
        extensions=frozenset({"sh", "bash", "zsh", "ksh", "fish"}),
        interpreters=frozenset({"sh", "bash", "zsh", "ksh", "dash", "ash", "fish"}),
    ),
    Form(name="Bash", extensions=frozenset({"bash"}), interpreters=frozenset({"bash"})),
)
FORMS: Mapping[str, Form] = {form.name.lower(): form for form in _FORMS} | {
    "rst": _FORMS[6],
    "ps1": _FORMS[11],
    "yml": _FORMS[0],
}
"""Formats and languages by the word for them, lower case."""
