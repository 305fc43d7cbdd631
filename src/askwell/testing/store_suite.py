"""What every `Store` promises, as checks that any implementation can be run through.

`CLAIMS` holds them all; each takes an empty store and raises AssertionError where a promise is broken.
Limits bind: what is forbidden outnumbers what is asked for, and is nearer.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from askwell.ids import fingerprint
from askwell.ports import LexicalQuery
from askwell.stores import bm25
from askwell.terms import query_terms
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, Item, fill, item, paths
from askwell.testing.store_suite_writing import WRITING_CLAIMS
from askwell.types import Arm, Filter, Kind, Metadata, PrivacyClass, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ids import ChunkId
    from askwell.ports import Store, Vector
    from askwell.types import Sighting


def ask(store: Store, question: str, *, k: int = 10, visible: Filter = OPEN_REQUEST) -> list[str]:
    """Return the paths that the lexical arm finds."""
    return paths(store, sightings(store, question, k=k, visible=visible))


def sightings(
    store: Store, question: str, *, k: int = 10, visible: Filter = OPEN_REQUEST
) -> Sequence[tuple[ChunkId, Sighting]]:
    """Return what the lexical arm sees."""
    return store.search_lexical(LexicalQuery(terms=query_terms(question)), k=k, visible=visible)


def angle(degrees: float) -> Vector:
    """Return a unit vector in the plane: its cosine to `angle(0)` is that of the angle."""
    radians = np.radians(degrees)
    return np.array([np.cos(radians), np.sin(radians), 0.0], dtype=np.float32)


# -- filter before the cut


def hidden_chunks_do_not_use_up_the_limit(store: Store) -> None:
    """With more forbidden chunks than `k`, and better ones, `k` permitted come back in each arm."""
    hidden = [item(f"p{n}.md", f"whisky whisky whisky {n}", class_=PERSONAL) for n in range(30)]
    shown = [item(f"o{n}.md", f"whisky and a long tale of other things {n}") for n in range(6)]
    vectors = {text(one): angle(n * 0.1) for n, one in enumerate(hidden)}
    vectors |= {text(one): angle(40 + n) for n, one in enumerate(shown)}
    fill(store, [*hidden, *shown], vectors=vectors)
    expected = {f"o{n}.md" for n in range(6)}
    assert set(ask(store, "whisky", k=6)) == expected
    assert set(ask(store, "whisky", k=50)) == expected
    found = store.search_vector(angle(0), k=6, visible=OPEN_REQUEST)
    assert paths(store, found) == [f"o{n}.md" for n in range(6)]
    assert len(store.search_vector(angle(0), k=50, visible=OPEN_REQUEST)) == 6
    assert len(ask(store, "whisky", k=50, visible=FULL_REQUEST)) == 36
    nobody = Filter(classes=frozenset())
    assert not sightings(store, "whisky", visible=nobody)
    assert not store.search_vector(angle(0), k=5, visible=nobody)


_CONDITIONS: dict[str, tuple[Filter, dict[str, object], dict[str, object]]] = {
    # condition → filter, what makes an item permitted, what makes it forbidden
    "source": (Filter(classes=frozenset({OPEN}), sources=frozenset({"notes"})), {}, {"source": "other"}),
    "kind": (
        Filter(classes=frozenset({OPEN}), kinds=frozenset({Kind.README, Kind.MANUAL})),
        {"kind": Kind.README},
        {"kind": Kind.CODE},
    ),
    "section": (
        Filter(classes=frozenset({OPEN}), sections=frozenset({"Configuration"})),
        {"section": "CONFIGURATION"},
        {"section": "USAGE"},
    ),
    "tag": (
        Filter(classes=frozenset({OPEN}), tags=frozenset({"#Home"})),
        {"metadata": Metadata(tags=("home/Lab",))},
        {"metadata": Metadata(tags=("homelab",))},
    ),
    "after": (
        Filter(classes=frozenset({OPEN}), after="2024-03-01"),
        {"metadata": Metadata(created="2020-01-01", updated="2024-03-01T10:00")},
        {"metadata": Metadata(created="2024-02-29")},
    ),
    "before": (
        Filter(classes=frozenset({OPEN}), before="2024"),
        {"metadata": Metadata(created="2024-12-31")},
        {"metadata": Metadata(created="2025-01-01")},
    ),
}


def every_condition_is_applied_before_the_cut(store: Store) -> None:
    """Source, kind, section, tag and dates: the permitted come back, however many others are better."""
    items: list[Item] = []
    vectors: dict[str, Vector] = {}
    for name, (_, permitted, forbidden) in _CONDITIONS.items():
        good = [item(f"{name}/good{n}.md", f"{name} petrel among many others {n}", **permitted) for n in range(4)]  # type: ignore[arg-type]  # keyword arguments of `item`
        bad = [item(f"{name}/bad{n}.md", f"{name} petrel petrel {n}", **forbidden) for n in range(25)]  # type: ignore[arg-type]  # as above
        vectors |= {text(one): angle(60 + n) for n, one in enumerate(good)}
        vectors |= {text(one): angle(n * 0.1) for n, one in enumerate(bad)}
        items += [*good, *bad]
    fill(store, items, vectors=vectors)
    for name, (visible, _, _) in _CONDITIONS.items():
        here = Filter(
            classes=visible.classes,
            sources=visible.sources,
            kinds=visible.kinds,
            sections=visible.sections,
            tags=visible.tags,
            after=visible.after,
            before=visible.before,
            paths=(f"{name}/**",),
        )
        expected = {f"{name}/good{n}.md" for n in range(4)}
        assert set(ask(store, f"{name} petrel", k=4, visible=here)) == expected, name
        assert set(paths(store, store.search_vector(angle(0), k=4, visible=here))) == expected, name
        assert {info.path for info in store.documents(visible=here)} == expected, name
    assert store.sections(visible=OPEN_REQUEST) == ("CONFIGURATION", "USAGE")
    assert store.sections(visible=Filter(classes=frozenset({OPEN}), paths=("tag/**",))) == ()
    assert store.sections(visible=Filter(classes=frozenset({PERSONAL}))) == ()


def conditions_compose(store: Store) -> None:
    """All conditions hold at once; within one, any value may match; an empty one does not count."""
    tagged = Metadata(tags=("a/b",), created="2024-05-05")
    fill(
        store,
        [
            item("x/one.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged),
            item("x/two.md", "tern", kind=Kind.DOC, section="Use", metadata=tagged),
            item("x/three.md", "tern", kind=Kind.NOTE, section="Other", metadata=tagged),
            item("y/four.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged),
            item("x/five.md", "tern", kind=Kind.NOTE, section="Use", metadata=Metadata(tags=("a/b",))),
            item("x/six.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged, class_=PERSONAL),
        ],
        vectors={"tern": angle(1)},
    )
    visible = Filter(
        classes=frozenset({OPEN}),
        sources=frozenset({"notes", "nowhere"}),
        kinds=frozenset({Kind.NOTE}),
        sections=frozenset({"use"}),
        paths=("x/*.md", "z/**"),
        tags=frozenset({"A", "q"}),
        after="2024-05",
        before="2024-05-05",
    )
    assert ask(store, "tern", visible=visible) == ["x/one.md"]
    assert paths(store, store.search_vector(angle(0), k=9, visible=visible)) == ["x/one.md"]
    assert [info.path for info in store.documents(visible=visible)] == ["x/one.md"]


def adding_personal_documents_changes_nothing_for_an_open_request(store: Store) -> None:
    """No result, order, score or count of an open request depends on what it may not see."""
    shown = [item(f"o{n}.md", f"heron bittern egret{n} {'stork ' * (n % 5)}") for n in range(70)]
    vectors = {text(one): angle(n * 1.3) for n, one in enumerate(shown)}
    fill(store, shown, vectors=vectors)
    before = _all_that_an_open_request_sees(store)
    hidden = [
        item(f"o{n}.md", f"heron heron stork egret{n}", source="diary", class_=PERSONAL, section="S") for n in range(90)
    ]
    copies = [item(f"c{n}.md", one[0].text, source="diary", class_=PERSONAL) for n, one in enumerate(shown)]
    with store.write() as writer:
        writer.put_source("diary", SourceType.FOLDER, "/diary")
        writer.put_documents([*hidden, *copies])
        writer.put_vectors("toy", [(fingerprint(text(one)), angle(n * 0.7)) for n, one in enumerate(hidden)])
        writer.mark_boilerplate({PERSONAL: [next(iter(store.text_hashes()))[0]]})
    assert _all_that_an_open_request_sees(store) == before


def _all_that_an_open_request_sees(store: Store) -> str:
    questions = ("heron", "heron stork", "egret7 bittern", "stork", "egret69", "nothing here")
    ids = [id for id, _ in sightings(store, "heron", k=5)]
    seen = [
        [sightings(store, question, k=25) for question in questions],
        [store.search_vector(angle(degrees), k=25, visible=OPEN_REQUEST) for degrees in (0, 33.3, 90)],
        store.frequencies(["heron", "stork", "egret7"], visible=OPEN_REQUEST),
        store.hits(ids, visible=OPEN_REQUEST),
        store.same_text(ids, visible=OPEN_REQUEST),
        store.documents(visible=OPEN_REQUEST),
        store.vector_counts(visible=OPEN_REQUEST),
        store.faults(visible=OPEN_REQUEST),
        [source for source in store.sources(visible=OPEN_REQUEST) if source.name != "diary"],
    ]
    return repr(seen)


# -- what a question may be


def any_text_is_a_legal_question(store: Store) -> None:
    """Nothing that a person types is an operator or an error, and nothing is found by punctuation alone."""
    fill(store, [item("a.md", "avocet AND plover NOT NEAR body: x"), item("b.md", "grebe")])
    for question in (
        "avocet AND",
        "avocet NOT plover",
        '"avocet',
        "body: avocet",
        "avocet*",
        "(avocet OR",
        "^avocet",
        "avocet -plover",
        "NEAR(avocet plover, 2)",
        "{body} : avocet",
        "'; DROP TABLE chunk; -- avocet",
        "avocet\x00plover",
        "avocet \ud800",
        "avocet " * 3000,
    ):
        assert ask(store, question)[:1] == ["a.md"], question
    for nothing in (
        "",
        " ",
        "\n\t",
        "???",
        "-",
        "---",
        '"',
        '""',
        "*",
        "…",
        "😀",
        "(",
        ")",
        "\0",
        "\u200b",
        "::",
        "\ud800",
    ):
        assert ask(store, nothing) == [], nothing


def no_term_is_an_operator(store: Store) -> None:
    """Terms that no analysis makes find nothing and break nothing."""
    fill(store, [item("a.md", "avocet plover")])
    for term in (
        '"',
        "avocet plover",
        "avo*",
        "NEAR(",
        "-",
        "",
        "AVOCET",
        "a\0b",
        "\ud800",
        "avocet OR plover",
        "body:avocet",
    ):
        assert store.search_lexical(LexicalQuery(terms={term: 1.0}), k=5, visible=OPEN_REQUEST) == (), term
    assert store.search_lexical(LexicalQuery(terms={}), k=5, visible=OPEN_REQUEST) == ()
    assert store.search_lexical(LexicalQuery(terms={"avocet": 1.0}), k=0, visible=OPEN_REQUEST) == ()


def names_are_found_whole_and_by_part(store: Store) -> None:
    """Identifiers, flags, versions, numbers and programming languages, as written and in pieces."""
    fill(
        store,
        [
            item("setting.md", "Set `MOVER_STOP_TIMEOUT=300` or run mover_stop.sh --dry-run first."),
            item("camel.md", "call parseFrontmatterKeys from obsidian.metadataCache v1.2.3 with 57,177 rows"),
            item(
                "languages.md",
                "Rewritten from C++ and C# to F# on .NET, mailto ops@heron.lan, #homelab/backup, 50% done",
            ),
            item("filler.md", "Nothing of the kind stands here at all, only words."),
        ],
    )
    for question, path in (
        ("MOVER_STOP_TIMEOUT", "setting.md"),
        ("mover_stop_timeout", "setting.md"),
        ("mover timeout", "setting.md"),
        ("--dry-run", "setting.md"),
        ("dry run", "setting.md"),
        ("mover_stop.sh", "setting.md"),
        ("mover-stop", "setting.md"),
        ("parseFrontmatterKeys", "camel.md"),
        ("frontmatter keys", "camel.md"),
        ("metadataCache", "camel.md"),
        ("v1.2.3", "camel.md"),
        ("1.2.3", "camel.md"),
        ("57,177", "camel.md"),
        ("57177", "camel.md"),
        ("C++", "languages.md"),
        ("C# or F#?", "languages.md"),
        (".NET", "languages.md"),
        ("@heron.lan", "languages.md"),
        ("#homelab/backup", "languages.md"),
        ("50%", "languages.md"),
    ):
        assert ask(store, question)[:1] == [path], question


def scripts_and_spellings_match(store: Store) -> None:
    """Turkish i's, diacritics, composed or not, width, and words of one and two characters without spaces."""
    fill(
        store,
        [
            item("turkish.md", "İSTANBUL notları: ısı pompası, IŞIK kapalı, İNCİR."),
            item("swedish.md", unicodedata.normalize("NFD", "Räksmörgås är bäst på ön, ærlig talt Straße")),
            item("japanese.md", "設定画面で猫を選ぶ。データベース"),
            item("korean.md", "서버를 다시 시작합니다"),
            item("thai.md", "สวัสดีครับ ยินดีต้อนรับ"),
        ],
    )
    for question, path in (
        ("istanbul", "turkish.md"),
        ("ISTANBUL", "turkish.md"),
        ("ıstanbul", "turkish.md"),
        ("ISI", "turkish.md"),
        ("ışık", "turkish.md"),
        ("incir", "turkish.md"),
        ("İncir", "turkish.md"),
        ("räksmörgås", "swedish.md"),
        ("RAKSMORGAS", "swedish.md"),
        (unicodedata.normalize("NFD", "räksmörgås"), "swedish.md"),
        ("aerlig", "swedish.md"),
        ("strasse", "swedish.md"),
        ("設定", "japanese.md"),
        ("猫", "japanese.md"),
        ("画面を選ぶ", "japanese.md"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "japanese.md"),
        ("서버", "korean.md"),
        ("ยินดี", "thai.md"),
    ):
        assert ask(store, question) == [path], question


