"""The vector pass over a store in memory and embedders that misbehave in one way each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from askwell.embedding import ATTEMPTS, PAGE, PROBE_TEXT, EmbedReport, check_space, embed_pending
from askwell.errors import EmbeddingSpaceChanged, InputTooLong, ModelRefused, ModelUnavailable
from askwell.ids import fingerprint
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, PERSONAL, fill, item

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ports import Embedder, Matrix, Vector

    Objection = Callable[[Sequence[str]], Exception | None]


class Recording(HashingEmbedder):
    """Remembers every request, and may object to one."""

    def __init__(
        self, objects: Callable[[Sequence[str]], Exception | None] = lambda texts: None, **options: str
    ) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.objects = objects
        self.requests: list[list[str]] = []

    def embed_query(self, text: str) -> Vector:
        if (error := self.objects([text])) is not None:
            raise error
        return super().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.requests.append(list(texts))
        if (error := self.objects(texts)) is not None:
            raise error
        return super().embed_documents(texts)


def holding(*texts: str, personal: Sequence[str] = ()) -> MemoryStore:
    store = MemoryStore()
    items = [item(f"{n}.md", text) for n, text in enumerate(texts)]
    items += [item(f"private{n}.md", text, class_=PERSONAL) for n, text in enumerate(personal)]
    fill(store, items)
    return store


def run(
    store: MemoryStore,
    embedder: Embedder,
    *,
    allow_personal: bool = True,
    batch: int = 8,
    progress: Callable[[str, int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> EmbedReport:
    with store.write() as writer:
        return embed_pending(
            store, writer, embedder, allow_personal=allow_personal, batch=batch, progress=progress, stop=stop
        )


def waiting(store: MemoryStore, space: str = "hashing/d256") -> set[str]:
    return {text.text for text in store.pending(space, limit=10_000)}


def test_every_text_gets_the_vector_of_the_embedder() -> None:
    store = holding(*[f"note number {n}" for n in range(30)])
    report = run(store, HashingEmbedder())
    assert (report.embedded, report.left, report.notes) == (30, 0, ())
    assert store.vector_counts(visible=FULL_REQUEST) == (30, 0)
    stored = store.space()
    assert stored is not None
    assert stored[0] == "hashing/d256"
    (best, sighting), *_ = store.search_vector(
        HashingEmbedder().embed_query("note number 17"), k=1, visible=FULL_REQUEST
    )
    assert sighting.score == pytest.approx(1)
    (found,) = store.hits([best], visible=FULL_REQUEST).values()
    assert found[0].text == "note number 17"


def test_nothing_missing_contacts_nobody() -> None:
    store = holding("one")
    run(store, HashingEmbedder())
    down = Recording(lambda texts: ModelUnavailable("down"))
    assert run(store, down) == EmbedReport()
    assert run(MemoryStore(), down) == EmbedReport()
    assert down.requests == []


def test_batches_are_full_and_of_similar_length() -> None:
    store = holding(*["word " * n for n in range(1, 21)])
    embedder = Recording()
    run(store, embedder, batch=5)
    assert [len(request) for request in embedder.requests] == [5, 5, 5, 5]
    lengths = [len(text) for request in embedder.requests for text in request]
    assert lengths == sorted(lengths)


def test_more_than_a_page_is_read_to_its_end() -> None:
    store = holding("\n\n".join(f"paragraph {n}" for n in range(PAGE + 100)))
    assert run(store, HashingEmbedder(), batch=500).embedded == PAGE + 100
    assert not waiting(store)


def test_progress_goes_up_to_the_total() -> None:
    seen: list[tuple[str, int, int]] = []
    run(holding(*"abcdefg"), HashingEmbedder(), batch=3, progress=lambda *now: seen.append(now))
    assert seen == [("embed", 3, 7), ("embed", 6, 7), ("embed", 7, 7)]


def test_personal_texts_are_kept_from_a_model_that_they_may_not_be_sent_to() -> None:
    personal = [f"dear diary {n}" for n in range(PAGE + 10)]
    store = holding("open one", "open two", personal=personal)
    embedder = Recording()
    report = run(store, embedder, allow_personal=False)
    assert (report.embedded, report.skipped_personal, report.left) == (2, len(personal), len(personal))
    assert not any("diary" in text for request in embedder.requests for text in request)
    assert waiting(store) == set(personal)
    assert "diary" not in " ".join(report.notes)
    assert run(store, embedder).embedded == len(personal)


def test_a_text_that_is_also_personal_elsewhere_is_personal() -> None:
    store = holding("shared words", personal=["shared words"])
    assert run(store, Recording(), allow_personal=False).skipped_personal == 1


def test_one_text_too_long_is_cut_and_costs_no_other_its_vector() -> None:
    long = "the mover waits. " * 300
    store = holding(*[f"note {n}" for n in range(15)], long)
    report = run(store, HashingEmbedder(), batch=16)
    assert (report.embedded, report.left) == (16, 0)
    assert report.shortened == (fingerprint(long),)
    assert "1 texts are over the embedder's window" in report.notes[0]


def test_a_model_that_counts_otherwise_gets_less_until_it_takes_it() -> None:
    def strict(texts: Sequence[str]) -> Exception | None:
        return InputTooLong("no") if any(len(text) > 100 for text in texts) else None

    embedder = Recording(strict)
    report = run(holding("short", "word " * 40), embedder)
    assert (report.embedded, len(report.shortened)) == (2, 1)
    assert 50 < max(len(text) for text in embedder.requests[-1]) <= 100


@pytest.mark.parametrize("bad", [0, 1, 7, 14])
def test_one_text_that_is_refused_is_passed_over(bad: int) -> None:
    texts = [f"note {n:02}" for n in range(15)]

    def picky(given: Sequence[str]) -> Exception | None:
        return ModelRefused("NaN") if texts[bad] in given else None

    store = holding(*texts)
    embedder = Recording(picky)
    report = run(store, embedder, batch=15)
    assert (report.embedded, report.failed, report.left) == (14, (fingerprint(texts[bad]),), 1)
    assert waiting(store) == {texts[bad]}
    assert len(embedder.requests) < 15


def test_a_text_is_not_retried_for_ever() -> None:
    def picky(given: Sequence[str]) -> Exception | None:
        return ModelRefused("NaN") if "bad" in given else None

    store = holding("good", "bad")
    counts = []
    for _ in range(ATTEMPTS + 2):
        embedder = Recording(picky)
        assert len(run(store, embedder).failed) == 1
        counts.append(sum("bad" in request for request in embedder.requests))
    assert all(counts[:ATTEMPTS])
    assert counts[ATTEMPTS:] == [0, 0]
    # Another space is another chance.
    assert run(store, HashingEmbedder(dim=64)).failed == ()


def test_a_model_that_refuses_everything_is_not_asked_a_thousand_times() -> None:
    embedder = Recording(lambda texts: ModelRefused("no such model") if len(embedder.requests) else None)
    store = holding(*[f"note {n}" for n in range(64)])
    report = run(store, embedder, batch=16)
    assert (report.embedded, report.left, report.stopped) == (0, 64, "no such model")
    assert len(embedder.requests) <= 2
    assert report.failed == ()


def test_a_model_that_refuses_from_the_start_stops_the_pass_too() -> None:
    report = run(holding("a", "b"), Recording(lambda texts: ModelRefused("wrong key")))
    assert (report.embedded, report.stopped) == (0, "wrong key")


def test_a_model_that_goes_away_leaves_what_was_done() -> None:
    embedder = Recording(lambda texts: ModelUnavailable("gone") if len(embedder.requests) > 2 else None)
    store = holding(*[f"note {n:02}" for n in range(20)])
    report = run(store, embedder, batch=5)
    assert (report.embedded, report.left, report.stopped) == (10, 10, "gone")
    assert "search goes on by words" in report.notes[0]
    again = Recording()
    assert run(store, again, batch=5).embedded == 10
    assert sum(map(len, again.requests)) == 10


def test_a_pass_that_is_killed_loses_its_batch_only() -> None:
    class Killed(BaseException):
        pass

    def kill(texts: Sequence[str]) -> Exception | None:
        if len(embedder.requests) > 2:
            raise Killed
        return None

    embedder = Recording(kill)
    store = holding(*[f"note {n:02}" for n in range(20)])
    with pytest.raises(Killed):
        run(store, embedder, batch=5)
    assert len(waiting(store)) == 10


def test_a_pass_can_be_ended() -> None:
    asked = iter([False, True])
    report = run(holding(*"abcdefgh"), HashingEmbedder(), batch=3, stop=lambda: next(asked))
    assert (report.embedded, report.left) == (3, 5)
    assert report.stopped


def test_failures_of_earlier_runs_outlive_a_run_that_was_stopped() -> None:
    def picky(given: Sequence[str]) -> Exception | None:
        return ModelRefused("NaN") if "bad" in given else None

    store = holding("good", "bad")
    run(store, Recording(picky))
    note = store.note("embedding.failed")
    run(store, Recording(picky), stop=lambda: True)
    assert store.note("embedding.failed") == note != ""


def test_a_damaged_note_counts_for_nothing() -> None:
    store = holding("good")
    for damaged in ("{", "[]", '{"space": "hashing/d256", "runs": {"x": "y"}}', '{"space": "hashing/d256", "runs": 3}'):
        with store.write() as writer:
            writer.set_note("embedding.failed", damaged)
        run(store, HashingEmbedder())
    assert not waiting(store)


def test_a_new_space_is_built_beside_and_switched_when_complete() -> None:
    store = holding(*[f"note {n:02}" for n in range(20)])
    run(store, HashingEmbedder())
    half = Recording(lambda texts: ModelUnavailable("gone") if len(half.requests) > 2 else None, name="better")
    assert run(store, half, batch=5).left == 10
    assert store.space() is not None
    assert store.space()[0] == "hashing/d256"  # type: ignore[index]
    assert store.vector_counts(visible=FULL_REQUEST) == (20, 0)
    rest = Recording(name="better")
    assert run(store, rest).embedded == 10
    assert store.space()[0] == "better/d256"  # type: ignore[index]
    assert store.vector_counts(visible=FULL_REQUEST) == (20, 0)


def test_the_same_model_passes_the_check() -> None:
    store = holding("a")
    check_space(store, HashingEmbedder())
    run(store, HashingEmbedder())
    check_space(store, HashingEmbedder())


def test_another_name_is_a_changed_space_and_both_are_named() -> None:
    store = holding("a")
    run(store, HashingEmbedder())
    with pytest.raises(EmbeddingSpaceChanged, match=r"hashing/d256.*other/d256") as changed:
        check_space(store, HashingEmbedder(name="other"), probe=False)
    assert "--rebuild" in changed.value.hint


def test_another_model_under_the_same_name_is_a_changed_space() -> None:
    class Swapped(HashingEmbedder):
        def embed_query(self, text: str) -> Vector:
            vector = super().embed_query(text)
            vector[:4] += 0.05
            changed: Vector = vector / np.linalg.norm(vector)
            return changed

    class Narrower(HashingEmbedder):
        def embed_query(self, text: str) -> Vector:
            return HashingEmbedder(dim=64).embed_query(text)

    store = holding("a")
    run(store, HashingEmbedder())
    for model in (Swapped(), Narrower()):
        with pytest.raises(EmbeddingSpaceChanged, match="another model of this name"):
            check_space(store, model)
        check_space(store, model, probe=False)


def test_the_probe_fits_every_model() -> None:
    assert HashingEmbedder().count_tokens(PROBE_TEXT) < 32
