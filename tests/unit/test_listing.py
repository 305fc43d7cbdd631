from __future__ import annotations

from dataclasses import replace

import pytest

from askwell.answer import AnswerSettings, final
from askwell.engine import Engine, Request
from askwell.listing import Listed, listed
from askwell.ports import Fault
from askwell.privacy import audience
from askwell.retrieve import RetrievalSettings
from askwell.testing.memory_store import MemoryStore
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, Item, fill, item
from askwell.types import Answer, Edge, EdgeKind, Filter, Kind, Metadata, SourceType
from askwell.veil import VeiledStore
from askwell.wire import ask

TAG = Edge(kind=EdgeKind.TAG, target="#bees/health", line=2)


def store_of(items: list[Item], *, links: dict[str, str] | None = None) -> VeiledStore:
    """Return a veiled store; `links` are resolved targets by what the link says."""
    store = MemoryStore()
    fill(store, items)
    ids = {document.path: document.id for document, _, _ in items}
    with store.write() as writer:
        writer.set_targets({one.key: ids.get((links or {}).get(one.edge.target, "")) for one in store.edges()})
    return VeiledStore(store)


def paths(found: Listed | None) -> list[str]:
    assert found is not None
    return [citation.path for citation in found.answer.citations]


HIVE = item("bees/hive.md", "# Hive\n#bees/health mites", metadata=Metadata(tags=("bees/health",)), edges=[TAG])
BOAT = item("boat/[1] mast.md", "The mast\nnear the [2] mites", title="Mast [3] `x`")
DIARY = item(
    "diary/clinic.md",
    "mites and #bees/health",
    class_=PERSONAL,
    title="Clinic",
    metadata=Metadata(tags=("bees/health",)),
    edges=[replace(TAG, line=1)],
)


def test_an_item_has_its_marker_its_path_and_its_line() -> None:
    found = listed("how many documents are tagged bees", store=store_of([HIVE, BOAT]), visible=OPEN_REQUEST)
    assert found is not None
    assert found.answer.text == "1 document is tagged `bees`:\n\n- hive: `bees/hive.md` [1]"
    assert "".join(found.blocks) == found.answer.text
    (citation,) = found.answer.citations
    assert (citation.lines.first, citation.lines.last, citation.quote) == (2, 2, "#bees/health mites")
    assert [sentence.markers for sentence in found.answer.sentences] == [(1,), (1,)]


def test_what_looks_like_a_marker_in_a_name_is_none() -> None:
    found = listed("which documents mention mast", store=store_of([BOAT]), visible=OPEN_REQUEST)
    assert found is not None
    assert found.blocks[1] == "\n\n- Mast \\[3\\] \\`x\\`: `boat/[1] mast.md` [1]"


def test_zero_is_an_answer_about_the_index() -> None:
    found = listed("how many documents mention walrus", store=store_of([HIVE]), visible=OPEN_REQUEST)
    assert found is not None
    assert found.answer.text == "Among the indexed documents, no document mentions `walrus` as that very word."
    assert found.answer.citations == ()


@pytest.mark.parametrize(
    "question",
    [
        "list all documents in the cellar folder",
        "which documents link to The cellar",
        "which documents are linked from The cellar",
        "which settings are defined in cellar.conf",
        "list all documents in the source cellar",
        "list all documents in the diary folder",
        "which documents link to Clinic",
        "list all personal documents",
    ],
)
def test_what_is_hidden_is_as_if_it_were_not_there(question: str) -> None:
    store = store_of([HIVE, DIARY])
    assert listed(question, store=store, visible=OPEN_REQUEST) is None
    if "cellar" not in question.casefold():
        assert listed(question, store=store, visible=FULL_REQUEST) is not None


def test_nothing_personal_is_counted_in_an_open_request() -> None:
    for question in ("which documents mention mites", "list documents tagged bees", "how many tags are there"):
        alone = listed(question, store=store_of([HIVE, BOAT]), visible=OPEN_REQUEST)
        beside = listed(question, store=store_of([HIVE, BOAT, DIARY]), visible=OPEN_REQUEST)
        assert alone == beside, question
    full = listed("which documents mention mites", store=store_of([HIVE, BOAT, DIARY]), visible=FULL_REQUEST)
    assert paths(full) == ["bees/hive.md", "boat/[1] mast.md", "diary/clinic.md"]


def test_a_hidden_target_is_not_found_by_its_name_in_a_link() -> None:
    edge = Edge(kind=EdgeKind.LINK, target="diary/clinic", line=2)
    open_note = item("open.md", "see\n[[diary/clinic]] there", edges=[edge])
    store = store_of([open_note, DIARY], links={"diary/clinic": "diary/clinic.md"})
    assert paths(listed("which documents mention clinic", store=store, visible=OPEN_REQUEST)) == []
    assert "open.md" in paths(listed("which documents mention clinic", store=store, visible=FULL_REQUEST))
    assert paths(listed("which documents link to diary/clinic", store=store, visible=FULL_REQUEST)) == ["open.md"]
    shown = listed("which documents mention see", store=store, visible=OPEN_REQUEST)
    assert shown is not None
    assert "clinic" not in repr(shown.answer)