# -- order and scores


def boilerplate_ranks_behind_and_stays_findable(store: Store) -> None:
    """A text of many documents comes after its equals, once; its copies come last, and are there if asked for."""
    banner = "gannet gannet licence banner"
    many = [item(f"b{n:02}.md", banner, title="t") for n in range(12)]
    fill(store, [*many, item("real.md", "gannet colony", title="t"), *(item(f"f{n}.md", f"auk {n}") for n in range(9))])
    assert ask(store, "gannet", k=1) != ["real.md"]
    keys = {key for key, document, _ in store.text_hashes() if document == many[0][0].id}
    with store.write() as writer:
        writer.mark_boilerplate({OPEN: keys})
    found = sightings(store, "gannet colony licence", k=20)
    order = paths(store, found)
    assert order[0] == "real.md"
    assert len(order) == 13
    assert found[1][1].score > 10 * found[2][1].score
    assert [one.rank for _, one in found] == list(range(1, 14))
    assert store.hits([found[1][0]], visible=OPEN_REQUEST)[found[1][0]][0].boilerplate
    assert ask(store, "licence banner", k=1)[0].startswith("b")


def boilerplate_is_judged_by_what_the_audience_sees(store: Store) -> None:
    """What is boilerplate only together with personal documents is none for an open request."""
    fill(store, [item("o.md", "fulmar"), *(item(f"p{n}.md", "fulmar", class_=PERSONAL) for n in range(9))])
    keys = {key for key, _, _ in store.text_hashes()}
    (id, before), *_ = sightings(store, "fulmar")
    with store.write() as writer:
        writer.mark_boilerplate({OPEN: [], PERSONAL: keys})
    assert sightings(store, "fulmar") == ((id, before),)
    assert not store.hits([id], visible=OPEN_REQUEST)[id][0].boilerplate
    assert store.hits([id], visible=FULL_REQUEST)[id][0].boilerplate


