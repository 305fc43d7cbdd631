from __future__ import annotations

import pytest

from askwell.ids import document_id
from askwell.links.resolve import COMMON_DEFINITION, Resolver
from askwell.ports import Name
from askwell.types import Edge, EdgeKind


def name(
    path: str,
    *,
    source: str = "s",
    aliases: tuple[str, ...] = (),
    permalink: str = "",
    defines: tuple[str, ...] = (),
) -> Name:
    return Name(
        id=document_id(source, path),
        source=source,
        path=path,
        title=path,
        aliases=aliases,
        permalink=permalink,
        defines=defines,
    )


def resolved(target: str, *names: Name | str, origin: str = "x.md", kind: EdgeKind = EdgeKind.LINK) -> str | None:
    """Return the path of the document that `target` means in `origin`."""
    known = [n if isinstance(n, Name) else name(n) for n in names]
    found = Resolver(known).resolve(Edge(kind=kind, target=target), origin=("s", origin))
    return next((n.path for n in known if n.id == found), None) if found is not None else None


@pytest.mark.parametrize(
    "target", ["Note", "Note.md", "note", "NOTE.MD", "b/Note", "a/b/Note", "a/b/note.md", " Note "]
)
def test_a_note_is_found_by_its_name_or_the_end_of_its_path(target: str) -> None:
    assert resolved(target, "a/b/Note.md", "a/b/Other.md") == "a/b/Note.md"


@pytest.mark.parametrize("target", ["Not", "ote", "c/Note", "Note/b", "b/Not", "Note.txt", "../../Note", "/b/c/Note"])
def test_half_a_name_is_none(target: str) -> None:
    assert resolved(target, "a/b/Note.md") is None


def test_composition_does_not_count() -> None:
    assert resolved("Z\u030ciz\u030ckov", "m/Žižkov.md") == "m/Žižkov.md"
    assert resolved("žižkov", "m/Z\u030ciz\u030ckov.md") == "m/Z\u030ciz\u030ckov.md"


def test_an_exact_spelling_wins_over_another_case() -> None:
    assert resolved("readme.md", "README.md", "readme.md") == "readme.md"
    assert resolved("README.md", "README.md", "readme.md") == "README.md"


def test_several_that_fit_are_chosen_from_in_a_fixed_order() -> None:
    notes = ["deep/er/Note.md", "a/Note.md", "b/Note.md", "own/fold/er/Note.md"]
    assert resolved("Note", *notes, origin="own/fold/er/x.md") == "own/fold/er/Note.md"  # same folder
    assert resolved("Note", *notes, origin="own/x.md") == "a/Note.md"  # fewest folders, then path order
    assert resolved("Note", *notes, origin="b/c/d/x.md") == "b/Note.md"  # among equals the nearest
    assert resolved("Note", *notes, "Note.md", origin="b/c/d/x.md") == "Note.md"


def test_twins_in_language_folders_stay_in_their_language() -> None:
    notes = [f"{language}/Guide/Templates.md" for language in ("de", "en", "sv")]
    assert resolved("Templates", *notes, origin="sv/Other/x.md") == "sv/Guide/Templates.md"
    assert resolved("Guide/Templates", *notes, origin="en/x.md") == "en/Guide/Templates.md"


def test_a_wikilink_path_counts_from_the_root_and_a_markdown_path_from_the_note() -> None:
    notes = ["a/Note.md", "b/a/Note.md"]
    assert resolved("a/Note", *notes, origin="b/x.md") == "a/Note.md"
    assert resolved("a/Note.md", *notes, origin="b/x.md") == "b/a/Note.md"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("./Note", "a/b/Note.md"),
        ("./Note.md", "a/b/Note.md"),
        ("../Note.md", "a/Note.md"),
        ("../c/Note", "a/c/Note.md"),
        ("../../Note", "Note.md"),
        ("../../../Note", "Note.md"),  # from the page of the note, as sites count
        ("../../../../Note", None),
        ("c/../Note.md", "a/b/Note.md"),
        ("../nowhere.md", None),
    ],
)
def test_a_relative_path_counts_from_the_note(target: str, expected: str | None) -> None:
    notes = ["Note.md", "a/Note.md", "a/b/Note.md", "a/c/Note.md"]
    assert resolved(target, *notes, origin="a/b/x.md") == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/install/linux/", "content/en/install/linux.md"),
        ("/install/linux", "content/en/install/linux.md"),
        ("/install/linux.html", "content/en/install/linux.md"),
        ("/install/", "content/en/install/_index.md"),
        ("/en/install/", "content/en/install/_index.md"),
        ("/guide/start/", "content/en/guide/start/index.md"),
        ("../mac/", "content/en/install/mac.md"),
        ("mac.md", "content/en/install/mac.md"),
        ("../../guide/start", "content/en/guide/start/index.md"),
        ("/nowhere/", None),
    ],
)
def test_addresses_of_a_documentation_site(target: str, expected: str | None) -> None:
    pages = ["install/linux.md", "install/mac.md", "install/_index.md", "guide/start/index.md"]
    names = [f"content/en/{page}" for page in pages]
    assert resolved(target, *names, origin="content/en/install/linux.md") == expected


