"""A real Chromium, and pages that report what they must not do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright
from tests.browser.chromium import FLAGS, demanded, found

expect.set_options(timeout=15_000)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start one; it ends with the module, because an event loop runs in this thread until then."""
    path = found()
    if not path:
        missing = "there is no Chromium: run `python -m tests.browser.chromium`, or name one with CHROMIUM"
        if demanded():
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield made
        made.close()


@dataclass
class Tab:
    """A page, the addresses that it asked for, and the errors that it reported."""

    page: Page
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def strangers(self, base: str) -> list[str]:
        return [url for url in self.asked if not url.startswith((base, "data:", "blob:", "about:"))]


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    made = Tab(context.new_page())
    context.on("request", lambda request: made.asked.append(request.url))
    made.page.on("pageerror", lambda error: made.errors.append(str(error)))
    made.page.set_default_timeout(15_000)
    yield made
    context.close()
