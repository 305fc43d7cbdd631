"""A reranker, as a person sees it: what it moves, what it is shown, and what it costs when it is away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.adapters.command import Askwell, spawn
from tests.unit.models.cross_encoder_folder import exported
from tests.unit.sources.make import write

from askwell.testing.fake_openai import CLOSE, STALL, FakeOpenAI, Reply, json_reply

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "short.md": "# Pump\n\nThe pump of the cellar.\n",
    "long.md": "# House\n\nOf the cellar and of the roof, the pump is one thing of many: the pump of the cellar, "
    "and beside the pump of the cellar the lamp.\n",
    "journal/mine.md": "# Diary\n\nI dreamt of the pump of the cellar.\n",
}
QUESTION = "the pump of the cellar"
PERSONAL = '[privacy]\npersonal = ["journal/"]\n'


def made(folder: Path, models: str = "", *, retrieval: str = "", privacy: str = "") -> Askwell:
    settings = f'[models]\nembedding = "none"\n{models}\n[retrieval]\n{retrieval}\n{PERSONAL}{privacy}\n'
    folder.mkdir(exist_ok=True)
    notes = Askwell(folder, (write(folder / "notes", NOTES),), settings)
    notes("index")
    return notes


def found_by(notes: Askwell) -> dict[str, Any]:  # Any: the shape is the claim of the test
    said = notes("search", "--json", "--", QUESTION)
    assert said.code == 0, said.err
    found: dict[str, Any] = said.json
    return found


def served(server: FakeOpenAI, dialect: str = "jina:fake", *, trust: str = "local") -> str:
    url = server.url if dialect.startswith("jina") else server.url.removesuffix("/v1")
    return f'rerank = "{dialect}"\nrerank_url = "{url}"\nrerank_trust = "{trust}"\ntimeout = 0.3'


def preferring(path: str) -> Reply:
    """Return a reply that calls the second text the best; searches of these notes have the same candidates."""
    scores = {"second": [0.0, 5.0, 0.0], "first": [5.0, 0.0, 0.0]}[path]
    return json_reply({"results": [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]})


@pytest.mark.parametrize("dialect", ["jina:fake", "tei"])
def test_a_server_has_the_last_word_and_its_score_is_shown(tmp_path: Path, dialect: str) -> None:
    with FakeOpenAI() as server:
        notes = made(tmp_path, served(server, dialect))
        hits = found_by(notes)["hits"]
        assert [request.path for request in server.requests] == ["/v1/rerank" if "jina" in dialect else "/rerank"]
    told = {hit["path"]: {s["arm"]: s for s in hit["sightings"]} for hit in hits}
    assert all("rerank" in seen for seen in told.values())
    assert [seen["rerank"]["rank"] for seen in told.values()] == [1, 2, 3]
    assert [seen["rerank"]["score"] for seen in told.values()] == sorted(
        (seen["rerank"]["score"] for seen in told.values()), reverse=True
    )


def test_the_server_decides_the_order(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = made(tmp_path, served(server))
        server.reply(preferring("first"), preferring("second"))
        one, other = (found_by(notes)["hits"] for _ in range(2))
    assert one[0]["path"] == other[1]["path"]
    assert one[1]["path"] == other[0]["path"]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=503), "503"),
        (Reply(status=401), "key"),
        (Reply(steps=(STALL,)), "in time"),
        (Reply(steps=(b'{"results": [', CLOSE)), "broke off"),
        (json_reply({"results": []}), "one score a text"),
    ],
    ids=["busy", "a wrong key", "a hang", "half a reply", "no scores"],
)
def test_a_server_that_fails_costs_its_order_and_is_told(tmp_path: Path, reply: Reply, told: str) -> None:
    with FakeOpenAI() as server:
        plain = found_by(made(tmp_path / "plain"))
        notes = made(tmp_path / "reranked", served(server))
        server.reply(reply)
        found = found_by(notes)
        server.reply(reply)
        said = notes("search", QUESTION)
    assert [hit["path"] for hit in found["hits"]] == [hit["path"] for hit in plain["hits"]]
    assert [missing["arm"] for missing in found["missing_arms"] if missing["arm"] != "vector"] == ["rerank"]
    assert any(told in missing["reason"] for missing in found["missing_arms"])
    assert "rerank" in said.err


def test_only_as_many_hits_are_read_as_the_setting_says(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        found_by(made(tmp_path, served(server), retrieval="rerank_depth = 2"))
        assert [len(request.body["documents"]) for request in server.requests] == [2]  # type: ignore[arg-type]  # a list


def test_a_reranker_elsewhere_is_shown_nothing_personal(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = made(tmp_path, served(server, trust="cloud"))
        found = found_by(notes)
        assert server.requests
        assert not any("dreamt" in str(request.body) for request in server.requests)
    assert sorted(hit["path"] for hit in found["hits"]) == ["long.md", "short.md"]
    assert any("personal notes are left out" in warning for warning in found["warnings"])


def test_what_the_user_allows_is_shown(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = made(tmp_path, served(server, trust="cloud"), privacy="allow_cloud = true")
        assert len(found_by(notes)["hits"]) == 3
        assert any("dreamt" in str(request.body) for request in server.requests)


def test_what_is_sent_to_another_machine_is_recorded_with_its_class(tmp_path: Path) -> None:
    """A proxy on this machine stands in for the way to another one."""
    records = f'\n[records]\npath = "{tmp_path / "state"}"\n'
    with FakeOpenAI() as server:
        proxied = {"HTTP_PROXY": server.url.removesuffix("/v1"), "NO_PROXY": ""}
        away = 'rerank = "jina:m"\nrerank_url = "http://models.invalid:8000/v1"'
        notes = made(tmp_path, away, privacy=records)
        said = spawn(notes.arguments("search", "--json", "--", QUESTION), environ=proxied)
        assert said.code == 0, said.err
        assert len(said.json["hits"]) == 2
    (row,) = notes("status", "--egress", "--json").json["egress"]
    assert (row["destination"], row["purpose"], row["class"]) == ("models.invalid:8000", "rerank", "open")


def test_a_folder_reranks_without_a_server(tmp_path: Path) -> None:
    folder = exported(tmp_path / "model")
    plain = found_by(made(tmp_path / "plain"))["hits"]
    hits = found_by(made(tmp_path / "reranked", f'rerank = "folder:{folder}"'))["hits"]
    assert plain[0]["path"] == "short.md"
    assert hits[0]["path"] == "long.md"  # it says the words of the question most often


def test_the_bundled_model_reads_again(tmp_path: Path) -> None:
    hits = found_by(made(tmp_path, 'rerank = "late"'))["hits"]
    assert all("rerank" in {seen["arm"] for seen in hit["sightings"]} for hit in hits)


def test_the_doctor_tells_whether_it_works(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = made(tmp_path, served(server))
        assert "jina:fake answers, local" in notes("doctor").out
        server.reply(json_reply({"results": [{"index": n, "relevance_score": n} for n in (0, 1)]}))
        assert "prefers the wrong text" in notes("doctor").out
    said = notes("doctor")
    assert "rerank" in said.out
    assert "Traceback" not in said.out + said.err


@pytest.mark.parametrize("words", [True, False])
def test_candidates_are_compared_word_by_word_unless_it_is_off(tmp_path: Path, words: bool) -> None:
    settings = f"[retrieval]\nwords = {str(words).lower()}\n"
    notes = Askwell(tmp_path, (write(tmp_path / "notes", NOTES),), settings)
    notes("index")
    hits = found_by(notes)["hits"]
    assert len(hits) == 3
    assert all(("words" in {seen["arm"] for seen in hit["sightings"]}) is words for hit in hits)


@pytest.mark.parametrize(
    ("setting", "hint"),
    [
        ('rerank = "lat"', "did you mean `late`"),
        ('rerank = "late:x"', "use `none`"),
        ('rerank = "folder"', "use `none`"),
        ('rerank = "folder:/nowhere"', "optimum-cli"),
        ('rerank = "jina:m"', "base URL"),
        ('rerank = "jina"\nrerank_url = "http://127.0.0.1:1"', "use `none`"),
        ('rerank = "tei"\nrerank_url = "ftp://host"', "base URL"),
    ],
)
def test_a_wrong_setting_is_told_with_the_next_step(tmp_path: Path, setting: str, hint: str) -> None:
    notes = replace(made(tmp_path), settings=f'[models]\nembedding = "none"\n{setting}\n')
    result = notes("search", QUESTION)
    assert result.code == 2
    assert hint in result.err
    assert "Traceback" not in result.err
