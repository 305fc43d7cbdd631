"""The sources under an answer in the OpenAI protocol: a document is a link into the viewer, a log is none."""

from __future__ import annotations

from askwell.server.openai.chunks import footer


def test_a_document_is_linked_and_a_log_is_named() -> None:
    told = footer(
        {
            "citations": [
                {"marker": 1, "source": "log", "path": "/var/a.log", "lines": [7, 9], "kind": "log"},
                {"marker": 2, "source": "notes", "path": "a b.md", "lines": [1, 2], "kind": "document"},
            ]
        }
    )
    assert "- [1] log:/var/a.log:7-9\n" in told
    assert "- [2] [a b.md:1-2](/view?source=notes&path=a%20b.md&lines=1-2)" in told
