from __future__ import annotations

import pytest

from askwell.parse.slug import plain, slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("My Heading", "my-heading"),
        ("my-heading", "my-heading"),
        ("What's new?", "whats-new"),
        ("Größe & Übung", "größe--übung"),
        ("a_b `c`", "a_b-c"),
        ("^block-Id", "^block-Id"),
        ("No\u00a0break", "no-break"),
        ("!!", ""),
    ],
)
def test_slugs(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor
    assert slug(anchor) == anchor


def test_plain_text_is_composed_and_on_one_line() -> None:
    assert plain(" Z\u030ciz\u030ckov\u00a0\n  stop\u200b ") == "Žižkov stop"
