"""One dense text makes a server refuse a whole batch. Nothing but that text may suffer from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.embedding import embed_pending
from askwell.models.openai_api import OpenAIEmbedder
from askwell.ports import LexicalQuery
from askwell.terms import query_terms
from askwell.testing.fake_openai import FakeOpenAI
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, fill, item

if TYPE_CHECKING:
    from askwell.embedding import EmbedReport

LIMIT = 512
TEXTS = {
    "first.md": "# Start\nHERONFIRST is an ordinary line.",
    "rules.md": "OTTERRULE\n" + ("+-" * 90 + "\nx = [(0, {})]\n") * 40,
    "pipeline.yml": "BADGERSTEP\n" + "".join(f'- do: "${{{{ a.B_{n} }}}}" || {{ [[ $? ]]; }}\n' for n in range(150)),
    "chinese.md": "WRENTEXT 备份。" + "恢复备份的说明。" * 700,
    "spaces.txt": "LYNXGAP" + " " * 9_000 + "end",
    **{f"note{n}.md": f"an ordinary note, number {n}" for n in range(20)},
    "last.md": "FALCONLAST is an ordinary line.",
}


def counted(text: str) -> int:
    """One token a character that is no letter, and one for four letters."""
    letters = sum(map(str.isalpha, text))
    return len(text) - letters + letters // 4


def embedded(store: MemoryStore, *, window: int) -> tuple[EmbedReport, int]:
    with FakeOpenAI() as server, store.write() as writer:
        server.refuse_over(LIMIT, counts=counted)
        model = OpenAIEmbedder(url=server.url, model="m", window=window, sleep=lambda _: None)
        report = embed_pending(store, writer, model, allow_personal=True, batch=16)
        model.close()
        return report, len(server.requests)


def test_the_run_completes_and_every_text_has_a_vector() -> None:
    store = MemoryStore()
    fill(store, [item(path, text) for path, text in TEXTS.items()])
    report, requests = embedded(store, window=LIMIT)
    assert (report.embedded, report.left, report.failed, report.stopped) == (len(TEXTS), 0, (), "")
    assert store.vector_counts(visible=FULL_REQUEST) == (len(TEXTS), 0)
    assert len(report.shortened) == 4
    assert "4 texts are over the embedder's window" in report.notes[0]
    assert requests < 80


def test_a_window_set_far_too_high_changes_nothing() -> None:
    store = MemoryStore()
    fill(store, [item(path, text) for path, text in TEXTS.items()])
    assert embedded(store, window=100_000)[0].left == 0


def test_words_find_all_of_them_meanwhile() -> None:
    store = MemoryStore()
    fill(store, [item(path, text) for path, text in TEXTS.items()])
    for word in ("HERONFIRST", "OTTERRULE", "BADGERSTEP", "WRENTEXT", "LYNXGAP", "FALCONLAST"):
        assert store.search_lexical(LexicalQuery(terms=query_terms(word)), k=1, visible=FULL_REQUEST)
