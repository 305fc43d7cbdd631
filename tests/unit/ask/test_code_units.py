from __future__ import annotations

from askwell.ask.code_units import code_units

SCRIPT = """#!/bin/sh
# Includes
# shellcheck source=/etc/panel.conf
. /etc/panel.conf

#----------------------------------------------------------#
#                       Panel                              #
#----------------------------------------------------------#
# The panel restarts the mail service after a change.
# vim: set ts=4:
"""


def roles(text: str) -> dict[str, str]:
    return {unit.span.slice(text).strip("# \n"): unit.role for unit in code_units(text)}


def test_what_a_comment_says_to_a_tool_is_no_unit() -> None:
    assert not any(said.startswith(("shellcheck", "vim")) for said in roles(SCRIPT))


def test_a_title_in_a_box_is_a_heading() -> None:
    assert roles(SCRIPT)["Panel"] == "heading"


def test_a_sentence_beside_them_is_a_comment() -> None:
    assert roles(SCRIPT)["The panel restarts the mail service after a change."] == "comment"
