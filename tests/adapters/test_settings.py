"""Changing what is tuned: from the command line and over HTTP, with what a running server does not use yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.adapters.command import Askwell
from tests.adapters.server import indexed, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from askwell.server.services import Services


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path)) as (url, parts):
        yield f"{url}/api/settings", parts


def put(url: str, changes: dict[str, object], **headers: str) -> httpx.Response:
    return httpx.put(url, json={"changes": changes}, headers=headers, timeout=30)


def test_a_change_is_kept_shown_as_waiting_and_used_by_the_next_start(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    with served(notes) as (url, _):
        before = httpx.get(f"{url}/api/settings").json()
        assert before["pending_restart"] == []
        shown = put(f"{url}/api/settings", {"retrieval.k": 3, "persona.tone": "friendly"}).json()
        assert shown["pending_restart"] == ["retrieval.k", "persona.tone"]
        (k,) = [one for one in shown["settings"] if one["name"] == "retrieval.k"]
        assert (k["value"], k["saved"], k["from"], k["range"]) == (8, 3, "default", [1, 1000])
        assert json.loads((tmp_path / "records" / "overrides.json").read_text())
    with served(notes) as (url, parts):
        after = httpx.get(f"{url}/api/settings").json()
        assert (after["pending_restart"], parts.config.retrieval.k) == ([], 3)
        assert {one["from"] for one in after["settings"] if one["name"] in ("retrieval.k", "persona.tone")} == {
            "overrides"
        }
        assert put(f"{url}/api/settings", {"retrieval.k": None}).json()["pending_restart"] == ["retrieval.k"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"retrieval.k": 0}, "`retrieval.k` is 0"),
        ({"retrieval.k": 8}, "is 8 already"),
        ({"privacy.allow_cloud": True}, "cannot be changed here"),
        ({"models.generation_key_env": "HOME"}, "cannot be changed here"),
        ({"server.hosts": "elsewhere.test"}, "cannot be changed here"),
        ({"answer.context_chars": 600}, "does nothing while"),
        ({}, "no setting is named"),
        ({"retrieval.k": [1]}, "changes.retrieval.k"),
    ],
)
def test_what_cannot_be_changed_is_refused_with_a_sentence(
    server: tuple[str, Services], changes: dict[str, object], said: str
) -> None:
    reply = put(server[0], changes)
    assert reply.status_code == 422
    assert said in reply.json()["detail"]
    assert reply.json()["hint"]
    assert httpx.get(server[0]).json()["pending_restart"] == []


def test_it_is_for_whoever_may_see_everything(server: tuple[str, Services]) -> None:
    url, parts = server
    limited = {"Authorization": f"Bearer {parts.tokens.add('guest', open_only=True)}"}
    full = {"Authorization": f"Bearer {parts.tokens.add('full', open_only=False)}"}
    assert httpx.get(url, headers=limited).status_code == 403
    assert put(url, {"retrieval.k": 3}, **limited).status_code == 403
    assert httpx.get(url, headers={"Host": "home.test"}).status_code == 401
    assert put(url, {"retrieval.k": 3}, **full).status_code == 200


def test_another_sites_page_changes_nothing(server: tuple[str, Services]) -> None:
    url, _ = server
    body = json.dumps({"changes": {"retrieval.k": 3}})
    assert put(url, {"retrieval.k": 3}, Origin="http://elsewhere.test").status_code == 403
    for type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert httpx.put(url, content=body, headers={"Content-Type": type}).status_code in (415, 422)
    assert httpx.post(url, content=body, headers={"Content-Type": "application/json"}).status_code == 405
    assert httpx.get(url).json()["pending_restart"] == []


def test_the_command_line_changes_shows_and_takes_back(tmp_path: Path) -> None:
    settings = f'[models]\nembedding = "none"\n[records]\npath = "{tmp_path / "state"}"\n'
    notes = indexed(tmp_path, settings=settings)
    assert len(notes.hits("garden pump valve winter")) > 1
    said = notes("config", "set", "retrieval.k", "1")
    assert said.code == 0
    assert "retrieval.k = 1  (overrides)" in said.out
    assert len(notes.hits("garden pump valve winter")) == 1
    shown = notes("config", "--json", "retrieval.k").json
    assert shown["settings"]["retrieval.k"] == {"value": 1, "from": "overrides"}
    assert shown["overrides"] == str(tmp_path / "state" / "overrides.json")
    assert len(notes.hits("garden pump valve winter", "-k", "2")) == 2
    assert notes("config", "unset", "retrieval.k").code == 0
    assert len(notes.hits("garden pump valve winter")) > 1
    model = ("models.generation", "openai:m", "models.generation_url", "http://127.0.0.1:9/v1")
    assert notes("config", "set", *model).code == 0
    assert notes("config", "unset", *model[::2]).code == 0


@pytest.mark.parametrize(
    "words", [("set",), ("set", "retrieval.k"), ("unset",), ("set", "retrieval.k", "1", "persona.tone"), ("a", "b")]
)
def test_a_command_that_is_none_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    said = Askwell(tmp_path, ())("config", *words)
    assert said.code == 2
    assert "config set SETTING VALUE" in said.err


def test_a_bad_entry_is_told_by_every_command_and_stops_none(tmp_path: Path) -> None:
    settings = f'[models]\nembedding = "none"\n[records]\npath = "{tmp_path / "state"}"\n'
    notes = indexed(tmp_path, settings=settings)
    (tmp_path / "state").mkdir(exist_ok=True)
    table = {str(tmp_path / "settings.toml"): {"retrieval.k": "many", "persona.tone": "friendly"}}
    (tmp_path / "state" / "overrides.json").write_text(json.dumps(table))
    said = notes("search", "garden pump")
    assert said.code == 0
    assert "`retrieval.k` in" in said.err
    assert notes("config", "--json", "persona.tone").json["settings"]["persona.tone"]["value"] == "friendly"
    assert notes("config", "unset", "retrieval.k").code == 0
    assert notes("search", "garden pump").err.count("overrides.json") == 0


def test_an_entry_that_is_no_setting_can_be_taken_back(tmp_path: Path) -> None:
    settings = f'[models]\nembedding = "none"\n[records]\npath = "{tmp_path / "state"}"\n'
    notes = indexed(tmp_path, settings=settings)
    (tmp_path / "state").mkdir(exist_ok=True)
    table = {str(tmp_path / "settings.toml"): {"colour": "blue"}}
    (tmp_path / "state" / "overrides.json").write_text(json.dumps(table))
    assert "`colour`" in notes("status").err
    said = notes("config", "unset", "colour")
    assert (said.code, "Traceback" in said.err) == (0, False)
    assert "`colour`" not in notes("status").err
