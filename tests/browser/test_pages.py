"""Every page and state in a real browser: what is shown, what can be done, what must never happen."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_playwright_python
import pytest
from playwright.sync_api import expect
from tests.adapters.server import indexed, served

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, completion, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from tests.browser.conftest import Tab

    from askwell.server.services import Services

pytestmark = pytest.mark.xdist_group("browser")

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
ASKED = "When does the garden pump run?"
SSE = "text/event-stream"

HOSTILE = {
    "xss.md": (
        '---\ntitle: "<img src=x onerror=PWNED=1>"\naliases: ["<script>PWNED=1</script>"]\n---\n'
        "# Pump <script>window.PWNED=1</script>\n\n"
        'The hostile pump runs <img src=x onerror="window.PWNED=1"> at <svg onload=PWNED=1> noon.\n\n'
        "[press](javascript:window.PWNED=1) [data](data:text/html,<script>PWNED=1</script>) "
        "![far](https://collector.invalid/x.png) "
        "[away](https://collector.invalid/?q=secret) <a href='javascript:1'>x</a>\n\n"
        "```html\n<script>PWNED=1</script>\n```\n\n<iframe src=https://collector.invalid></iframe>"
        "<style>*{display:none}</style>\n"
    ),
    "<b>bold<i onmouseover=PWNED=1>.md": "# Named\n\nThe named pump is blue.\n",
    "rtl.md": "# \u202eRight to left\n\nمضخة الحديقة تعمل ظهرا.\n\n" + "W" * 10_000 + "\n",
}


@pytest.fixture(scope="module")
def model() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(answer=["The garden pump runs ", "at noon [1]. ", "It runs for 45 minutes [1]."]) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: FakeOpenAI) -> Iterator[tuple[str, Services]]:
    askwell = indexed(tmp_path_factory.mktemp("pages"))
    for name, text in HOSTILE.items():
        (askwell.sources[0] / name).write_text(text, encoding="utf-8")
    assert askwell("index").code == 0
    with served(askwell, indexing=True, models__generation="openai:small", models__generation_url=model.url) as found:
        yield found


@pytest.fixture(scope="module")
def quoting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path_factory.mktemp("quoting"))) as found:
        yield found


def ask(page: Page, question: str = ASKED) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")


def settled(page: Page, state: str) -> Any:
    turn = page.locator("article.turn").last
    expect(turn).to_have_attribute("data-state", state, timeout=15_000)
    expect(page.locator("#send")).to_be_visible()
    return turn


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate("axe.run(document).then(r => r.violations)")
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found]


def test_an_answer_streams_and_each_sentence_shows_its_support(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(server[0])
    ask(page)
    turn = settled(page, "done")
    expect(turn.locator(".outcome")).to_contain_text("runs at noon")
    expect(turn.locator(".meta .unsupported")).to_have_text(re.compile("1 without a source"))
    chip = turn.locator(".chip").first
    assert "lines" in str(chip.get_attribute("href"))
    chip.click()
    expect(page.locator("#main")).to_contain_text("The garden pump runs at noon")
    assert page.locator(".cited, mark").count() >= 1
    assert tab.errors == []
    assert tab.strangers(server[0]) == []


def test_a_conversation_is_kept_reopened_and_deleted(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(server[0])
    ask(page)
    settled(page, "done")
    page.reload()
    expect(page.locator("article.turn .asked")).to_have_text(ASKED)
    expect(page.locator("article.turn .prose")).to_contain_text("noon")
    kept = page.locator("#conversations .here .forget")
    kept.click()
    kept.click()
    expect(page.locator("article.turn")).to_have_count(0)


def test_an_abstention_offers_questions_that_are_answered(tab: Tab, quoting: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(quoting[0])
    ask(page, "How tall is the Eiffel tower in Paris?")
    turn = settled(page, "abstained")
    turn.locator(".suggestion").first.click()
    settled(page, "done")


def test_suggestions_on_an_empty_page_are_answered(tab: Tab, quoting: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(quoting[0])
    page.locator("#suggestions .suggestion").first.click()
    settled(page, "done")


def test_stop_ends_the_models_work_and_gives_the_button_back(
    tab: Tab, server: tuple[str, Services], model: FakeOpenAI
) -> None:
    page = tab.page
    page.goto(server[0])
    model.gone.clear()
    model.reply(Reply(type=SSE, steps=(said("The garden pump runs "), said("at noon "), STALL)))
    ask(page)
    expect(page.locator("article.turn .draft")).to_contain_text("garden pump")
    page.locator("#stop").click()
    turn = settled(page, "stopped")
    expect(turn.locator(".fault")).to_contain_text("Stopped")
    assert model.gone.wait(5)
    turn.locator(".retry").click()
    settled(page, "done")


def test_a_model_that_is_down_or_breaks_off_is_told_and_can_be_asked_again(
    tab: Tab, server: tuple[str, Services], model: FakeOpenAI
) -> None:
    page = tab.page
    page.goto(server[0])
    model.reply(Reply(status=401))
    ask(page)
    expect(settled(page, "failed").locator(".fault .what")).not_to_be_empty()
    model.reply(Reply(type=SSE, steps=(said("The garden pump runs "), said("at noon [1]. It "), b"data: {oops\n\n")))
    page.locator(".retry").last.click()
    turn = settled(page, "failed")
    expect(turn.locator(".draft")).to_contain_text("garden pump")
    page.locator(".retry").last.click()
    settled(page, "done")


def test_two_minutes_without_a_word_end_the_wait(tab: Tab, server: tuple[str, Services], model: FakeOpenAI) -> None:
    page = tab.page
    page.clock.install()
    page.goto(server[0])
    model.reply(Reply(type=SSE, steps=(STALL,)))
    ask(page)
    expect(page.locator("article.turn")).to_have_attribute("data-state", "thinking")
    page.clock.run_for(121_000)
    expect(settled(page, "failed").locator(".fault")).to_contain_text("two minutes")


def test_a_server_that_is_gone_is_told(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    with served(indexed(tmp_path)) as (base, _):
        page.goto(base)
    ask(page)
    expect(settled(page, "failed").locator(".fault")).to_contain_text("cannot be reached")


def test_hostile_notes_run_nowhere_and_load_nothing(tab: Tab, server: tuple[str, Services], model: FakeOpenAI) -> None:
    page, base = tab.page, server[0]
    for path in HOSTILE:
        for raw in ("", "&raw=1"):
            page.goto(f"{base}/view?source=notes&path={path.replace('&', '%26')}{raw}")
            page.wait_for_timeout(150)
            assert page.evaluate("window.PWNED") is None
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    for address in ("/sources", "/insights", "/?c=<script>PWNED=1</script>"):
        page.goto(base + address)
        assert page.evaluate("window.PWNED") is None
    page.goto(base)
    text = HOSTILE["xss.md"].partition("---\n")[2].partition("---\n")[2] + " [1]"
    model.reply(Reply(type=SSE, steps=completion(*[text[n : n + 3] for n in range(0, len(text), 3)])))
    ask(page, "When does the hostile pump run?")
    expect(page.locator("article.turn")).to_have_attribute("data-state", re.compile("done|failed|abstained"))
    page.wait_for_timeout(300)
    assert page.evaluate("window.PWNED") is None
    assert page.locator("a[href^='javascript:'], a[href^='data:'], #turns img, #turns iframe").count() == 0
    assert tab.strangers(base) == []


def test_long_answers_and_two_hundred_citations_stay_usable(
    tab: Tab, server: tuple[str, Services], model: FakeOpenAI
) -> None:
    page = tab.page
    page.goto(server[0])
    model.reply(Reply(type=SSE, steps=completion(*[f"Pump {n} runs at noon [1].\n\n" for n in range(200)])))
    ask(page)
    turn = settled(page, "done")
    assert turn.locator(".chip").count() >= 100
    expect(page.locator("#question")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_has_a_barrier_in_any_dress(
    browser: Browser, server: tuple[str, Services], scheme: Any, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    note = "/view?source=notes&path=pumps.md"
    for address in ("/", "/sources", "/insights", "/admin", "/login", "/api/docs", "/nothing", note, f"{note}&raw=1"):
        page.goto(server[0] + address)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), address
    page.goto(server[0])
    ask(page)
    settled(page, "done")
    assert violations(page) == []
    running = page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length")
    assert running == 0
    context.close()


def test_everything_is_reached_by_keyboard(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(server[0])
    page.keyboard.press("Shift+Tab")
    reached = set()
    page.evaluate("document.body.focus(); document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.id || document.activeElement.className || document.activeElement.href"
            )
        )
    assert {"question", "send", "profile", "personal", "theme", "skip"} <= reached
    page.locator("#question").focus()
    page.keyboard.type(ASKED)
    page.keyboard.press("Enter")
    settled(page, "done")


def test_dark_and_light_are_kept(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(server[0])
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.goto(f"{server[0]}/sources")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after


def test_a_run_is_started_from_the_sources_page(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(f"{server[0]}/sources")
    page.locator("#start:enabled").click()
    expect(page.locator("#run-says")).to_contain_text("last run", timeout=20_000)


def test_a_setting_is_changed_refused_and_taken_back(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    page.goto(f"{server[0]}/admin")
    field = page.locator("[name='retrieval.k']")
    field.fill("0")
    page.locator("#settings .send").click()
    expect(page.locator("#refused")).to_contain_text("retrieval.k")
    field.fill("12")
    page.locator("#settings .send").click()
    expect(page.locator("#waiting-names")).to_contain_text("retrieval.k")
    page.reload()
    page.locator("[data-reset='retrieval.k']").click()
    expect(page.locator("#waiting")).to_be_hidden()


def test_a_first_run_says_what_to_do(tab: Tab, tmp_path: Path) -> None:
    askwell = indexed(tmp_path, notes={"empty.md": ""})
    with served(askwell) as (base, _):
        tab.page.goto(base)
        expect(tab.page.locator("#main")).to_contain_text("askwell")
        expect(tab.page.locator("#ask")).to_be_hidden()


def test_from_elsewhere_a_token_is_asked_for_once(tab: Tab, server: tuple[str, Services]) -> None:
    page = tab.page
    token = server[1].tokens.add("browser", open_only=True)
    elsewhere = server[0].replace("127.0.0.1", "home.test")

    def forward(route: Any) -> None:
        headers = {**route.request.headers, "host": elsewhere.removeprefix("http://")}
        reply = route.fetch(url=route.request.url.replace("home.test", "127.0.0.1"), headers=headers, max_redirects=0)
        route.fulfill(response=reply)

    page.context.route("**/*", forward)
    page.goto(f"{elsewhere}/login")
    page.fill("#token", "askwell_wrong")
    page.locator("form .send").click()
    expect(page.locator("#refused")).to_be_visible()
    page.fill("#token", token)
    page.locator("form .send").click()
    expect(page.locator("#question")).to_be_visible()
    assert page.locator("#personal").count() == 0
    page.context.unroute_all(behavior="ignoreErrors")  # what the page still asks for must not meet the next test
    server[1].tokens.remove("browser")


def test_threads_of_the_server_end_with_it(server: tuple[str, Services]) -> None:
    assert len([thread for thread in threading.enumerate() if thread.name.startswith("answer")]) <= 64
