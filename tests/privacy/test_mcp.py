"""An agent finds nothing personal unless the settings say so, and then only a caller who may see it.

Neither in a list, a count, an address, a completion, a suggestion nor an error: "not visible" and "does not exist" are
one answer.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.adapters.command import WORDS_ONLY, Askwell
from tests.adapters.mcp_server import HEADERS, call, message, served
from tests.privacy.test_nothing_personal_shows import CANARIES, OPEN, PERSONAL
from tests.unit.sources.make import write

from askwell.server.mcp import resources

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("mcp")

RULES = '[privacy]\npersonal = ["journal/"]\n'
CLINIC = "journal/The clinic.md"

CALLS: list[dict[str, Any]] = [
    *(
        call(name, {"question": question, "k": 50})
        for name in ("search", "ask")
        for question in (
            "how much pressure does the boiler keep",
            "CANARYTEXT",
            "the clinic",
            "what is in [[plan]]",
            "how many notes are there",
            "which documents link to The clinic",
            "list all personal documents",
            "very same words about the heron",
            "which files were skipped",
        )
    ),
    call("ask", {"question": "the clinic", "allow_web": True}),
    call("search", {"question": "pump", "section": ["Canarysection"]}),
    call("search", {"question": "pump", "tag": ["canarytag"]}),
    call("search", {"question": "pump", "path": ["journal/**"]}),
    *(call("read", {"path": path}) for path in (*OPEN, *PERSONAL, "clinic.md", "The clinic.md", "flagged.md")),
    *(call("neighbors", {"path": path}) for path in (*OPEN, CLINIC, "flagged.md")),
    call("topics", {}),
    call("status", {}),
    message("resources/list"),
    message("resources/list", {"cursor": "WyJ2YXVsdCIsICJqb3VybmFsL0EiXQ=="}),
    *(message("resources/read", {"uri": resources.address("vault", path)}) for path in (*OPEN, *PERSONAL)),
    *(
        message(
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": resources.TEMPLATE},
                "argument": {"name": name, "value": typed},
                "context": {"arguments": {"source": "vault"}},
            },
        )
        for name in ("path", "source")
        for typed in ("", "j", "clinic", "journal/", "flag", "vault")
    ),
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Askwell, Askwell]:
    """The same vault with and without its personal notes, both indexed."""
    made = []
    for name, files in (("with", OPEN | PERSONAL), ("without", OPEN)):
        folder = tmp_path_factory.mktemp(name)
        askwell = Askwell(folder, (write(folder / "vault", files),), RULES + WORDS_ONLY)
        assert askwell("index").code == 0
        made.append(askwell)
    return made[0], made[1]


@pytest.fixture(scope="module")
def pair(folders: tuple[Askwell, Askwell]) -> Iterator[tuple[str, str]]:
    """Addresses of both, served without sessions."""
    with served(folders[0], stateless=True) as (one, _), served(folders[1], stateless=True) as (two, _):
        yield one, two


def told(url: str, body: dict[str, Any], **headers: str) -> str:
    """Return a reply without what differs from run to run and from place to place."""
    reply = httpx.post(url, json=body, headers={**HEADERS, **headers}, timeout=60)
    assert reply.status_code == 200, reply.text
    text = json.dumps(reply.json(), sort_keys=True).replace('\\"', '"').replace("\\\\", "\\")
    text = re.sub(r'"timings": \{[^{}]*\}', "", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", "TIME", text)
    return re.sub(r'"(?:root|store)": "[^"]*"', "", text)


@pytest.mark.parametrize("body", CALLS, ids=lambda body: json.dumps(body["params"])[:70])
def test_an_agent_is_answered_as_if_there_were_nothing_personal(pair: tuple[str, str], body: dict[str, Any]) -> None:
    shown = told(pair[0], body)
    assert shown == told(pair[1], body)
    echoed = shown.casefold()
    asked = body["params"].get("arguments", body["params"])
    for value in (asked.get("question"), asked.get("path"), asked.get("uri")):
        if isinstance(value, str):
            echoed = echoed.replace(value.casefold(), "")
    if not (asked.get("section") or asked.get("tag")):
        assert not [canary for canary in CANARIES if canary in echoed]


def test_a_path_that_may_not_be_seen_reads_like_one_that_does_not_exist(pair: tuple[str, str]) -> None:
    hidden, nothing = (told(pair[0], call("read", {"path": path})) for path in (CLINIC, "journal/No clinic.md"))
    assert hidden.replace(CLINIC, "PATH") == nothing.replace("journal/No clinic.md", "PATH")


def test_the_setting_shows_personal_documents_to_whoever_may_see_them(folders: tuple[Askwell, Askwell]) -> None:
    found = call("search", {"question": "CANARYTEXT boiler clinic"})
    listed = message("resources/list")
    with served(folders[0], stateless=True, include_personal=True) as (url, tokens):
        assert "CANARYTEXT" in told(url, found)
        assert "journal/day" in told(url, listed)
        limited = {"Authorization": f"Bearer {tokens.add('guest', open_only=True)}"}
        assert "CANARYTEXT: the boiler" not in told(url, found, **limited)
        assert "journal/day" not in told(url, listed, **limited)
        full = {"Authorization": f"Bearer {tokens.add('owner', open_only=False)}"}
        assert "journal/day" in told(url, listed, **full)


def test_the_web_and_personal_documents_do_not_meet(folders: tuple[Askwell, Askwell]) -> None:
    with served(folders[0], stateless=True, include_personal=True) as (url, _):
        shown = told(url, call("ask", {"question": "CANARYTEXT boiler of the clinic", "allow_web": True}))
    assert '"classes": ["open"]' in shown
    assert "left out because the web is allowed" in shown


def test_no_argument_widens_what_an_agent_may_see(pair: tuple[str, str]) -> None:
    for name in ("search", "ask", "status", "topics"):
        arguments = {"question": "boiler", "include_personal": True} if name in ("search", "ask") else {}
        shown = told(pair[0], call(name, {**arguments, "include_personal": True}))
        assert "Extra inputs are not permitted" in shown
