"""The query log: a question, who might read it, the evidence, how it went. One JSON line a turn, one log line too."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.records import fields
from askwell.types import PrivacyClass, Profile, TurnRecord, Usage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from askwell.records.journal import Journal
    from askwell.types import Ending

_LOG = logging.getLogger("askwell.turns")

_QUESTION = 200_000
_ENDINGS: tuple[Ending, ...] = ("answer", "abstention", "failed", "cancelled")
_SIGNALS = 20


class QueryLog:
    """Turns as JSON lines. What one reader may not see is left out before anything of it is looked at."""

    def __init__(self, journal: Journal, *, words: bool = True) -> None:
        """Take where to write, and whether the words of questions are kept."""
        self._journal = journal
        self._words = words

    def add(self, turn: TurnRecord) -> None:
        """Append a turn, and write it to the log `askwell.turns`.

        Raises:
            OSError: it could not be written; the log line was.
        """
        if not self._words:
            turn = replace(turn, question="")
        _LOG.info("%s", log_line(turn))
        self._journal.add(stored(turn))

    def read(self, *, classes: Collection[PrivacyClass]) -> Iterator[TurnRecord]:
        """Yield the turns that were allowed to see nothing beyond `classes`, oldest first; broken rows are left out.

        Raises:
            OSError: the log is there and cannot be read.
        """
        for row in self._journal.rows():
            if not fields.classes(row, "audience") <= frozenset(classes):
                continue
            try:
                yield loaded(row)
            except ValueError:
                continue


def stored(turn: TurnRecord) -> dict[str, object]:
    """Return a turn as a row."""
    return {
        "at": turn.at,
        "question": turn.question,
        "audience": sorted(item.value for item in turn.classes),
        "web": turn.web,
        "profile": turn.profile.value,
        "signals": {name: round(value, 4) for name, value in turn.signals.items()},
        "outcome": turn.ending,
        "reason": turn.reason,
        "sources": list(turn.sources),
        "corpus": list(turn.corpus),
        "model": turn.model,
        "prompt_tokens": turn.usage.prompt_tokens,
        "completion_tokens": turn.usage.completion_tokens,
        "tok_s": round(turn.tokens_per_second, 1),
        "latency_ms": round(turn.latency_ms, 1),
    }


def loaded(row: Mapping[str, object]) -> TurnRecord:
    """Return a row as a turn.

    Raises:
        ValueError: it is none; says which field.
    """
    ending = fields.word(row, "outcome", _ENDINGS)
    signals = row.get("signals", {})
    if not isinstance(signals, dict) or len(signals) > _SIGNALS:
        raise ValueError("`signals` is no table")
    return TurnRecord(
        at=fields.moment(row, "at"),
        question=fields.text(row, "question", most=_QUESTION),
        classes=fields.classes(row, "audience"),
        web=fields.flag(row, "web"),
        profile=fields.member(row, "profile", Profile),
        signals={str(name): fields.number(signals, name) for name in signals},
        ending=next(known for known in _ENDINGS if known == ending),
        reason=fields.text(row, "reason", most=_QUESTION, default=""),
        sources=fields.texts(row, "sources", most=1000, length=10_000),
        corpus=fields.texts(row, "corpus", most=1000, length=10_000),
        model=fields.text(row, "model", most=1000, default=""),
        usage=Usage(
            prompt_tokens=fields.count(row, "prompt_tokens"),
            completion_tokens=fields.count(row, "completion_tokens"),
        ),
        tokens_per_second=fields.number(row, "tok_s"),
        latency_ms=fields.number(row, "latency_ms"),
    )


def log_line(turn: TurnRecord) -> str:
    """Return a turn on one line of `key=value`, for a log that others than the asker may read.

    The words and the cited places of a turn that could see personal documents are left out.
    """
    import json

    personal = PrivacyClass.PERSONAL in turn.classes
    parts: dict[str, object] = {
        "outcome": turn.ending,
        "profile": turn.profile.value,
        "audience": "+".join(sorted(item.value for item in turn.classes)),
        "web": str(turn.web).lower(),
        **{name: f"{value:.3f}" for name, value in turn.signals.items()},
        "sources": len(turn.sources),
        "prompt_tokens": turn.usage.prompt_tokens,
        "completion_tokens": turn.usage.completion_tokens,
        "total_ms": f"{turn.latency_ms:.0f}",
    }
    if not personal:
        parts["question"] = json.dumps(turn.question, ensure_ascii=True)
    return " ".join(f"{name}={value}" for name, value in parts.items())
