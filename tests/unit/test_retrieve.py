from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from tests.unit.rank.index import Doc, doc, fill, link
from tests.unit.rank.words import WordVectors

from askwell.errors import BadRequest, EmbeddingSpaceChanged, ModelUnavailable
from askwell.retrieve import RetrievalSettings, retrieve
from askwell.stores.sqlite import open_store
from askwell.testing.memory_store import MemoryStore
from askwell.types import Arm, EdgeKind, Filter, Kind, Lines, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from askwell.ports import Embedder, Reranker, Store
    from askwell.types import Ranking

OPEN = Filter(classes=frozenset({PrivacyClass.OPEN}))
ALL = Filter(classes=frozenset(PrivacyClass))
DEFAULT = RetrievalSettings()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    else:
        made = open_store(tmp_path / "index.db", create=True, read_only=False)
    yield made
    made.close()


def ask(
    store: Store,
    question: str,
    *,
    embedder: Embedder | None = None,
    visible: Filter = OPEN,
    k: int = 8,
    reranker: Reranker | None = None,
    expected: str | None = None,
    settings: RetrievalSettings = DEFAULT,
) -> Ranking:
    ticks = count()
    return retrieve(
        question,
        store=store,
        embedder=embedder,
        visible=visible,
        settings=settings,
        k=k,
        reranker=reranker,
        clock=lambda: next(ticks) / 1000,
        expected=expected,
    )


def paths(ranking: Ranking) -> list[str]:
    return [hit.path for hit in ranking.hits]


# -- requests


@pytest.mark.parametrize("question", ["", " ", "\n\t", "???", "---", '""', "*", "…", "😀", "(", "\0", "\u200b", "::"])
def test_nothing_to_search_for_is_said(store: Store, question: str) -> None:
    with pytest.raises(BadRequest, match="nothing to search for") as caught:
        ask(store, question)
    assert caught.value.hint


@pytest.mark.parametrize("k", [0, -1, 1001])
def test_the_number_of_hits_is_bounded(store: Store, k: int) -> None:
    with pytest.raises(BadRequest, match=f"not {k}"):
        ask(store, "heron", k=k)


@pytest.mark.parametrize(
    "question",
    [
        "what's the heron's window, roughly?",
        "heron AND disk",
        "NEAR(heron disk)",
        '"unbalanced heron',
        "title: heron*",
        "heron NOT disk",
        "(heron OR",
        "^heron",
        "'; DROP TABLE chunks; -- heron",
        "heron\0\ud800",
    ],
)
def test_nothing_a_person_types_is_an_operator(store: Store, question: str) -> None:
    fill(store, [doc("heron.md", "the heron disk window"), doc("other.md", "something else")])
    assert paths(ask(store, question))[0] == "heron.md"