def common_words_neither_drown_nor_hide(store: Store) -> None:
    """A word that stands everywhere does not outrank a rare one, and still fills the places that are left."""
    fill(
        store,
        [*(item(f"{n:03}.md", f"skua {'skua ' * (n % 3)}{n}") for n in range(120)), item("rare.md", "skua dunlin")],
    )
    assert ask(store, "skua dunlin", k=1) == ["rare.md"]
    found = ask(store, "skua dunlin", k=30)
    assert found[0] == "rare.md"
    assert len(found) == 30
    elsewhere = Filter(classes=frozenset({OPEN}), paths=("00*.md",))
    assert len(ask(store, "skua dunlin", k=5, visible=elsewhere)) == 5


def lexical_scores_are_bm25(store: Store) -> None:
    """A hand-computed score: idf, term frequency, length, and the weight of a term in the question."""
    fill(
        store,
        [
            item("a.md", "knot knot ruff", title="-"),
            item("b.md", "ruff", title="-"),
            item("c.md", "stint", title="-"),
            item("d.md", "stint stint", title="-"),
            item("e.md", "smew", title="-"),
        ],
    )
    found = store.search_lexical(LexicalQuery(terms={"knot": 0.5}), k=5, visible=OPEN_REQUEST)
    average = (3 + 1 + 1 + 2 + 1) / 5
    expected = 0.5 * bm25.idf(1, 5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / average))
    assert len(found) == 1
    assert abs(found[0][1].score - expected) < 1e-9
    assert found[0][1].arm is Arm.LEXICAL