def test_a_bare_word_is_no_folder() -> None:
    assert resolved("install", "a/install/index.md") is None


def test_aliases_and_permalinks_come_after_names() -> None:
    note = name("a/Kubernetes.md", aliases=("K8s", "the cluster"), permalink="/infra/k8s/")
    assert resolved("k8s", note) == "a/Kubernetes.md"
    assert resolved("The Cluster", note) == "a/Kubernetes.md"
    assert resolved("infra/k8s", note) == "a/Kubernetes.md"
    assert resolved("K8s", note, "z/k8s.md") == "z/k8s.md"
    assert resolved("x", name("b/1.md", aliases=("x",)), name("a/2.md", aliases=("x",)), origin="b/o.md") == "b/1.md"


@pytest.mark.parametrize("target", ["https://h.example/Note", "//h.example/Note", "mailto:Note", "tel:1", "data:Note"])
def test_an_address_is_no_document(target: str) -> None:
    assert resolved(target, "Note.md", "h.example/Note.md", name("b.md", aliases=(target,))) is None


def test_nothing_means_the_document_itself() -> None:
    assert resolved("", "a/x.md", origin="a/x.md") == "a/x.md"
    assert resolved("", "a/y.md", origin="a/x.md") is None


@pytest.mark.parametrize(
    "target", ["/", ".", "..", "//", "./", "a//b", "\0", "#", "🗂️", "." * 5000, "/" * 5000, "a/" * 5000]
)
def test_any_target_is_legal(target: str) -> None:
    assert resolved(target, "Note.md", "a/c.md") is None


def test_other_files_are_found_by_their_full_name() -> None:
    assert resolved("data.json", "x/data.json", "x/data.md", kind=EdgeKind.EMBED) == "x/data.json"
    assert resolved("data", "x/data.json") is None


def test_a_tag_is_no_document() -> None:
    assert resolved("#Note", "Note.md", "#Note.md", kind=EdgeKind.TAG) is None


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("foo.sh", "bin/foo.sh"),
        ("./foo.sh", "bin/foo.sh"),
        ("lib/bar.php", "web/lib/bar.php"),
        ("../lib/bar.php", "web/lib/bar.php"),
        ("/usr/local/bin/foo.sh", "bin/foo.sh"),
        ("v-add-user", "bin/v-add-user"),
        ("other.sh", None),
    ],
)
def test_a_call_means_the_script_of_that_name(target: str, expected: str | None) -> None:
    scripts = ["bin/foo.sh", "old/bin/foo.sh", "web/lib/bar.php", "bin/v-add-user"]
    assert resolved(target, *scripts, origin="bin/run.sh", kind=EdgeKind.CALL) == expected


def test_a_mention_means_who_defines_the_setting() -> None:
    conf = name("etc/app.conf", defines=("MOVER_STOP", "--dry-run"))
    assert resolved("MOVER_STOP", conf, kind=EdgeKind.MENTION) == "etc/app.conf"
    assert resolved("--dry-run", conf, kind=EdgeKind.MENTION) == "etc/app.conf"
    assert resolved("mover_stop", conf, kind=EdgeKind.MENTION) is None
    assert resolved("MOVER_STOP", conf, origin="etc/app.conf", kind=EdgeKind.MENTION) is None


def test_a_setting_that_everything_defines_points_nowhere() -> None:
    few = [name(f"{n}.sh", defines=("LOG_FILE",)) for n in range(COMMON_DEFINITION)]
    assert resolved("LOG_FILE", *few, kind=EdgeKind.MENTION) == "0.sh"
    assert resolved("LOG_FILE", *few, name("z.sh", defines=("LOG_FILE",)), kind=EdgeKind.MENTION) is None


def test_a_setting_is_its_configuration_files_and_not_the_scripts_that_assign_it() -> None:
    scripts = [name(f"{n}.sh", defines=("COPY_AS_IS",)) for n in range(2 * COMMON_DEFINITION)]
    conf = name("usr/share/conf/default.conf", defines=("COPY_AS_IS",))
    assert resolved("COPY_AS_IS", *scripts, conf, kind=EdgeKind.MENTION) == "usr/share/conf/default.conf"


def test_a_pointer_never_leaves_its_source() -> None:
    other = name("Note.md", source="t", aliases=("N",), permalink="p", defines=("A_B",))
    resolver = Resolver([other, name("x.md")])
    for kind, target in [
        (EdgeKind.LINK, "Note"),
        (EdgeKind.LINK, "N"),
        (EdgeKind.EMBED, "/p"),
        (EdgeKind.CALL, "Note.md"),
        (EdgeKind.MENTION, "A_B"),
    ]:
        assert resolver.resolve(Edge(kind=kind, target=target), origin=name("x.md")) is None
        assert resolver.resolve(Edge(kind=kind, target=target), origin=("t", "y.md")) == (
            other.id if target != "/p" else None
        )
    assert resolver.resolve(Edge(kind=EdgeKind.LINK, target="Note"), origin=("unknown", "y.md")) is None
