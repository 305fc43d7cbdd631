"""Any text is a question, and spellings of one thing find each other."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from askwell.ports import Fault, LexicalQuery
from askwell.testing.specimens import OPEN, OPEN_REQUEST, fill, item
from askwell.testing.store_suite.asking import ask
from askwell.types import Edge, EdgeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store


def any_text_is_a_legal_question(store: Store) -> None:
    """Nothing that a person types is an operator or an error, and nothing is found by punctuation alone."""
    fill(store, [item("a.md", "avocet AND plover NOT NEAR body: x"), item("b.md", "grebe")])
    for question in (
        "avocet AND",
        "avocet NOT plover",
        '"avocet',
        "body: avocet",
        "avocet*",
        "(avocet OR",
        "^avocet",
        "avocet -plover",
        "NEAR(avocet plover, 2)",
        "{body} : avocet",
        "'; DROP TABLE chunk; -- avocet",
        "avocet\x00plover",
        "avocet \ud800",
        "avocet " * 3000,
    ):
        assert ask(store, question)[:1] == ["a.md"], question
    for nothing in (
        "",
        " ",
        "\n\t",
        "???",
        "-",
        "---",
        '"',
        '""',
        "*",
        "…",
        "😀",
        "(",
        ")",
        "\0",
        "\u200b",
        "::",
        "\ud800",
    ):
        assert ask(store, nothing) == [], nothing


def no_term_is_an_operator(store: Store) -> None:
    """Terms that no analysis makes find nothing and break nothing."""
    fill(store, [item("a.md", "avocet plover")])
    for term in (
        '"',
        "avocet plover",
        "avo*",
        "NEAR(",
        "-",
        "",
        "AVOCET",
        "a\0b",
        "\ud800",
        "avocet OR plover",
        "body:avocet",
    ):
        assert store.search_lexical(LexicalQuery(terms={term: 1.0}), k=5, visible=OPEN_REQUEST) == (), term
    assert store.search_lexical(LexicalQuery(terms={}), k=5, visible=OPEN_REQUEST) == ()
    assert store.search_lexical(LexicalQuery(terms={"avocet": 1.0}), k=0, visible=OPEN_REQUEST) == ()


def names_are_found_whole_and_by_part(store: Store) -> None:
    """Identifiers, flags, versions, numbers and programming languages, as written and in pieces."""
    fill(
        store,
        [
            item("setting.md", "Set `MOVER_STOP_TIMEOUT=300` or run mover_stop.sh --dry-run first."),
            item("camel.md", "call parseFrontmatterKeys from obsidian.metadataCache v1.2.3 with 57,177 rows"),
            item(
                "languages.md",
                "Rewritten from C++ and C# to F# on .NET, mailto ops@heron.lan, #homelab/backup, 50% done",
            ),
            item("filler.md", "Nothing of the kind stands here at all, only words."),
        ],
    )
    for question, path in (
        ("MOVER_STOP_TIMEOUT", "setting.md"),
        ("mover_stop_timeout", "setting.md"),
        ("mover timeout", "setting.md"),
        ("--dry-run", "setting.md"),
        ("dry run", "setting.md"),
        ("mover_stop.sh", "setting.md"),
        ("mover-stop", "setting.md"),
        ("parseFrontmatterKeys", "camel.md"),
        ("frontmatter keys", "camel.md"),
        ("metadataCache", "camel.md"),
        ("v1.2.3", "camel.md"),
        ("1.2.3", "camel.md"),
        ("57,177", "camel.md"),
        ("57177", "camel.md"),
        ("C++", "languages.md"),
        ("C# or F#?", "languages.md"),
        (".NET", "languages.md"),
        ("@heron.lan", "languages.md"),
        ("#homelab/backup", "languages.md"),
        ("50%", "languages.md"),
    ):
        assert ask(store, question)[:1] == [path], question


def scripts_and_spellings_match(store: Store) -> None:
    """Turkish i's, diacritics, composed or not, width, and words of one and two characters without spaces."""
    fill(
        store,
        [
            item("turkish.md", "İSTANBUL notları: ısı pompası, IŞIK kapalı, İNCİR."),
            item("swedish.md", unicodedata.normalize("NFD", "Räksmörgås är bäst på ön, ærlig talt Straße")),
            item("japanese.md", "設定画面で猫を選ぶ。データベース"),
            item("korean.md", "서버를 다시 시작합니다"),
            item("thai.md", "สวัสดีครับ ยินดีต้อนรับ"),
        ],
    )
    for question, path in (
        ("istanbul", "turkish.md"),
        ("ISTANBUL", "turkish.md"),
        ("ıstanbul", "turkish.md"),
        ("ISI", "turkish.md"),
        ("ışık", "turkish.md"),
        ("incir", "turkish.md"),
        ("İncir", "turkish.md"),
        ("räksmörgås", "swedish.md"),
        ("RAKSMORGAS", "swedish.md"),
        (unicodedata.normalize("NFD", "räksmörgås"), "swedish.md"),
        ("aerlig", "swedish.md"),
        ("strasse", "swedish.md"),
        ("設定", "japanese.md"),
        ("猫", "japanese.md"),
        ("画面を選ぶ", "japanese.md"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "japanese.md"),
        ("서버", "korean.md"),
        ("ยินดี", "thai.md"),
    ):
        assert ask(store, question) == [path], question


def lone_surrogates_are_replaced(store: Store) -> None:
    """Text that UTF-8 cannot hold is stored with its length kept, and everything read is valid."""
    edge = Edge(kind=EdgeKind.LINK, target="x\udfff")
    fill(store, [item("a.md", "half \ud83d only bustard", section="s\ud800", edges=[edge], title="t\ud800")])
    assert ask(store, "bustard") == ["a.md"]
    document = store.document("notes", "a.md", visible=OPEN_REQUEST)
    assert document is not None
    assert document.text == "half \ufffd only bustard"
    for chunk in store.document_chunks(document.id, visible=OPEN_REQUEST):
        assert chunk.text == chunk.span.slice(document.text)
        assert chunk.section == "s\ufffd"
    repr(list(store.edges())).encode()
    with store.write() as writer:
        writer.set_note("k\ud800", "v\ud800")
        writer.put_faults(
            "notes", [Fault(source="notes", path="\udcff", reason="\ud800", status="failed", class_=OPEN)]
        )
    assert store.note("k\ud800") == "v\ufffd"
    repr(store.faults(visible=OPEN_REQUEST)).encode()


def a_text_of_very_many_words_is_stored_and_found(store: Store) -> None:
    """A megabyte of different words in one chunk, titles and paths of thousands of characters: no limit is met."""
    words = " ".join(f"{n * 2654435761 % 2**32:08x}{n:05x}" for n in range(40_000))
    long = "very " * 500
    fill(
        store,
        [item("words.txt", f"{words} canarytail"), item(f"{'d/' * 600}t.md", "small", title=f"{long}canarytitle")],
    )
    assert ask(store, "canarytail") == ["words.txt"]
    assert ask(store, "canarytitle") == [f"{'d/' * 600}t.md"]


CLAIMS: tuple[Callable[[Store], None], ...] = (
    any_text_is_a_legal_question,
    no_term_is_an_operator,
    names_are_found_whole_and_by_part,
    scripts_and_spellings_match,
    lone_surrogates_are_replaced,
    a_text_of_very_many_words_is_stored_and_found,
)
