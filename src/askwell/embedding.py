"""The vector pass: texts without a vector get one, batch by batch, whatever single texts do.

    Store.pending ─ page, in key order ─ batch, by length ─▶ embed ─▶ check ─▶ one transaction
                                             │ refused
                                             ├─ the model refuses everything ─▶ stop, say why
                                             └─ halves, quarters … one text ─┬─ too long ─▶ cut, noted
                                                                             └─ else ─▶ passed over, counted

Nothing is remembered but what failed: the store says what is missing, so a killed pass loses at most a batch.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.errors import EmbeddingSpaceChanged, InputTooLong, ModelRefused, ModelUnavailable
from askwell.ports import carrying
from askwell.shorten import beginnings
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from askwell.ports import Embedder, Pending, Progress, Store, Vector, Writer

PROBE_TEXT = "The quick brown fox jumps over the lazy dog, then asks where the backup is kept."
"""Embedded by every run and compared with what it was before: the same name may stand for another model."""

SAME_SPACE = 0.999
"""Cosine of the probe from which a space is the same: over what processors differ by, under any other model."""

BATCH = 64
"""Texts a transaction. Two thirds of a second of work for the bundled model, which a killed pass would lose."""

PAGE = 1024
"""Texts read at once; batches are of similar length within a page."""

ATTEMPTS = 3
"""Runs in which a text that the model refuses is tried again."""

_FAILED = "embedding.failed"  # the store's note: {"space": …, "runs": {key: how many runs it failed in}}
_CHARS_A_TOKEN = 64  # more than any tokenizer reads; where counting starts in a huge text


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedReport:
    """What one pass did."""

    embedded: int = 0
    skipped_personal: int = 0  # kept from a model that they may not be sent to
    shortened: tuple[str, ...] = ()  # keys of texts whose vector is of their beginning only
    failed: tuple[str, ...] = ()  # keys of texts that the model refuses
    left: int = 0  # texts that still have no vector, the skipped and failed ones included
    stopped: str = ""  # why it ended before all texts were tried; empty if it did not

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of it, in sentences without any text."""
        said: list[str] = []
        if self.stopped:
            said.append(f"{self.left} texts wait for a vector: {self.stopped}; search goes on by words")
        if self.skipped_personal:
            said.append(f"{self.skipped_personal} personal texts were not sent to a cloud model for embedding")
        if self.shortened:
            said.append(f"{len(self.shortened)} texts are over the embedder's window: only their beginning is embedded")
        if self.failed:
            said.append(f"{len(self.failed)} texts are refused by the embedder: they are found by words only")
        return tuple(said)


