"""Chooses what of a log, a record and a file of settings belongs to a question, as passages that can be cited.

log ─▶ failures, the newest first, each once ─▶ with the lines around it
records ─▶ those that share a word with the question; beside a log also those that tell of a failure
settings ─▶ lines whose key the question names, or the log or what was found
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ids import DocumentId
from askwell.terms import content_words
from askwell.types import Citation, Lines, Passage, PrivacyClass, Sentence, Support

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askwell.types import Observed

EPISODES = 4
"""Failures of one log that are shown, each once however often it is repeated."""

RECORDS = 3
"""Records that are shown."""

SETTINGS = 8
"""Lines of settings that are shown."""

_BEFORE, _AFTER = 3, 6  # lines around a failure
_LAST = 12  # lines of a log or record that tells of no failure
_WIDEST = 600  # characters of a line that are shown

_FAILS = re.compile(
    r"\b(?:fatal|panic|emerg(?:ency)?|alert|crit(?:ical)?|error|err|\w*exception|\w*error|traceback|fail(?:ed|ure|s|ing)?"
    r"|segfault|segmentation fault|oom|out of memory|killed|aborted|denied|refused|rejected|timed[ -]?out|timeout"
    r"|unreachable|unable|cannot|can't|could not|couldn't|no such|no space|corrupt(?:ed|ion)?|crash(?:ed)?"
    r"|exit(?:ed)? (?:code|status) [1-9]\d*|unhealthy|degraded)\b",
    re.IGNORECASE,
)
_WARNS = re.compile(r"\b(?:warn(?:ing)?|deprecated|retry(?:ing)?)\b", re.IGNORECASE)
_CALM = re.compile(
    r"\b(?:no|0|zero|without) (?:\w+ )?(?:errors?|failures?|failed|warnings?)\b"
    r"|\b(?:errors?|failed|failures?|warnings?)[\"']?\s*[=:]\s*[\"']?(?:0\b|null\b|none\b|false\b|\[\]|\"\"|'')",
    re.IGNORECASE,
)
_SETTING = re.compile(r"^\s*(?:export\s+|-\s+)?[\"']?(?P<key>[A-Za-z_][\w.\-]*)[\"']?\s*(?:=|:(?=\s|$)|\s)\s*\S")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VARIES = re.compile(r"[0-9a-f]*\d[0-9a-f]*", re.IGNORECASE)
_RUN = re.compile(r"`{3,}")


def observed_passages(question: str, observed: Sequence[Observed], *, related: Iterable[str]) -> tuple[Passage, ...]:
    """Return what belongs to a question, numbered from 1: of logs, then of records, then of settings.

    Args:
        question: As the person asked it.
        observed: What was read.
        related: Texts of the documents that were found.
    """
    asked = frozenset(word.casefold() for word in content_words(question))
    logs = [one for one in observed if one.kind == "log"]
    chosen = [(one, span) for one in logs for span in _of_log(one)]
    records = [(one, _of_record(one, asked, beside_log=bool(logs))) for one in observed if one.kind == "record"]
    chosen += [(one, span) for one, span in records if span is not None][:RECORDS]
    said = "\n".join([*related, *("\n".join(_lines(one)[a:b]) for one, (a, b) in chosen)])
    settings = [(one, span) for one in observed if one.kind == "setting" for span in _of_settings(one, question, said)]
    chosen += settings[:SETTINGS]
    return tuple(_passage(one, span, marker) for marker, (one, span) in enumerate(chosen, start=1))


def written(age: float) -> str:
    """Return in words how long ago something was written, `age` in seconds."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if age >= size:
            count = int(age // size)
            return f"written {count} {name}{'s' if count != 1 else ''} ago"
    return "written less than a minute ago"


def shown(passages: Sequence[Passage]) -> tuple[tuple[str, ...], tuple[Citation, ...], tuple[Sentence, ...]]:
    """Return passages as an answer's blocks, citations and sentences, verbatim: what is shown without a model."""
    blocks: list[str] = []
    for passage in passages:
        longest = max((len(run) for run in _RUN.findall(passage.text)), default=0)
        fence = "`" * max(3, longest + 1)
        place = " ".join(
            f"{passage.kind}:{passage.path}:{passage.lines.first}-{passage.lines.last}".replace("`", "'").split()
        )
        blocks.append(
            f"{chr(10) * 2 if blocks else ''}`{place}` ({passage.lead}):\n{fence}\n{passage.text}\n{fence}\n"
            f"[{passage.marker}]"
        )
    citations = tuple(
        Citation(
            marker=one.marker, source="", path=one.path, lines=one.lines, quote=one.text, support=Support.SUPPORTED,
            kind=one.kind,
        )
        for one in passages
    )  # fmt: skip
    sentences = tuple(Sentence(text=p.text, support=Support.SUPPORTED, markers=(p.marker,)) for p in passages)
    return tuple(blocks), citations, sentences


def failures(lines: Sequence[str]) -> list[int]:
    """Return the indexes of lines that tell of a failure; of a warning, if none does."""
    bare = [_CALM.sub(" ", line[: 4 * _WIDEST]) for line in lines]
    found = [n for n, line in enumerate(bare) if _FAILS.search(line)]
    return found or [n for n, line in enumerate(bare) if _WARNS.search(line)]


def failing_lines(one: Observed) -> tuple[str, ...]:
    """Return the lines that tell of the newest failure: of those around it that are shown, the ones that fail too."""
    lines = _lines(one)
    begins, ends = next(iter(_of_log(one)), (0, 0))
    return tuple(lines[n] for n in failures(lines) if begins <= n < ends)


def _of_log(one: Observed) -> list[tuple[int, int]]:
    """Return spans of line indexes around the newest failures, the newest first; its end if there are none."""
    lines = _lines(one)
    spans: list[tuple[int, int]] = []
    told: set[str] = set()
    for n in reversed(failures(lines)):
        message = _VARIES.sub("", lines[n].casefold())
        if any(a <= n < b for a, b in spans) or message in told:
            continue
        told.add(message)
        begins, ends = max(0, n - _BEFORE), min(len(lines), n + _AFTER + 1)
        for a, b in spans:  # a line is shown once
            begins, ends = (begins, min(ends, a)) if n < a else (max(begins, b), ends)
        spans.append((begins, ends))
        if len(spans) == EPISODES:
            break
    return spans or ([(max(0, len(lines) - _LAST), len(lines))] if lines else [])


def _of_record(one: Observed, asked: frozenset[str], *, beside_log: bool) -> tuple[int, int] | None:
    lines = _lines(one)
    if not lines:
        return None
    names = frozenset(part.casefold() for part in _PARTS.findall(one.path.rpartition("/")[2]))
    shared = [n for n, line in enumerate(lines) if asked & frozenset(w.casefold() for w in content_words(line))]
    failed = failures(lines)
    if not shared and not asked & names and not (beside_log and failed):
        return None
    centre = next(iter([n for n in shared if n in failed] or failed or shared), 0)
    begins = max(0, centre - _BEFORE)
    return begins, min(len(lines), begins + _LAST)


def _of_settings(one: Observed, question: str, said: str) -> list[tuple[int, int]]:
    """Return the lines that set what the question names; `section.key` names no other section's key."""
    rest, told = question.casefold(), said.casefold()
    asked = {name for name in one.names if _is_named(name, rest)}
    for name in asked:
        rest = rest.replace(_short(name), " ")
    words = frozenset(re.findall(r"\w+", rest))
    words |= frozenset(word.removesuffix("s") for word in words)
    found = []
    for n, (line, name) in enumerate(zip(_lines(one), one.names, strict=False)):
        match = _SETTING.match(line)
        if match is None or not name:
            continue
        key = match["key"]
        parts = {part.casefold() for part in _PARTS.findall(key)}
        telling = len(parts) > 1 and key in said and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", said)
        by_name = name in asked or _is_named(name, told)
        if by_name or (parts and parts <= words) or key.casefold() in words or telling:
            found.append((n, n + 1))
    return found


def _is_named(name: str, text: str) -> bool:
    """Return whether a text, without case, has a setting's name with its section."""
    if "." not in name or _short(name) not in text:
        return False
    return re.search(rf"(?<![\w.-]){re.escape(_short(name))}(?![\w-])", text) is not None


def _short(name: str) -> str:
    """Return the last two parts of a setting's name, without case: nobody writes all of a deep one."""
    return ".".join(name.casefold().split(".")[-2:])


def _passage(one: Observed, span: tuple[int, int], marker: int) -> Passage:
    begins, ends = span
    lines = [line if len(line) <= _WIDEST else line[:_WIDEST] + "…" for line in _lines(one)[begins:ends]]
    note = f"; {one.note}" if one.note else ""
    name = one.names[begins] if one.kind == "setting" and one.names else ""
    called = f" `{name}`" if "." in name else ""
    return Passage(
        marker=marker,
        document_id=DocumentId(""),
        source="",
        path=one.path,
        title=one.path.rpartition("/")[2],
        headings=(),
        lines=Lines(one.first + begins, one.first + ends - 1),
        text="\n".join(lines),
        lead=f"{_NAMES[one.kind]}{called}, {written(one.age)}{note}",
        class_=PrivacyClass.PERSONAL,
        kind=one.kind,
    )


_NAMES = {"log": "log", "record": "record", "setting": "live setting", "document": "document"}


def _lines(one: Observed) -> list[str]:
    return one.text.rstrip("\n").split("\n") if one.text.strip() else []
