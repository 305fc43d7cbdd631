"""Decides what a document's class is and what a request may see. Fails closed, pure, and nowhere else.

path patterns + frontmatter flag ──class_of──▶ class of a document
what was asked + where it goes   ──audience──▶ Audience ──Filter.classes──▶ every read of the index
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.globs import matches
from askwell.ids import fingerprint
from askwell.types import Audience, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from askwell.ids import DocumentId
    from askwell.ports import IndexedState

OPEN_ONLY = frozenset({PrivacyClass.OPEN})
EVERYTHING = frozenset(PrivacyClass)

RULES_NOTE = "privacy.rules"
"""The store's note of the rules that its classes were given by."""

_OPEN_FLAGS = frozenset({"open", "public"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRules:
    """What makes a document personal, before its own flag is asked.

    Attributes:
        personal: Globs over identity paths; any match makes a document personal.
        sensitivity_key: The frontmatter key that overrules the patterns.
    """

    personal: tuple[str, ...] = ()
    sensitivity_key: str = "sensitivity"

    @property
    def key(self) -> str:
        """What an index notes, to see later whether its classes were given by these rules."""
        return fingerprint("classes", self.sensitivity_key, *self.personal)


def stale_classes(states: Iterable[IndexedState], *, rules: ClassRules) -> tuple[DocumentId, ...]:
    """Return the documents that an index holds as open and that `rules` make personal."""
    return tuple(
        state.id
        for state in states
        if state.class_ is PrivacyClass.OPEN
        and class_of(state.path, sensitivity=state.sensitivity, fault=state.sensitivity_fault, rules=rules)
        is PrivacyClass.PERSONAL
    )


def class_of(path: str, *, sensitivity: str | None, fault: bool, rules: ClassRules) -> PrivacyClass:
    """Return a document's class: its flag wins over the patterns, and anything unclear is personal.

    Args:
        path: The identity path.
        sensitivity: The flag as written in the frontmatter; None if there is none.
        fault: The frontmatter cannot be read, or the flag is duplicated or not a word.
        rules: Patterns in force now.
    """
    if fault:
        return PrivacyClass.PERSONAL
    if sensitivity is not None:
        return PrivacyClass.OPEN if sensitivity.strip().casefold() in _OPEN_FLAGS else PrivacyClass.PERSONAL
    return class_of_path(path, rules=rules)


def class_of_path(path: str, *, rules: ClassRules) -> PrivacyClass:
    """Return the class that the patterns alone give, for a file that was not read."""
    hit = any(matches(path, pattern) for pattern in rules.personal)
    return PrivacyClass.PERSONAL if hit else PrivacyClass.OPEN


def idle_patterns(rules: ClassRules, paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the personal patterns that match none of `paths`, each with a path it nearly matches.

    A near match differs in case only; it is empty where there is none. A mistyped pattern protects nothing,
    so every run says so.
    """
    known = tuple(paths)
    idle: list[tuple[str, str]] = []
    for pattern in rules.personal:
        if any(matches(path, pattern) for path in known):
            continue
        near = next((path for path in known if matches(path, pattern, ignore_case=True)), "")
        idle.append((pattern, near))
    return tuple(idle)


def audience(
    *,
    include_personal: bool,
    allow_web: bool = False,
    destination: Literal["local", "cloud"] = "local",
    allow_cloud: bool = False,
) -> Audience:
    """Fix what a request may see, before anything is retrieved for it.

    Args:
        include_personal: Whether the asker may and wants to see personal documents.
        allow_web: Whether the request may search the web: then it sees open documents only.
        destination: Where the request's passages will be sent; "local" where no model is called.
        allow_cloud: The user's `privacy.allow_cloud`.
    """
    if not include_personal:
        return Audience(classes=OPEN_ONLY, allow_web=allow_web)
    if allow_web:
        return Audience(
            classes=OPEN_ONLY, allow_web=True, narrowed="personal notes are left out because the web is allowed"
        )
    if destination == "cloud" and not allow_cloud:
        return Audience(
            classes=OPEN_ONLY,
            narrowed="personal notes are left out because the model is not local (`privacy.allow_cloud` is off)",
        )
    return Audience(classes=EVERYTHING, allow_web=False)