def test_links_both_ways_cite_the_line_of_the_link() -> None:
    edges = [Edge(kind=EdgeKind.LINK, target="beta", line=2), Edge(kind=EdgeKind.LINK, target="alpha", line=1)]
    one = item("alpha.md", "self [[alpha]]\nto [[beta]]", edges=edges)
    store = store_of([one, item("beta.md", "nothing")], links={"beta": "beta.md", "alpha": "alpha.md"})
    back = listed("which documents link to beta", store=store, visible=OPEN_REQUEST)
    assert paths(back) == ["alpha.md"]
    assert paths(listed("which documents link to alpha", store=store, visible=OPEN_REQUEST)) == []
    forward = listed("which documents does alpha link to", store=store, visible=OPEN_REQUEST)
    assert forward is not None
    assert forward.blocks[1].endswith("`beta.md` [1]")
    (citation,) = forward.answer.citations
    assert (citation.path, citation.lines.first, citation.quote) == ("alpha.md", 2, "to [[beta]]")


def test_the_filters_of_a_request_narrow_the_set() -> None:
    items = [
        item("x/a.md", "otter", kind=Kind.MANUAL, section="Usage"),
        item("y/b.md", "otter", metadata=Metadata(tags=("wet",), created="2024-02-01")),
        item("y/c.md", "intro\n\notter", source="other"),
    ]
    store = store_of(items)
    question = "which documents mention otter"

    def found(**conditions: object) -> list[str]:
        visible = replace(OPEN_REQUEST, **conditions)  # type: ignore[arg-type]  # checked by Filter itself
        return paths(listed(question, store=store, visible=visible))

    assert found() == ["x/a.md", "y/b.md", "y/c.md"]
    assert found(kinds=frozenset({Kind.MANUAL})) == ["x/a.md"]
    assert found(paths=("y/**",)) == ["y/b.md", "y/c.md"]
    assert found(sources=frozenset({"other"})) == ["y/c.md"]
    assert found(tags=frozenset({"wet"})) == ["y/b.md"]
    assert found(after="2024-01-01") == ["y/b.md"]
    assert found(sections=frozenset({"usage"})) == ["x/a.md"]
    assert found(classes=frozenset()) == []


def test_words_are_looked_for_in_the_sections_of_the_request_alone() -> None:
    document, chunks, _ = item("a.md", "otter\n\nheron")
    named = (chunks[0], replace(chunks[1], section="Birds"))
    store = store_of([(document, named, ())])
    visible = replace(OPEN_REQUEST, sections=frozenset({"birds"}))
    assert paths(listed("which documents mention heron", store=store, visible=visible)) == ["a.md"]
    assert paths(listed("which documents mention otter", store=store, visible=visible)) == []


def test_notes_are_the_prose_of_vaults_where_there_is_one() -> None:
    store = MemoryStore()
    fill(store, [item("a.md", "x"), item("b.md", "x", source="vault")])
    assert paths(listed("list all notes", store=store, visible=OPEN_REQUEST)) == ["a.md", "b.md"]
    with store.write() as writer:
        writer.put_source("vault", SourceType.VAULT, "/vault")
    assert paths(listed("list all notes", store=store, visible=OPEN_REQUEST)) == ["b.md"]


def test_files_that_failed_are_those_of_the_audience() -> None:
    store = MemoryStore()
    fill(store, [item("a.md", "x")])
    faults = [
        Fault(source="notes", path="bad`.md", reason="no [1] text", status="failed", class_=OPEN),
        Fault(source="notes", path="diary.md", reason="broken", status="failed", class_=PERSONAL),
        Fault(source="notes", path="key.pem", reason="a key", status="skipped", class_=OPEN),
    ]
    with store.write() as writer:
        writer.put_faults("notes", faults)
    some = listed("which files failed", store=store, visible=OPEN_REQUEST)
    every = listed("how many files could not be indexed", store=store, visible=FULL_REQUEST)
    held = listed("which files were skipped", store=store, visible=OPEN_REQUEST)
    assert some is not None and every is not None and held is not None
    assert some.answer.text == "1 file could not be indexed:\n\n- ``bad`.md``: `no [1] text`"
    assert every.answer.text.startswith("2 files could not be indexed:")
    assert held.answer.text.endswith("- `key.pem`: `a key`")


def test_no_model_is_called_and_none_is_named() -> None:
    script = ScriptedGenerator("It is seven [1].")
    store = MemoryStore()
    fill(store, [HIVE, BOAT])
    engine = Engine(
        sources=(),
        open_store=lambda: store,
        make_embedder=lambda: None,
        make_generator=lambda: script,
        retrieval=RetrievalSettings,
        answering=AnswerSettings,
        clock=lambda: 0.0,
        vectors=False,
    )
    everyone = audience(include_personal=True)
    outcome = final(engine.ask(Request(question="how many documents mention mites", audience=everyone)))
    assert isinstance(outcome, Answer)
    assert outcome.text.startswith("2 documents mention `mites`")
    assert script.asked == []
    said = ask(outcome, audience=everyone, model="scripted", timings={})
    assert (said["outcome"], said["model"], said["invented"]) == ("answer", "none", 0)
    other = final(engine.ask(Request(question="where are the mites near the mast", audience=everyone)))
    assert not isinstance(other, Answer) or not other.listed


def test_an_index_of_nothing_is_counted() -> None:
    visible = Filter(classes=frozenset(FULL_REQUEST.classes))
    found = listed("how many notes are there", store=MemoryStore(), visible=visible)
    assert found is not None
    assert found.answer.text == "No note is indexed."