def titles_weigh_more_than_bodies(store: Store) -> None:
    """Of two chunks alike, the one with the word in its title comes first."""
    fill(
        store,
        [
            item("1.md", "dotterel", title="lapwing"),
            item("2.md", "lapwing", title="dotterel"),
            *(item(f"f{n}.md", f"filler{n}") for n in range(8)),
        ],
    )
    assert ask(store, "lapwing") == ["1.md", "2.md"]
    assert ask(store, "dotterel") == ["2.md", "1.md"]


def ties_are_broken_by_chunk_id(store: Store) -> None:
    """Equal scores come in the order of chunk ids, in both arms, wherever the cut falls."""
    alike = [item(f"{n}.md", "curlew", title="same") for n in range(40)]
    fill(store, [*alike, *(item(f"x{n}.md", f"other{n}") for n in range(60))], vectors={"curlew": angle(10)})
    ids = sorted(chunks[0].id for _, chunks, _ in alike)
    for k in (1, 7, 40):
        assert [id for id, _ in sightings(store, "curlew", k=k)] == ids[:k]
        assert [id for id, _ in store.search_vector(angle(0), k=k, visible=OPEN_REQUEST)] == ids[:k]


def cosines_are_exact_and_in_range(store: Store) -> None:
    """Vector scores are cosines in [-1, 1], best first, ranks from 1."""
    degrees = (0, 10, 45, 90, 135, 180)
    fill(store, [item(f"{d}.md", f"text {d}") for d in degrees], vectors={f"text {d}": angle(d) for d in degrees})
    found = store.search_vector(angle(0), k=10, visible=OPEN_REQUEST)
    assert paths(store, found) == [f"{d}.md" for d in degrees]
    assert [sighting.rank for _, sighting in found] == [1, 2, 3, 4, 5, 6]
    for (_, sighting), d in zip(found, degrees, strict=True):
        assert sighting.arm is Arm.VECTOR
        assert -1.0 <= sighting.score <= 1.0
        assert abs(sighting.score - np.cos(np.radians(d))) < 1e-6
    assert len(store.search_vector(angle(0), k=2, visible=OPEN_REQUEST)) == 2
    assert store.search_vector(angle(0), k=0, visible=OPEN_REQUEST) == ()