def embed_pending(
    store: Store,
    writer: Writer,
    embedder: Embedder,
    *,
    allow_personal: bool,
    batch: int = BATCH,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> EmbedReport:
    """Give every text without a vector one, and return what was done. Contacts no model if nothing is missing.

    If the store has no embedding space yet, the embedder's becomes it before the first batch. If it has another one,
    the new vectors are built beside and the space is switched when none is missing: guard with `check_space` where
    that is not wanted.

    Args:
        store: What is missing is read from here.
        writer: Takes each batch in one transaction.
        embedder: A model.
        allow_personal: Whether personal texts may be sent to it.
        batch: Texts a transaction.
        progress: Called after each batch with ("embed", done, total).
        stop: Asked before each batch; true ends the pass, and the report says so.

    Raises:
        StoreError: a batch could not be stored.
    """
    space = embedder.space
    passage = _Pass(embedder=embedder, failures=_failures(store, space))
    waiting = [text.class_ for page in _pages(store, space) for text in page]
    if not waiting:
        _switch(store, writer, embedder, passage)
        return EmbedReport()
    personal = 0 if allow_personal else sum(class_ is PrivacyClass.PERSONAL for class_ in waiting)
    total, tried = len(waiting) - personal, 0
    try:
        if store.space() is None and total:
            writer.set_space(space, _probe(embedder))
        for page in _pages(store, space):
            chosen = [text for text in page if allow_personal or text.class_ is not PrivacyClass.PERSONAL]
            for texts in _batches(chosen, batch):
                if stop is not None and stop():
                    raise _Stopped("the time set for it was over")
                vectors = passage.embed([text for text in texts if not passage.given_up(text)])
                if vectors:
                    writer.put_vectors(space, vectors)
                tried += len(texts)
                if progress is not None:
                    progress("embed", min(tried, total), total)
    except (ModelUnavailable, ModelRefused, _Stopped) as reason:
        passage.stopped = str(reason)
    passage.remember(writer, space)
    # What was edited meanwhile waits anew, so how much is left is not a difference alone.
    left = max(1, len(waiting) - passage.embedded) if store.pending(space, limit=1) else 0
    report = passage.report(left=left, skipped_personal=personal)
    if not report.left:
        _switch(store, writer, embedder, passage)
    return report


def check_space(store: Store, embedder: Embedder, *, probe: bool = True) -> None:
    """Return if the stored vectors and the embedder's can be compared, or if there are none.

    Args:
        store: The index.
        embedder: The configured model.
        probe: Whether to embed the probe text too, which finds a model that changed under its name.

    Raises:
        EmbeddingSpaceChanged: the names differ, or the probe is another vector than it was.
        ModelUnavailable: the probe could not be embedded.
    """
    stored = store.space()
    if stored is None:
        return
    name, before = stored
    if name != embedder.space:
        raise EmbeddingSpaceChanged(stored=name, configured=embedder.space)
    if probe and not same_direction(before, _probe(embedder)):
        raise EmbeddingSpaceChanged(stored=name, configured=f"{embedder.space} (another model of this name)")


def _probe(embedder: Embedder) -> Vector:
    """Return the vector of a text that is nobody's."""
    with carrying({PrivacyClass.OPEN}):
        return embedder.embed_query(PROBE_TEXT)


def same_direction(before: Vector, now: Vector) -> bool:
    """Return whether two probe vectors, L2-normalised, come from one space."""
    return before.shape == now.shape and float(before @ now) >= SAME_SPACE


class _Stopped(Exception):
    """The pass ends here, for a reason that is no fault of a text."""


@dataclass(slots=True)
class _Pass:
    """One pass over the pending texts: what went wrong so far."""

    embedder: Embedder
    failures: dict[str, int]  # key → runs in which it failed
    embedded: int = 0
    shortened: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    stopped: str = ""

    def given_up(self, text: Pending) -> bool:
        """Return whether a text failed so often that it is passed over; counts it as failed then."""
        if self.failures.get(text.key, 0) < ATTEMPTS:
            return False
        self.failed.append(text.key)
        return True

    def embed(self, texts: Sequence[Pending]) -> list[tuple[str, Vector]]:
        """Return a vector for each text that can have one; one bad text costs no other its vector.

        Raises:
            ModelUnavailable: the model went away. _Stopped: it refuses everything.
        """
        if not texts:
            return []
        try:
            with carrying({text.class_ for text in texts}):
                matrix = self.embedder.embed_documents([text.text for text in texts])
        except InputTooLong:
            if len(texts) == 1:
                return self._cut(texts[0])
        except ModelRefused as refused:
            if len(texts) == 1:
                self._give_up(texts[0], refused)
                return []
            self._still_works(refused)
        else:
            self.embedded += len(texts)
            return [(text.key, vector) for text, vector in zip(texts, matrix, strict=True)]
        middle = len(texts) // 2
        return self.embed(texts[:middle]) + self.embed(texts[middle:])

    def remember(self, writer: Writer, space: str) -> None:
        """Keep with the index how often texts failed, if any did."""
        untried = self.failures if self.stopped else {}
        runs = {**untried, **{key: min(self.failures.get(key, 0) + 1, ATTEMPTS) for key in self.failed}}
        if runs or self.failures:
            writer.set_note(_FAILED, json.dumps({"space": space, "runs": runs}) if runs else "")

    def report(self, *, left: int, skipped_personal: int) -> EmbedReport:
        return EmbedReport(
            embedded=self.embedded,
            skipped_personal=skipped_personal,
            shortened=tuple(self.shortened),
            failed=tuple(self.failed),
            left=left,
            stopped=self.stopped,
        )

    def _cut(self, text: Pending) -> list[tuple[str, Vector]]:
        """Return the vector of the longest beginning that the model takes."""
        for shorter in beginnings(text.text, fits=self._fits):
            try:
                with carrying({text.class_}):
                    vector = self.embedder.embed_documents([shorter])[0]
            except InputTooLong:
                continue
            except ModelRefused as refused:
                self._give_up(text, refused)
                return []
            self.shortened.append(text.key)
            self.embedded += 1
            return [(text.key, vector)]
        self.failed.append(text.key)
        return []

    def _fits(self, text: str) -> bool:
        limit = self.embedder.max_tokens
        return len(text) <= limit * _CHARS_A_TOKEN and self.embedder.count_tokens(text) <= limit

    def _give_up(self, text: Pending, refused: ModelRefused) -> None:
        self._still_works(refused)
        self.failed.append(text.key)

    def _still_works(self, refused: ModelRefused) -> None:
        """Return if the model takes the probe, so that the refusal was about the texts.

        Raises:
            _Stopped: it refuses the probe too; halving batches would only ask it a thousand times more.
        """
        try:
            with carrying({PrivacyClass.OPEN}):
                self.embedder.embed_documents([PROBE_TEXT])
        except ModelRefused:
            raise _Stopped(str(refused)) from refused


def _pages(store: Store, space: str) -> Iterator[Sequence[Pending]]:
    """Yield everything that waits, in pages of key order. What is stored meanwhile is not read again."""
    after = ""
    while page := store.pending(space, limit=PAGE, after=after):
        yield page
        after = page[-1].key


def _batches(texts: Sequence[Pending], size: int) -> Iterator[Sequence[Pending]]:
    """Yield batches of texts of similar length: a model that pads computes the longest of a batch for all."""
    ordered = sorted(texts, key=lambda text: len(text.text))
    for at in range(0, len(ordered), size):
        yield ordered[at : at + size]


def _failures(store: Store, space: str) -> dict[str, int]:
    """Return how often texts failed in earlier runs; a damaged note or another space's counts for nothing."""
    try:
        note = json.loads(store.note(_FAILED) or "{}")
    except ValueError:
        return {}
    runs = note.get("runs", {}) if isinstance(note, dict) and note.get("space") == space else {}
    return {key: count for key, count in runs.items() if isinstance(count, int)} if isinstance(runs, dict) else {}


def _switch(store: Store, writer: Writer, embedder: Embedder, passage: _Pass) -> None:
    """Make the embedder's space the one that searches use, now that nothing is missing in it."""
    stored = store.space()
    if stored is not None and stored[0] != embedder.space and not passage.stopped:
        try:
            probe = _probe(embedder)
        except (ModelUnavailable, ModelRefused):
            return  # the next run finds nothing missing and tries again
        writer.set_space(embedder.space, probe)


__all__ = [
    "BATCH",
    "PROBE_TEXT",
    "EmbedReport",
    "check_space",
    "embed_pending",
    "same_direction",
]
