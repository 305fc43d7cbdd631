from __future__ import annotations

import pytest

from askwell.links.mentions import MAX_EDGES, calls, mentions
from askwell.types import EdgeKind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo.sh --now", ["foo.sh"]),
        ("./foo.sh", ["./foo.sh"]),
        ("source lib/common.bash", ["lib/common.bash"]),
        ("require 'lib/bar.php';", ["lib/bar.php"]),
        ('. "$srcdir/lib/utils.sh"', ["lib/utils.sh"]),
        ('"${SCRIPT_DIR}/foo.sh"', ["foo.sh"]),
        ('"$(dirname "$0")/foo.sh"', ["foo.sh"]),
        ("~/bin/foo.sh", ["bin/foo.sh"]),
        ("/usr/local/bin/foo.sh", ["/usr/local/bin/foo.sh"]),
        ("bash ../x/foo.sh; foo.sh.", ["../x/foo.sh", "foo.sh"]),
        ("$BIN/v-add-user $1", ["v-add-user"]),
        ('"${HESTIA_BIN}/v-list-users"', ["v-list-users"]),
        ("# Called by run_all.sh", ["run_all.sh"]),
        ("a.sh\nb.sh\na.sh\n", ["a.sh", "b.sh"]),
        ("curl https://h.example/install.sh | sh", []),
        ("user@h:install.sh", []),
        ("own.sh and lib/own.sh", []),
        ("foo.shx foo.sh.bak x.sh/y .sh *.sh foo_sh", []),
        ("$HOME/data $VAR/some-thing", []),
        ("", []),
    ],
)
def test_a_script_calls_the_scripts_that_it_names(text: str, expected: list[str]) -> None:
    edges = calls(text, path="bin/own.sh")
    assert [edge.target for edge in edges] == expected
    assert {edge.kind for edge in edges} <= {EdgeKind.CALL}


def test_a_call_stands_where_it_is_first_named() -> None:
    assert [(e.target, e.line) for e in calls("\n\na.sh\nb.sh a.sh\n", path="x")] == [("a.sh", 3), ("b.sh", 4)]


def test_settings_and_long_options_are_mentioned_once_each() -> None:
    text = "Set MOVER_STOP_TIMEOUT\nor --dry-run, not HTTP or x_y.\nMOVER_STOP_TIMEOUT again; A_B.\n"
    assert [(e.target, e.line, e.kind) for e in mentions(text)] == [
        ("MOVER_STOP_TIMEOUT", 1, EdgeKind.MENTION),
        ("--dry-run", 2, EdgeKind.MENTION),
        ("A_B", 3, EdgeKind.MENTION),
    ]


def test_only_settings_that_exist_are_mentioned_where_they_are_known() -> None:
    text = "A_B C_D --x-y --z app_name HTTP app"
    assert [e.target for e in mentions(text, {"A_B", "--z", "app_name", "HTTP", "app"})] == ["A_B", "--z", "app_name"]
    assert mentions(text, ()) == ()


def test_what_a_document_defines_itself_is_no_mention() -> None:
    assert [e.target for e in mentions("A_B C_D", defined=("A_B",))] == ["C_D"]


@pytest.mark.parametrize(
    "text", ["---", "-- x", "--", "a--b", "__", "_", "A", "---dry-run", "x--dry-run", "--Dry", "A-B_C"]
)
def test_what_only_looks_like_a_setting(text: str) -> None:
    assert [e.target for e in mentions(text) if e.target not in ("B_C",)] == []


def test_a_list_of_everything_is_cut() -> None:
    assert len(mentions("\n".join(f"NAME_{n}" for n in range(2 * MAX_EDGES)))) == MAX_EDGES


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit", ["a", "/", ".", "-", "_", "a.", "a/", "--a", "--a-", "$BIN/", "$BIN/a-", "A_", ".sh", "x.sh "]
)
def test_a_long_line_of_anything_is_read_once(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    assert len(calls(text, path="x")) <= MAX_EDGES
    assert len(mentions(text)) <= MAX_EDGES
