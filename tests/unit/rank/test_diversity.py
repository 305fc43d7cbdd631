from __future__ import annotations

from tests.unit.rank.make import hit

from askwell.ids import ChunkId, DocumentId
from askwell.rank.diversity import ALSO_AT, Page, cap_per_document, collapse, one_language, twins
from askwell.types import Kind, Lines, Location


def page(path: str, permalink: str = "", kind: Kind = Kind.NOTE, source: str = "vault") -> Page:
    return Page(source=source, path=path, permalink=permalink, kind=kind)


def test_at_most_two_chunks_of_a_document_the_best_ones() -> None:
    kept = cap_per_document([hit(str(n), document="doc") for n in range(4)] + [hit("other")], 2)
    assert [one.chunk.id for one in kept.hits] == ["0", "1", "other"]
    assert [one.hit.chunk.id for one in kept.removed] == ["2", "3"]
    assert "2 chunks" in kept.removed[0].by


def test_the_same_text_counts_once_and_lists_both_places() -> None:
    kept = collapse([hit("a", text="one\n", path="x/a.md"), hit("c"), hit("b", text="one", path="y/b.md")], {})
    assert [one.chunk.id for one in kept.hits] == ["a", "c"]
    assert [at.path for at in kept.hits[0].also_at] == ["y/b.md"]
    assert kept.removed[0].by == "same text as x/a.md"


def test_nearly_the_same_text_counts_once() -> None:
    text = (
        "the copy runs each night and keeps seven days of files on a second disk in one small server room below stairs"
    )
    kept = collapse([hit("a", text=text), hit("b", text=text.replace("small", "little"))], {})
    assert [one.chunk.id for one in kept.hits] == ["a"]


def test_texts_that_differ_in_a_number_or_a_name_are_different_facts() -> None:
    text = "the copy runs each night and keeps seven days of files on the second disk of the small server at port 8080"
    others = [text.replace("8080", "8081"), text.replace("small", "Heron"), text.replace("server", "mover_stop")]
    for other in others:
        assert len(collapse([hit("a", text=text), hit("b", text=other)], {}).hits) == 2


def test_known_other_places_are_listed_without_being_candidates_and_never_without_end() -> None:
    places = [Location(source="notes", path=f"{n}.md", lines=Lines(1, 1)) for n in range(ALSO_AT + 5)]
    kept = collapse([hit("a")], {ChunkId("a"): places})
    assert kept.hits[0].also_at == tuple(places[:ALSO_AT])


def test_pages_under_language_folders_are_twins_by_path_or_permalink() -> None:
    groups = twins(
        {
            DocumentId("en"): page("en/Sync/Plans.md", "sync/plans"),
            DocumentId("de"): page("de/Abgleich/Tarife.md", "sync/plans"),
            DocumentId("sv"): page("sv/Sync/Plans.md"),
            DocumentId("alone"): page("en/Other.md", "other"),
            DocumentId("root"): page("Plans.md", "sync/plans"),
        }
    )
    assert len({groups[DocumentId(code)] for code in ("en", "de", "sv")}) == 1
    assert set(groups) == {"en", "de", "sv"}


def test_what_is_no_translation_is_no_twin() -> None:
    assert not twins({DocumentId("a"): page("de/x.md"), DocumentId("b"): page("en/x.md", source="other")})
    assert not twins(
        {DocumentId("a"): page("it/hosts.yml", kind=Kind.DATA), DocumentId("b"): page("id/hosts.yml", kind=Kind.DATA)}
    )
    assert not twins({DocumentId("a"): page("en/x.md", "p"), DocumentId("b"): page("en/y.md", "p")})


def test_the_questions_language_is_shown_in_the_place_of_the_best_translation() -> None:
    hits = [
        hit("de1", 0.9, document="de", path="de/x.md"),
        hit("lone", 0.8),
        hit("en1", 0.7, document="en", path="en/x.md", lines=(4, 6)),
        hit("en2", 0.6, document="en", path="en/x.md"),
    ]
    groups = {DocumentId("de"): "x", DocumentId("en"): "x"}
    kept = one_language(hits, groups, languages=("en", ""))
    assert [one.chunk.id for one in kept.hits] == ["en1", "lone", "en2"]
    assert [at.path for at in kept.hits[0].also_at] == ["de/x.md"]
    assert [one.hit.chunk.id for one in kept.removed] == ["de1"]


def test_without_the_questions_language_the_readers_then_the_best_is_shown() -> None:
    hits = [hit("de", 0.9, path="de/x.md"), hit("sv", 0.8, path="sv/x.md")]
    groups = {DocumentId("de"): "x", DocumentId("sv"): "x"}
    assert [one.chunk.id for one in one_language(hits, groups, languages=("", "sv")).hits] == ["sv"]
    assert [one.chunk.id for one in one_language(hits, groups, languages=("tr", "")).hits] == ["de"]


def test_twins_share_one_cap() -> None:
    hits = [hit("a", document="de"), hit("b", document="en"), hit("c", document="en")]
    assert len(cap_per_document(hits, 2, groups={DocumentId("de"): "x", DocumentId("en"): "x"}).hits) == 2
