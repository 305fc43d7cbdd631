"""Each line of a file of settings is known by its section and key, in the forms that such files come in."""

from __future__ import annotations

import pytest

from askwell.sources.nesting import places


def named(text: str) -> list[str]:
    return [".".join(place) for place in places(text.split("\n")) if place and place[-1]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A=1\nexport B=2\n# C=3\n", ["A", "B"]),
        ("[one]\na = 1\n[two.three]\nb = 2", ["one.a", "two.three.b"]),
        ("[[list]]\na = 1", ["list.a"]),
        ("a:\n  b:\n    c: 1\n  d: 2\ne: 3", ["a", "a.b", "a.b.c", "a.d", "e"]),
        ("env:\n- name: X\n  value: y\nnext: 1", ["env", "env.name", "env.value", "next"]),
        ('{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}', ["a", "a.b", "c"]),
        ("Port 22\nPermitRootLogin no", ["Port", "PermitRootLogin"]),
        ('[x]\na = """\nb = 1\n"""\nc = 2', ["x.a", "x.c"]),
        ("a: |\n  b: c\nd: 1", ["a", "a.b", "d"]),
        ("", []),
    ],
)
def test_a_line_is_named_by_what_it_stands_below(text: str, names: list[str]) -> None:
    assert named(text) == names


def test_there_is_one_place_a_line() -> None:
    text = "[a]\n\nb = 1\n}\n]\n - \n: x\n\tc: 2"
    assert len(places(text.split("\n"))) == len(text.split("\n"))
