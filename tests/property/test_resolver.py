"""A resolver stays inside a source, and what it says does not depend on the order of what it knows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.links.test_resolve import name

from askwell.links.resolve import Resolver
from askwell.types import Edge, EdgeKind

part = st.sampled_from(["a", "b", "A", "Note", "index", "é", "e\u0301", "x.y"])
path = st.builds(
    lambda folders, last, extension: "/".join([*folders, last + extension]),
    st.lists(part, max_size=3),
    part,
    st.sampled_from([".md", "", ".sh", ".MD"]),
)
names = st.lists(
    st.builds(
        name,
        path,
        source=st.sampled_from(["s", "t"]),
        aliases=st.lists(part, max_size=2).map(tuple),
        permalink=st.sampled_from(["", "a", "a/b"]),
        defines=st.lists(st.sampled_from(["A_B", "--x"]), max_size=2).map(tuple),
    ),
    max_size=12,
    unique_by=lambda n: (n.source, n.path),
)
target = path | st.sampled_from(["", "/", "..", "../a", "./Note", "/a/b/", "a/", "A_B", "--x", "/x.y.html"])
edges = st.builds(lambda kind, to: Edge(kind=kind, target=to), st.sampled_from(EdgeKind), target)


@given(names, edges, path)
def test_a_target_is_a_document_of_the_same_source(known: list, edge: Edge, origin: str) -> None:  # type: ignore[type-arg]
    found = Resolver(known).resolve(edge, origin=("s", origin))
    assert found is None or found in {n.id for n in known if n.source == "s"}


# Few names in many folders, so that most pointers have several documents to choose from.
crowded = st.lists(
    st.builds(
        name,
        st.builds(
            lambda folder, last: f"{folder}{last}",
            st.sampled_from(["", "a/", "b/", "c/", "a/b/", "b/a/", "c/d/", "a/b/c/"]),
            st.sampled_from(["N.md", "n.md", "a.md", "index.md"]),
        ),
        aliases=st.lists(st.just("x"), max_size=1).map(tuple),
        defines=st.lists(st.just("A_B"), max_size=1).map(tuple),
    ),
    min_size=2,
    max_size=10,
    unique_by=lambda n: n.path,
)
loose = st.builds(
    lambda kind, to: Edge(kind=kind, target=to),
    st.sampled_from([EdgeKind.LINK, EdgeKind.CALL, EdgeKind.MENTION]),
    st.sampled_from(["N", "N.md", "a", "a.md", "b/N", "x", "A_B", "/a/", "b/"]),
)


@given(st.one_of(crowded, names), loose | edges, st.sampled_from(["o.md", "a/o.md", "c/o.md", "a/b/o.md", "z/o.md"]))
def test_the_order_of_names_does_not_matter(known: list, edge: Edge, origin: str) -> None:  # type: ignore[type-arg]
    forwards = Resolver(known).resolve(edge, origin=("s", origin))
    assert Resolver(known[::-1]).resolve(edge, origin=("s", origin)) == forwards


@given(names, path)
def test_every_document_is_found_by_its_own_path(known: list, origin: str) -> None:  # type: ignore[type-arg]
    resolver = Resolver(known)
    for n in known:
        assert resolver.resolve(Edge(kind=EdgeKind.LINK, target="/" + n.path), origin=(n.source, origin)) == n.id
