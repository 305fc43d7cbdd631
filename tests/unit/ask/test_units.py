from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ask.code_units import code_units
from askwell.ask.units import Unit, is_prose, prose_units
from askwell.types import Kind

NOTE = """\
# Backups

The nightly run keeps 14 copies. It never deletes
the last one.

Steps to restore:

1. Stop the service.
2. Copy the files:
   - from the disk
   - from the tape

```sh
# not a heading
restore --all
```

| host | address |
|------|---------|
| nas  | 10.0.0.2 |

> [!warning] Check first.

Retention
: How long copies are kept. The default is 14 days.

    indented --code

![[picture.png]]
"""


def shown(text: str, units: tuple[Unit, ...]) -> list[tuple[str, str]]:
    return [(unit.role, unit.span.slice(text)) for unit in units]


def test_a_note_falls_into_what_can_be_quoted() -> None:
    assert shown(NOTE, prose_units(NOTE)) == [
        ("heading", "# Backups"),
        ("sentence", "The nightly run keeps 14 copies."),
        ("sentence", "It never deletes\nthe last one."),
        ("sentence", "Steps to restore:"),
        ("item", "1. Stop the service."),
        ("item", "2. Copy the files:"),
        ("item", "- from the disk"),
        ("item", "- from the tape"),
        ("fence", "```sh\n# not a heading\nrestore --all\n```"),
        ("markup", "| host | address |"),
        ("markup", "|------|---------|"),
        ("row", "| nas  | 10.0.0.2 |"),
        ("sentence", "Check first."),
        ("item", "Retention\n: How long copies are kept. The default is 14 days."),
        ("fence", "    indented --code"),
        ("markup", "![[picture.png]]"),
    ]


def test_a_list_knows_what_leads_into_it() -> None:
    leads = {unit.span.slice(NOTE): unit.intro and unit.intro.slice(NOTE) for unit in prose_units(NOTE)}
    assert leads["1. Stop the service."] == "Steps to restore:"
    assert leads["- from the tape"] == "2. Copy the files:"
    assert leads["| nas  | 10.0.0.2 |"] == "| host | address |"


CONF = """\
# TIMEOUTS
#
# How long the mover waits before it gives up. After that the
# run is marked as failed.
#   MOVER_WAIT="10"   for impatient people
MOVER_WAIT="300"

disable:
  - traefik
  - servicelb
nested:
  port: 8000  # inside
"""


def test_settings_keep_their_comment_and_their_parents() -> None:
    units = code_units(CONF)
    assert ("heading", "# TIMEOUTS") in shown(CONF, units)
    wait = next(unit for unit in units if unit.role == "setting" and "300" in unit.span.slice(CONF))
    assert wait.intro is not None
    assert wait.intro.slice(CONF).startswith("# TIMEOUTS\n")
    first = next(unit for unit in units if unit.role == "comment")
    assert first.span.slice(CONF) == "# How long the mover waits before it gives up. After that the"
    assert first.setting is not None
    assert first.setting.slice(CONF) == 'MOVER_WAIT="300"'
    values = [unit.span.slice(CONF) for unit in units if unit.role == "setting"]
    assert "disable:\n  - traefik\n  - servicelb" in values
    port = next(unit for unit in units if unit.span.slice(CONF) == "  port: 8000  # inside")
    assert [parent.slice(CONF) for parent in port.parents] == ["nested:"]


def test_a_named_paragraph_has_a_title_that_is_no_answer() -> None:
    text = "# Half Battery\n#   On UPS power the import waits.\n#   It goes on later.\n"
    assert shown(text, code_units(text)) == [
        ("heading", "# Half Battery"),
        ("comment", "#   On UPS power the import waits."),
        ("comment", "#   It goes on later."),
    ]


def test_the_name_decides_before_the_kind_how_a_file_is_read() -> None:
    assert is_prose("a/README.md", Kind.README)
    assert is_prose("a/README", Kind.README)
    assert not is_prose("docs/mkdocs.yml", Kind.DOC)
    assert not is_prose("bin/tool", Kind.HEADER)


TEXT = st.text(alphabet="aB .:#-|`>\n\t=1*[]{}<%\"'(\\", max_size=120)


@given(TEXT)
def test_units_of_prose_lie_in_order_and_hold_everything(text: str) -> None:
    units = prose_units(text)
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(units))
    kept = "".join("".join(unit.span.slice(text).split()) for unit in units)
    assert len(kept) >= len("".join(text.split())) - text.count(">") - 4 * text.count("[")


@given(TEXT)
def test_units_of_code_are_whole_lines(text: str) -> None:
    for unit in code_units(text):
        assert unit.span.start == 0 or text[unit.span.start - 1] == "\n"
        assert unit.span.end == len(text) or text[unit.span.end] == "\n"


@pytest.mark.parametrize(
    "part", ["a", "- ", "a: \n", " a:\n", "#\n", "|", "> ", "{{< highlight x >}}\n", "a: (\n", "'", "[["]
)
def test_hostile_lengths_take_linear_time(part: str) -> None:
    text = "# " + part * 20_000
    assert prose_units(text) is not None
    assert code_units(text) is not None


def test_deep_nesting_takes_linear_time() -> None:
    nested = "\n".join(" " * (n % 300) + "k:" for n in range(5_000))
    assert len(code_units(nested)) == 5_000
