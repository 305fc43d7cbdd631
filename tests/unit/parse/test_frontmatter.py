from __future__ import annotations

import pytest

from askwell.parse.frontmatter import frontmatter


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA paragraph after a rule.\n\n---\n\nMore.\n",
        "----\nbanner\n----\nbelow\n",
        "--- draft ---\nwords\n---\nmore\n",
        "---\ntitle: never closed\n\nbody\n",
        "---\n- a\n- b\n---\nbody\n",
        "---\n\n# A heading\n\n---\nbody\n",
        "---\nThis is already a sentence: with a colon\n---\nbody\n",
        " ---\ntitle: indented\n---\n",
        "\n---\ntitle: late\n---\n",
        "---",
        "",
    ],
)
def test_what_only_looks_like_frontmatter_is_body(text: str) -> None:
    front = frontmatter(text)
    assert front.span.end == 0
    assert front.title == ""
    assert not front.metadata.sensitivity_fault


@pytest.mark.parametrize("block", ["", "\n", "# Do not remove\n", "null\n", "~\n"])
def test_an_empty_block_is_frontmatter(block: str) -> None:
    text = f"---\n{block}---\nbody\n"
    assert frontmatter(text).span.slice(text) == f"---\n{block}---"


def test_fields_are_read_as_written() -> None:
    text = (
        "---\ntitle: A title\ntags: [one, nested/two, null]\naliases:\n  - First\n  - null\n"
        "permalink: a/b\ndate: 2024-03-01\nlastmod: 2024-03-02T10:00:00+01:00\n...\nbody\n"
    )
    front = frontmatter(text)
    meta = front.metadata
    assert front.title == "A title"
    assert meta.tags == ("one", "nested/two")
    assert meta.aliases == ("First",)
    assert (meta.permalink, meta.created, meta.updated) == ("a/b", "2024-03-01", "2024-03-02T10:00:00+01:00")
    assert front.tag_lines == {"one": 3, "nested/two": 3}
    assert text[front.span.end :] == "\nbody\n"


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: one", ("one",)),
        ("tags: one, two three", ("one", "two", "three")),
        ("tags: '#one'", ("one",)),
        ("tags: [null]", ()),
        ("tags:\n-\n- \n- a", ("a",)),
        ("tags: {a: b}", ()),
        ("tags: 2024", ("2024",)),
        ("Tags:\n  - [x]\n  - y", ("y",)),
        ("tags:", ()),
    ],
)
def test_tags_of_any_shape(written: str, tags: tuple[str, ...]) -> None:
    assert frontmatter(f"---\n{written}\n---\n").metadata.tags == tags


def test_a_date_that_is_none_is_dropped() -> None:
    assert frontmatter("---\ndate: yesterday\ncreated: [2024-01-01]\n---\n").metadata.created == ""


@pytest.mark.parametrize(
    ("written", "flag"),
    [
        ("sensitivity: personal", "personal"),
        ("Sensitivity: open", "open"),
        ('"sensitivity": "open"', "open"),
        ("x: 1", None),
    ],
)
def test_a_clear_flag(written: str, flag: str | None) -> None:
    meta = frontmatter(f"---\n{written}\n---\n").metadata
    assert (meta.sensitivity, meta.sensitivity_fault) == (flag, False)


@pytest.mark.parametrize(
    "block",
    [
        "sensitivity: open\nsensitivity: personal",
        "sensitivity: open\nSENSITIVITY: open",
        "sensitivity: open\nmeta:\n  sensitivity: open",
        "meta:\n  - sensitivity: open",
        "a: &x open\nsensitivity: *x",
        "b: &b {sensitivity: personal}\n<<: *b",
        "sensitivity:",
        "sensitivity: yes",
        "sensitivity: [open]",
        "sensitivity: !x open",
        "sensitivity: open\ntags:\n- @broken",
        "title: a: b",
        "sensitivity: open\n\tx: y",
        "x: " + "[" * 3000,
        "- " * 500 + "a: b\nsensitivity: open",
    ],
)
def test_a_flag_that_cannot_be_trusted_is_at_fault(block: str) -> None:
    assert frontmatter(f"---\n{block}\n---\nbody\n").metadata.sensitivity_fault


@pytest.mark.parametrize(
    "text",
    [
        "---\nsensitivity: personal\n\nnever closed\n",
        "\n---\nsensitivity: personal\n---\n",
        "---\nSome words of prose.\nsensitivity: personal\n---\n",
        '{\n  "sensitivity": "personal"\n}\n\nbody\n',
    ],
)
def test_a_flag_outside_of_frontmatter_was_meant(text: str) -> None:
    front = frontmatter(text)
    assert front.span.end == 0
    assert front.metadata.sensitivity_fault


def test_the_key_has_the_name_it_is_given() -> None:
    meta = frontmatter("---\nprivacy: personal\nsensitivity: 5\n---\n", sensitivity_key="privacy").metadata
    assert (meta.sensitivity, meta.sensitivity_fault) == ("personal", False)


def test_broken_frontmatter_gives_what_is_unambiguous() -> None:
    text = "---\naliases:\n- @name\ntags: [a, 'b']\ntitle: One: two\npermalink: x\npermalink: y\n---\n# Body\n"
    front = frontmatter(text)
    assert front.metadata.aliases == ("@name",)
    assert front.metadata.tags == ("a", "b")
    assert front.title == "One: two"
    assert front.metadata.permalink == ""
    assert text[front.span.end :] == "\n# Body\n"


def test_toml() -> None:
    text = '+++\ntitle = "T"\ntags = ["a", "b"]\ndate = 2024-03-01\nsensitivity = "open"\n+++\nbody'
    front = frontmatter(text)
    assert (front.title, front.metadata.tags, front.metadata.created) == ("T", ("a", "b"), "2024-03-01")
    assert (front.metadata.sensitivity, front.metadata.sensitivity_fault) == ("open", False)
    assert front.tag_lines == {"a": 3, "b": 3}
    assert text[front.span.end :] == "\nbody"


@pytest.mark.parametrize(
    "block",
    ['sensitivity = "open"\nsensitivity = "open"', "sensitivity = 1", '[p]\nsensitivity = "open"', "title = 'a"],
)
def test_toml_faults(block: str) -> None:
    assert frontmatter(f"+++\n{block}\n+++\n").metadata.sensitivity_fault


def test_yaml_is_never_constructed() -> None:
    text = "---\ntitle: !!python/object/apply:os.getcwd []\nx: !secret y\ntags: [a]\n---\n"
    assert frontmatter(text).metadata.tags == ("a",)


def test_a_bomb_of_aliases_is_walked_once() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    meta = frontmatter("---\n" + "\n".join([*lines, "sensitivity: open"]) + "\n---\n").metadata
    assert (meta.sensitivity, meta.sensitivity_fault) == ("open", False)


@pytest.mark.parametrize("key", ["sensitivty", "sensitive", "Sensitivtiy", "\u200bsensitivity", "sensitivity_"])
def test_a_misspelt_sensitivity_key_is_a_fault(key: str) -> None:
    assert frontmatter(f"---\ntitle: x\n{key}: personal\n---\ntext\n").metadata.sensitivity_fault


@pytest.mark.parametrize("key", ["severity", "intensity", "tags", "density", "sense"])
def test_another_word_is_no_sensitivity_key(key: str) -> None:
    assert not frontmatter(f"---\ntitle: x\n{key}: high\n---\ntext\n").metadata.sensitivity_fault