def frequencies_are_of_the_class(store: Store) -> None:
    """Counts of terms and chunks are over the filter's classes; its other conditions do not matter."""
    fill(store, [item("a.md", "wigeon\n\nwigeon teal"), item("b.md", "teal", class_=PERSONAL), item("c.md", "smew")])
    terms = ("wigeon", "teal", "nothing", "wigeon teal")
    for classes, expected, total in (
        ({OPEN}, (2, 1, 0, 0), 3),
        ({PERSONAL}, (0, 1, 0, 0), 1),
        (set(PrivacyClass), (2, 2, 0, 0), 4),
        (set(), (0, 0, 0, 0), 0),
    ):
        visible = Filter(classes=frozenset(classes), paths=("none/**",))
        assert store.frequencies(terms, visible=visible) == (dict(zip(terms, expected, strict=True)), total), classes


def text(one: Item) -> str:
    """Return an item's text: its only paragraph, by which its vector is known."""
    return one[0].text


SEARCHING_CLAIMS: tuple[Callable[[Store], None], ...] = (
    hidden_chunks_do_not_use_up_the_limit,
    every_condition_is_applied_before_the_cut,
    conditions_compose,
    adding_personal_documents_changes_nothing_for_an_open_request,
    any_text_is_a_legal_question,
    no_term_is_an_operator,
    names_are_found_whole_and_by_part,
    scripts_and_spellings_match,
    boilerplate_ranks_behind_and_stays_findable,
    boilerplate_is_judged_by_what_the_audience_sees,
    common_words_neither_drown_nor_hide,
    lexical_scores_are_bm25,
    titles_weigh_more_than_bodies,
    ties_are_broken_by_chunk_id,
    cosines_are_exact_and_in_range,
    frequencies_are_of_the_class,
)

CLAIMS = (*SEARCHING_CLAIMS, *WRITING_CLAIMS)
