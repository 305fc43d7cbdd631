"""The sensitivity flag outside of frontmatter, and that whatever is unclear about it fails closed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.parse.flags import inline_flags
from askwell.parse.registry import parse
from askwell.privacy import ClassRules, class_of
from askwell.types import PrivacyClass

RULES = ClassRules(personal=("diary/*",))


def is_personal(text: str, path: str = "a.md", rules: ClassRules = RULES) -> bool:
    found = parse(text, path=path, sensitivity_key=rules.sensitivity_key).metadata
    class_ = class_of(path, sensitivity=found.sensitivity, fault=found.sensitivity_fault, rules=rules)
    return class_ is PrivacyClass.PERSONAL


@pytest.mark.parametrize(
    "text",
    [
        "# Visit\n\nsensitivity:: personal\n",
        "- [ ] **Sensitivity** :: personal\n",
        "Seen today [sensitivity:: personal] at noon.\n",
        "Seen today (sensitivity:: personal).\n",
        "> sensitivity:: secret\n",
        "%% sensitivity:: personal %%\n",
        "sensitivity::\n",
        "sensitivity:: open\n\nsensitivity:: open\n",
        "[sensitivity:: open\n",
        "---\nsensitivity: open\n---\n\nsensitivity:: personal\n",
        "---\nsensitivity: personal\n---\n\nsensitivity:: open\n",
        "| a | b |\n|---|---|\n| (sensitivity:: personal) | 2 |\n",
    ],
)
def test_an_inline_field_makes_a_note_personal_unless_it_plainly_says_open(text: str) -> None:
    assert is_personal(text)


@pytest.mark.parametrize(
    "text",
    [
        "sensitivity:: open\n",
        "Seen [sensitivity:: public] today.\n",
        "`sensitivity:: personal` is how to write it\n",
        "```\nsensitivity:: personal\n```\n",
        "The insensitivity:: of it\n",
        "The sensitivity: high, of course\n",
        "std::sensitivity\n",
    ],
)
def test_what_is_open_or_no_field_is_left_alone(text: str) -> None:
    assert not is_personal(text)


def test_an_inline_open_wins_over_a_pattern_as_the_key_does() -> None:
    assert not is_personal("sensitivity:: open\n", path="diary/a.md")
    assert is_personal("no field\n", path="diary/a.md")


def test_the_key_is_the_configured_one() -> None:
    rules = ClassRules(sensitivity_key="klasse")
    assert is_personal("Klasse:: privat\n", rules=rules)
    assert not is_personal("sensitivity:: personal\n", rules=rules)


@pytest.mark.parametrize(
    ("path", "text", "personal"),
    [
        ("a.yaml", "sensitivity: personal\nname: x\n", True),
        ("a.yaml", "name: x\n'Sensitivity': \"personal\"\n", True),
        ("a.yaml", "sensitivity: 5\n", True),
        ("a.yaml", "sensitivity: [open]\n", True),
        ("a.yaml", "sensitivity:\n", True),
        ("a.yaml", "sensitivity: open\n---\nsensitivity: personal\n", True),
        ("a.yaml", "sensitivity: open\nsensitivity: open\n", True),
        ("a.yaml", "a: 1\n---\nsensitivity: personal\n", True),
        ("a.yaml", "sensitivity: open\na: [1\nb: {{ x }}\n", True),
        ("a.yaml", "sensitivity: open\n", False),
        ("a.yaml", "sensor:\n  sensitivity: 5\n", False),
        ("a.yaml", "# sensitivity: personal\nname: x\n", False),
        ("a.json", '{"sensitivity": "personal", "a": 1}', True),
        ("a.json", '{"sensitivity": ["open"]}', True),
        ("a.json", '{"sensitivity": "open"}', False),
        ("a.json", '{"a": {"sensitivity": 5}}', False),
    ],
)
def test_a_top_level_key_of_a_data_file_is_read(path: str, text: str, personal: bool) -> None:
    assert is_personal(text, path=path) is personal


@given(st.text(alphabet="sensitivity:[](*_ \n%`", max_size=60))
def test_a_field_that_is_found_was_written(text: str) -> None:
    flags = list(inline_flags(text, key="sensitivity"))
    assert len(flags) <= text.count("::")
    if flags:
        assert "sensitivity" in text


def test_a_long_line_of_colons_takes_no_time() -> None:
    assert list(inline_flags("[" * 100_000 + "sensitivity::" * 20_000, key="sensitivity"))


def test_tags_and_links_in_a_comment_are_not_those_of_the_note() -> None:
    text = "#seen %% #hidden [[hidden]] %%\n\n%%\n#hidden\n[[hidden]]\n%%\n\n<!-- #hidden -->\n"
    parsed = parse(text, path="a.md")
    assert parsed.metadata.tags == ("seen",)
    assert [edge.target for edge in parsed.edges] == ["#seen"]
