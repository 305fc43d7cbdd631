from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.server.pages.markdown import CLOSE, OPEN, Drawing, rendered
from askwell.types import Lines

HOSTILE = [
    '# <img src=x onerror="window.PWNED=1">',
    "`<img src=x onerror=window.PWNED=2>` **<svg onload=window.PWNED=3>**",
    "[go](javascript:window.PWNED=4) [go2](  JaVaScRiPt:window.PWNED=5)",
    "[go3](data:text/html,<script>window.PWNED=6</script>) <javascript:window.PWNED=7>",
    "[go4](java&#10;script:window.PWNED=1) [go5](&#106;avascript:window.PWNED=1) [x](vbscript:y) [y](file:///etc)",
    '```html"><script>window.PWNED=8</script>\n<script>window.PWNED=9</script>\n```',
    '[[x" onmouseover="window.PWNED=10|y]] ![a" onerror="window.PWNED=11](x) [[javascript:alert(1)]]',
    "| <b onmouseover=window.PWNED=12>h</b> |\n|---|\n| c |",
    '<iframe srcdoc="<script>parent.window.PWNED=13</script>"></iframe>',
    "[x](view?source=a 'title\" onclick=\"window.PWNED=1')",
    "[r][r]\n\n[r]: javascript:alert(1)",
    "<style>body{display:none}</style><form action=//evil.invalid><input name=q></form>",
]

ALLOWED = re.compile(
    r"<(/?(p|div|h[1-6]|blockquote|pre|ul|ol|li|hr|br|table|thead|tbody|tr|th|td|a|span|strong|em|s|code|sup))\b"
)


def elements(html: str) -> set[str]:
    return set(re.findall(r"<[^>]*>", html))


def attributes(html: str) -> set[str]:
    return {name for tag in elements(html) for name in re.findall(r'\s([a-zA-Z-]+)="', re.sub(r'="[^"]*"', '=""', tag))}


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_runs_or_loads_comes_out_of_a_note(text: str) -> None:
    html = str(rendered(text, Drawing(target=lambda target, fragment: f"view?path={target}")))
    assert all(ALLOWED.match(tag) for tag in elements(html))
    assert attributes(html) <= {"dir", "class", "id", "href", "rel", "title", "tabindex", "role", "aria-label", "scope"}
    assert not re.search(r'href="\s*(javascript|data|vbscript|file):', html, re.IGNORECASE)


def test_html_in_a_note_is_read_as_it_was_written() -> None:
    html = rendered('before <img src=x onerror="alert(1)"> after', Drawing())
    assert "before &lt;img src=x onerror=" in html and "after" in html


def test_a_link_to_elsewhere_shows_its_host_and_tells_nothing_of_us() -> None:
    html = rendered("[the bank](https://evil.invalid/login?a=1)", Drawing())
    assert 'rel="noopener noreferrer nofollow"' in html
    assert "(evil.invalid/login?a=1)" in html


def test_a_host_in_foreign_letters_shows_what_it_is() -> None:
    assert "(xn--80ak6aa92e.com" in rendered("[apple](https://аррӏе.com/)", Drawing())


@pytest.mark.parametrize("picture", ["![ok](https://c.invalid/p.png?d=1)", "![ok][r]\n\n[r]: https://c.invalid/p.png"])
def test_a_picture_is_words(picture: str) -> None:
    html = rendered(picture, Drawing())
    assert "<img" not in html and "picture: ok" in html and "(c.invalid/p.png" in html


def test_links_lead_to_documents_of_the_index_and_others_nowhere() -> None:
    known = {"Hive": "view?path=Hive.md", "../a.md": "view?path=a.md"}
    drawing = Drawing(target=lambda target, fragment: known.get(target, "") and f"{known[target]}&at={fragment}")
    html = rendered("[[Hive#Frames|the hive]] [[Nobody]] [a](../a.md#x) [b](b.md)", drawing)
    assert '<a class="wiki" href="view?path=Hive.md&amp;at=Frames">the hive</a>' in html
    assert '<a href="view?path=a.md&amp;at=x">a</a>' in html
    assert '<span class="dead" title="not in the index">Nobody</span>' in html
    assert html.count("<a ") == 2


def test_cited_lines_are_marked_and_the_first_is_where_a_link_leads() -> None:
    text = "# One\n\ntext\n\n- a\n- b\n\n```sh\nfirst\nsecond\nthird\n```\n"
    html = rendered(text, Drawing(cited=Lines(6, 10)))
    assert '<li dir="auto" class="cited" id="at">b</li>' in html
    assert '<span class="line cited">first\n</span><span class="line cited">second\n</span>third' in html
    assert html.count('id="at"') == 1 and html.count("cited") == 3


def test_a_row_of_a_table_is_marked_alone() -> None:
    html = rendered("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", Drawing(cited=Lines(4, 4)))
    assert html.count('class="cited"') == 1
    assert re.search(r'<tr class="cited" id="at">\s*<td dir="auto">3', html)


CHIPS = {1: '<a class="chip" href="x" data-n="1">1</a>', 2: '<a class="chip" href="y" data-n="2">2</a>'}


def test_markers_of_citations_become_chips_and_other_brackets_stay() -> None:
    html = rendered("So it is [1][1, 2], a[3] and `b[1]`, [2](https://c.invalid).", Drawing(chips=CHIPS))
    assert html.count('class="chip"') == 3
    assert "a[3]" in html and "<code>b[1]</code>" in html


def test_a_judged_sentence_is_marked_through_its_emphasis_and_nothing_else_is() -> None:
    text = f"Fine. {OPEN}_Half_ **true** `code`.{CLOSE} Fine too."
    html = rendered(text, Drawing(verdicts=["weak"], marks=[' <span class="verdict weak">weak</span>']))
    assert "<em>" in html and "<strong>" in html
    marked = "".join(re.findall(r'<span class="said weak" data-s="0">(.*?)</span>', html))
    assert re.sub("<[^>]*>", "", marked).split() == ["Half", "true", "code."]
    assert html.count("verdict weak") == 1


@given(st.text(alphabet=st.sampled_from("ab <>&\"'[](){}!|`*_#-:/\n\t\\jvscript=;&%0"), max_size=120))
def test_whatever_is_written_only_known_elements_come_out(text: str) -> None:
    html = str(rendered(text, Drawing(chips=CHIPS, cited=Lines(1, 3), target=lambda target, _: f"view?path={target}")))
    assert all(ALLOWED.match(tag) for tag in elements(html))
    assert not re.search(r'href="\s*(javascript|data|vbscript|file):', html, re.IGNORECASE)
