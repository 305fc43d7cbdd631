"""What an agent types, however odd, is answered or told in a sentence: in every tool that takes a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from tests.adapters.mcp_server import HEADERS, answered, call, indexed, served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("mcp")

NOTES = {
    "spindle.md": "# Spindle\n\nThe spindle's rest lasts 12 min; don't cut it. Set `SPINDLE_REST_MINS=12`. See "
    "low-noise v3.1.4.\n",
    "tongues.md": "# Tongues\n\nI write C++, C# and .NET; 80% of it is old. Tag: #shed/lathe\n",
    **{f"other{n}.md": f"# Other {n}\n\nSomething else entirely, number {n}.\n" for n in range(20)},
}

ODD = (
    ("what's the spindle's rest, roughly?", "spindle.md"),
    ("don't cut", "spindle.md"),
    ("SPINDLE_REST_MINS=12", "spindle.md"),
    ("v3.1.4", "spindle.md"),
    ('"unbalanced spindle', "spindle.md"),
    ("spindle NOT rest", "spindle.md"),
    ("NEAR(spindle rest)", "spindle.md"),
    ("title: spindle* OR (", "spindle.md"),
    ("C++", "tongues.md"),
    (".NET", "tongues.md"),
    ("#shed/lathe", "tongues.md"),
)

EMPTY = ("", " ", "\n\t", "???", "-", '""', "*", "…", "\U0001f600", "(", "\0", "\u200b", "::")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(indexed(tmp_path_factory.mktemp("odd"), notes=NOTES), stateless=True) as (url, _):
        yield url


@pytest.mark.parametrize(("question", "path"), ODD)
def test_punctuation_is_no_operator(address: str, question: str, path: str) -> None:
    for tool in ("search", "ask"):
        result = answered(httpx.post(address, json=call(tool, {"question": question}), headers=HEADERS))["result"]
        assert not result.get("isError"), result
        if tool == "search":
            assert path in [hit["path"] for hit in result["structuredContent"]["hits"][:5]]


@pytest.mark.parametrize("question", EMPTY)
def test_nothing_to_search_for_is_said(address: str, question: str) -> None:
    for tool in ("search", "ask"):
        result = answered(httpx.post(address, json=call(tool, {"question": question}), headers=HEADERS))["result"]
        assert result["isError"] is True
        assert result["content"][0]["text"].startswith("nothing to search for")
