"""Scores, ranks and ties of both arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askwell.ports import LexicalQuery
from askwell.stores import bm25
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, fill, item, paths
from askwell.testing.store_suite.asking import angle, ask, sightings
from askwell.types import Arm, Filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store


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


CLAIMS: tuple[Callable[[Store], None], ...] = (
    boilerplate_ranks_behind_and_stays_findable,
    boilerplate_is_judged_by_what_the_audience_sees,
    common_words_neither_drown_nor_hide,
    lexical_scores_are_bm25,
    titles_weigh_more_than_bodies,
    ties_are_broken_by_chunk_id,
    cosines_are_exact_and_in_range,
)