def test_a_pasted_page_is_a_question_too(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron disk window")], embedder=WordVectors())
    embedder = WordVectors()
    ranking = ask(store, "heron disk\n" + "line of a log 2024-01-01 error\n" * 4000, embedder=embedder)
    assert paths(ranking) == ["heron.md"]
    assert embedder.count_tokens(embedder.asked[0]) <= embedder.max_tokens


# -- arms


def test_both_arms_say_what_they_saw_and_agreement_wins(store: Store) -> None:
    docs = [doc(f"{n}.md", f"which is my favourite day {n}") for n in range(8)]
    fill(store, [*docs, doc("colour.md", "my favourite colour is teal")], embedder=WordVectors())
    ranking = ask(store, "which is my favourite colour?", embedder=WordVectors())
    assert paths(ranking)[0] == "colour.md"
    assert {seen.arm for seen in ranking.hits[0].sightings} == {Arm.LEXICAL, Arm.VECTOR}
    assert not ranking.missing_arms
    assert ranking.signals.best_cosine is not None
    assert set(ranking.timings) >= {"embed", "lexical", "vector", "rank", "evidence"}


def test_without_an_embedder_words_go_on_and_say_so(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")], embedder=WordVectors())
    ranking = ask(store, "heron")
    assert paths(ranking) == ["heron.md"]
    assert ranking.missing_arms == {Arm.VECTOR: "no embedding model is configured"}
    assert ranking.signals.best_cosine is None


def test_a_model_that_is_down_is_a_missing_arm_in_its_words(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")], embedder=WordVectors())
    ranking = ask(store, "heron", embedder=WordVectors(down=True))
    assert paths(ranking) == ["heron.md"]
    assert ranking.missing_arms == {Arm.VECTOR: "the embedding model does not answer"}


def test_before_the_first_vector_the_arm_is_missing_and_no_model_is_asked(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")])
    embedder = WordVectors()
    ranking = ask(store, "heron", embedder=embedder)
    assert ranking.missing_arms == {Arm.VECTOR: "no chunk has a vector yet"}
    assert not embedder.asked


def test_vectors_that_are_not_complete_are_told(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")], embedder=WordVectors())
    fill(store, [doc("later.md", "a heron that came later")], source="late")
    ranking = ask(store, "heron", embedder=WordVectors())
    assert ranking.warnings == ("1 of 2 chunks have no vector yet",)
    assert sorted(paths(ranking)) == ["heron.md", "later.md"]


def test_another_embedding_space_is_an_error_never_words_alone(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")], embedder=WordVectors())
    with pytest.raises(EmbeddingSpaceChanged, match="words/d64"):
        ask(store, "heron", embedder=WordVectors(name="other"))


def test_nothing_matches_is_an_empty_ranking(store: Store) -> None:
    fill(store, [doc("heron.md", "the heron")])
    ranking = ask(store, "quasar")
    assert (ranking.hits, ranking.signals.rare_coverage) == ((), 0.0)
    assert ranking.signals.rare_missing == ("quasar",)


def test_the_exact_name_outranks_whatever_is_near_in_meaning(store: Store) -> None:
    embedder = WordVectors(fixed={"XQ_PAUSE": _unit(1.0, 0.0)})
    near = [doc(f"{n}.md", f"other words {n}", vectors=(_unit(1.0, 0.01 * n),)) for n in range(12)]
    exact = doc("conf.yml", "XQ_PAUSE: 300", kind=Kind.DATA, vectors=(_unit(0.0, 1.0),))
    fill(store, [*near, exact], embedder=embedder)
    assert paths(ask(store, "XQ_PAUSE", embedder=embedder))[0] == "conf.yml"


# -- filters


def test_forbidden_neighbours_never_use_up_the_places(store: Store) -> None:
    near = [(1.0, 0.01 * n) for n in range(60)]
    far = [(0.2, 1.0 + n) for n in range(5)]
    question = "heron"
    embedder = WordVectors(fixed={question: _unit(1.0, 0.0)})
    hidden = [
        doc(f"p{n}.md", f"heron heron heron {n}", personal=True, vectors=(_unit(*v),)) for n, v in enumerate(near)
    ]
    shown = [doc(f"o{n}.md", f"heron and much other text {n}", vectors=(_unit(*v),)) for n, v in enumerate(far)]
    fill(store, [*hidden, *shown], embedder=embedder)
    ranking = ask(store, question, embedder=embedder, k=5)
    assert sorted(paths(ranking)) == [f"o{n}.md" for n in range(5)]
    assert [hit.seen_by(Arm.VECTOR) is not None for hit in ranking.hits] == [True] * 5
    assert len(ask(store, question, embedder=embedder, k=5, visible=ALL).hits) == 5


def test_every_condition_of_a_filter_is_hard(store: Store) -> None:
    docs = [doc(f"notes/{n}.md", f"heron heron {n}") for n in range(50)]
    fill(store, [*docs, doc("README.md", "a heron, once", kind=Kind.README)])
    kinds = Filter(classes=OPEN.classes, kinds=frozenset({Kind.README}))
    assert paths(ask(store, "heron", visible=kinds)) == ["README.md"]
    assert paths(ask(store, "heron", visible=Filter(classes=OPEN.classes, paths=("README*",)))) == ["README.md"]


def test_hidden_chunks_count_in_no_evidence_and_no_warning(store: Store) -> None:
    fill(store, [doc("a.md", "heron"), doc("b.md", "disk and weir")], embedder=WordVectors())
    before = ask(store, "heron pigeon disk", embedder=WordVectors(), k=1)
    hidden = [doc(f"p{n}.md", f"heron disk {n}", personal=True) for n in range(30)]
    fill(store, hidden, source="diary")
    after = ask(store, "heron pigeon disk", embedder=WordVectors(), k=1)
    assert 0 < before.signals.rare_coverage < 1
    assert after.signals == before.signals
    assert after.warnings == before.warnings == ()
    assert ask(store, "heron pigeon disk", embedder=WordVectors(), visible=ALL).warnings != ()


# -- diversity


def test_two_chunks_a_document_however_well_it_matches(store: Store) -> None:
    crowd = doc("crowd.md", *(f"heron heron heron number {n}" for n in range(300)))
    others = [doc(f"{n}.md", f"a heron among other words in note {n}") for n in range(6)]
    fill(store, [crowd, *others])
    found = paths(ask(store, "heron"))
    assert found.count("crowd.md") == 2
    assert len(found) == 8


def test_the_cap_gives_way_before_places_stay_empty(store: Store) -> None:
    fill(store, [doc("only.md", *(f"heron number {n} {'x' * n}" for n in range(20)))])
    ranking = ask(store, "heron")
    assert len(ranking.hits) == 8
    assert "more of its document than usual, for want of others" in ranking.hits[-1].moves


def test_the_same_text_is_one_hit_that_lists_every_visible_place(store: Store) -> None:
    text = "the heron stands by the weir"
    hidden = [doc(f"p{n}.md", text, personal=True) for n in range(9)]
    fill(store, [doc("a.md", text), doc("b.md", text), *hidden])
    ranking = ask(store, "heron weir")
    assert len(ranking.hits) == 1
    assert {ranking.hits[0].path, *(at.path for at in ranking.hits[0].also_at)} == {"a.md", "b.md"}


def test_a_page_in_three_languages_is_one_document_in_the_questions(store: Store) -> None:
    pages = [
        doc("en/Backup.md", "The backup of the vault and how it is kept", permalink="backup"),
        doc("de/Sicherung.md", "Das Backup vom vault und wie es aufbewahrt wird", permalink="backup"),
        doc("tr/Yedek.md", "vault backup yedek nasıl saklanır", permalink="backup"),
    ]
    fill(store, [*pages, doc("en/Other.md", "backup elsewhere")])
    german = ask(store, "wie wird das backup vom vault aufbewahrt und wo ist es")
    assert paths(german) == ["de/Sicherung.md", "en/Other.md"]
    assert {at.path for at in german.hits[0].also_at} == {"en/Backup.md", "tr/Yedek.md"}
    english = ask(store, "how is the backup of the vault kept")
    assert paths(english)[0] == "en/Backup.md"


# -- links


def topic_vault(hidden: int) -> list[Doc]:
    members = [f"p{n}.md" for n in range(hidden)] + ["s0.md", "s1.md", "s2.md"]
    topic = doc(
        "topic.md",
        "everything on birds",
        edges=tuple(link(EdgeKind.TOPIC, target) for target in ["hit.md", *members]),
    )
    secret = [doc(path, "a hidden note", personal=True) for path in members if path.startswith("p")]
    shown = [doc(path, f"sibling {path}") for path in members if path.startswith("s")]
    return [topic, doc("hit.md", "the heron"), *secret, *shown]


def test_forbidden_neighbours_do_not_use_up_the_quota(store: Store) -> None:
    fill(store, topic_vault(hidden=60))
    ranking = ask(store, "heron", settings=RetrievalSettings(expansion=True, quota=2))
    assert paths(ranking)[0] == "hit.md"
    assert set(paths(ranking)[1:]) <= {"topic.md", "s0.md", "s1.md", "s2.md"}
    assert len(ranking.hits) >= 3
    assert all(hit.seen_by(Arm.GRAPH) for hit in ranking.hits[1:])


def test_a_hidden_topic_note_connects_nothing(store: Store) -> None:
    docs = [
        doc("topic.md", "x", personal=True, edges=(link(EdgeKind.TOPIC, "hit.md"), link(EdgeKind.TOPIC, "s.md"))),
        doc("hit.md", "the heron"),
        doc("s.md", "a sibling"),
    ]
    fill(store, docs)
    expanding = RetrievalSettings(expansion=True)
    assert paths(ask(store, "heron", settings=expanding)) == ["hit.md"]
    assert set(paths(ask(store, "heron", settings=expanding, visible=ALL))) == {"hit.md", "s.md", "topic.md"}


def test_expansion_obeys_the_whole_filter(store: Store) -> None:
    fill(store, topic_vault(hidden=0))
    narrowed = Filter(classes=OPEN.classes, paths=("hit.md", "s1.md"))
    assert set(paths(ask(store, "heron", settings=RetrievalSettings(expansion=True), visible=narrowed))) <= {
        "hit.md",
        "s1.md",
    }


def embedding_vault() -> list[Doc]:
    return [
        doc(
            "teams.md",
            "syncing for teams goes through one of the regions below",
            edges=(link(EdgeKind.EMBED, "regions.md", fragment="^list"),),
        ),
        doc(
            "regions.md",
            "an introduction",
            "Frankfurt, Sydney, San Francisco",
            anchors={"^list": Lines(2, 2)},
        ),
    ]


def test_what_a_hit_embeds_comes_along_cited_where_it_stands(store: Store) -> None:
    fill(store, embedding_vault())
    ranking = ask(store, "syncing teams")
    assert [(hit.path, hit.chunk.lines) for hit in ranking.hits] == [
        ("teams.md", Lines(1, 1)),
        ("regions.md", Lines(2, 2)),
    ]
    assert ranking.hits[1].moves == ("x0.9 embedded in teams.md at line 1",)


def test_embedded_text_names_the_document_that_shows_it(store: Store) -> None:
    fill(store, embedding_vault())
    ranking = ask(store, "Sydney")
    assert [(at.path, at.lines) for at in ranking.hits[0].also_at] == [("teams.md", Lines(1, 1))]


def test_a_hidden_embed_shows_nothing_and_is_not_named(store: Store) -> None:
    teams, regions = embedding_vault()
    fill(store, [teams, doc("regions.md", *regions.texts, personal=True, anchors=regions.anchors)])
    assert paths(ask(store, "syncing teams")) == ["teams.md"]


def test_a_hidden_document_that_embeds_is_not_named(store: Store) -> None:
    teams, regions = embedding_vault()
    fill(store, [doc("teams.md", *teams.texts, personal=True, edges=teams.edges), regions])
    assert ask(store, "Sydney").hits[0].also_at == ()


# -- rerank


class ByLength:
    trust = "local"

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


class Away(ByLength):
    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        raise ModelUnavailable("the reranker does not answer")


def test_a_reranker_has_the_last_word_and_scores_stay_in_order(store: Store) -> None:
    fill(store, [doc("short.md", "heron"), doc("long.md", "a heron with many other words around it")])
    ranking = ask(store, "heron", reranker=ByLength())  # type: ignore[arg-type]  # trust is a plain attribute here
    assert paths(ranking) == ["long.md", "short.md"]
    assert ranking.hits[0].score >= ranking.hits[1].score


def test_a_reranker_that_is_away_is_told_and_costs_no_hit(store: Store) -> None:
    fill(store, [doc("a.md", "heron")])
    ranking = ask(store, "heron", reranker=Away())  # type: ignore[arg-type]  # trust is a plain attribute here
    assert paths(ranking) == ["a.md"]
    assert ranking.missing_arms[Arm.RERANK] == "the reranker does not answer"


# -- why not


def test_an_expected_document_is_accounted_for(store: Store) -> None:
    docs = [doc(f"{n}.md", f"heron {n}") for n in range(9)]
    fill(store, [*docs, doc("sub/far.md", "nothing of the kind"), doc("p.md", "heron", personal=True)])
    assert ask(store, "heron 3", k=2, expected="3.md").why_not == "3.md is here, ranked 1"
    assert "after the first 1" in ask(store, "heron", k=1, expected="8.md").why_not
    far = ask(store, "heron", expected="far.md", settings=RetrievalSettings(depth=40)).why_not
    assert far == "sub/far.md is in the index, not matched by words; an arm's first 40 are looked at"
    narrowed = Filter(classes=OPEN.classes, paths=("1.md",))
    assert "filters" in ask(store, "heron", expected="2.md", visible=narrowed).why_not


def test_a_hidden_document_is_accounted_for_like_one_that_never_was(store: Store) -> None:
    fill(store, [doc("a.md", "heron"), doc("p.md", "heron", personal=True)])
    hidden = ask(store, "heron", expected="p.md").why_not
    assert hidden.replace("p.md", "X") == ask(store, "heron", expected="q.md").why_not.replace("q.md", "X")
    assert "ranked" in ask(store, "heron", expected="p.md", visible=ALL).why_not


def _unit(x: float, y: float) -> tuple[float, ...]:
    norm = (x * x + y * y) ** 0.5
    return (x / norm, y / norm, *[0.0] * 62)
