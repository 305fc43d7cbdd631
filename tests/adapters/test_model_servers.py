"""A model server that is away, slow or wrong costs what it would have given, never an answer's honesty or an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell
from tests.unit.sources.make import write

from askwell.testing.fake_openai import (
    CLOSE,
    DONE,
    STALL,
    FakeOpenAI,
    Reply,
    completion,
    event,
    finished,
    json_reply,
    said,
)

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {f"pump{n}.md": f"# Pump {n}\n\nThe pump {n} of the cellar is blue.\n" for n in range(5)}
SSE = "text/event-stream"


def with_embedder(folder: Path, server: FakeOpenAI, model: str = "m") -> Askwell:
    settings = f'[models]\nembedding = "openai:{model}"\nembedding_url = "{server.url}"\ntimeout = 0.3\n'
    return Askwell(folder, (write(folder / "notes", NOTES),), settings)


def rows(*vectors: list[float]) -> Reply:
    return json_reply({"data": [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]})


FAULTS: dict[str, tuple[Reply, str]] = {
    "too few": (rows(), "0 vectors"),
    "too many": (rows(*[[1.0, 0.0]] * 40), "40 vectors"),
    "not a number": (rows([float("nan"), 1.0]), "not finite"),
    "infinite": (rows([float("inf"), 1.0]), "not finite"),
    "zeros": (rows([0.0, 0.0]), "zeros"),
    "no numbers": (json_reply({"data": [{"index": 0, "embedding": ["a", "b"]}]}), "numbers"),
    "no list": (json_reply({"data": "none"}), "no embeddings"),
    "a page": (Reply(type="text/html", steps=(b"<html>please log in</html>",)), "reply"),
    "a wrong key": (Reply(status=401), "key"),
    "an unknown model": (Reply(status=404), "model"),
    "busy": (Reply(status=503), "503"),
    "over the rate limit": (Reply(status=429), "rate limit"),
    "a hang": (Reply(steps=(STALL,)), "in time"),
    "half a reply": (Reply(steps=(b'{"data": [', CLOSE)), "broke off"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_embedding_server_that_fails_leaves_an_index_of_words(tmp_path: Path, fault: str) -> None:
    reply, word = FAULTS[fault]
    with FakeOpenAI() as server:
        server.reply(*[reply] * 60)
        askwell = with_embedder(tmp_path, server)
        told = askwell("index")
        assert told.code == 0
        assert "search by words works" in told.out
        assert word in told.err
        assert "search goes on by words" in told.err
        found = askwell("search", "--json", "pump 3")
        assert found.json["hits"][0]["path"] == "pump3.md"
        assert found.json["missing_arms"] == [{"arm": "vector", "reason": "no vectors yet: run `askwell index`"}]
    with FakeOpenAI() as server:
        mended = with_embedder(tmp_path, server)("index", "--json").json
        assert (mended["unchanged"], mended["embedded"], mended["pending"]) == (5, 5, 0)


def test_a_vector_of_another_width_is_never_stored_beside_the_others(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        assert with_embedder(tmp_path, server)("index", "--json").json["embedded"] == 5
    write(tmp_path / "notes", {"more.md": "one more pump", "again.md": "and again"})
    with FakeOpenAI() as server:
        server.reply(*[rows([1.0, 0.0, 0.0])] * 60)
        askwell = with_embedder(tmp_path, server)
        told = askwell("index")
        assert (told.code, "another model of this name" in told.err) == (4, True)
        assert askwell("status", "--json").json["vectors"] == 5


def test_nobody_at_the_address_is_said_in_the_result(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        with_embedder(tmp_path, server)("index")
    gone = with_embedder(tmp_path, server, "m")
    gone = Askwell(tmp_path, gone.sources, gone.settings.replace(server.url, "http://127.0.0.1:9/v1"))
    for command in ("search", "ask"):
        told = gone(command, "--json", "which pump is blue")
        assert told.code == 0
        assert [arm["arm"] for arm in told.json["missing_arms"]] == ["vector"]
        assert (
            "note: without the vector arm: no connection to http://127.0.0.1:9"
            in gone(command, "which pump is blue").err
        )
    assert "FAIL embedding" in gone("doctor").out


def test_another_model_is_refused_until_the_index_is_rebuilt_for_it(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        first, second = with_embedder(tmp_path, server, "first"), with_embedder(tmp_path, server, "second")
        first("index")
        for command in (("search", "pump"), ("ask", "pump"), ("index",)):
            told = second(*command)
            assert told.code == 4
            assert "'first/api'" in told.err
            assert "'second/api'" in told.err
            assert "askwell index --rebuild" in told.err
        assert "FAIL embedding space" in second("doctor").out
        assert second("index", "--rebuild").code == 0
        hit = second.hits("pump 3")[0]
        assert {sighting["arm"] for sighting in hit["sightings"]} >= {"lexical", "vector"}
        assert second("status", "--json").json["vectors"] == 5
        assert first("search", "pump").code == 4


ANSWERS: dict[str, tuple[Reply, int, str, str]] = {
    "busy": (Reply(status=503), 75, "", "503"),
    "a wrong key": (Reply(status=401), 5, "", "key"),
    "a hang": (Reply(type=SSE, steps=(STALL,)), 75, "", "in time"),
    "a hang in its answer": (Reply(type=SSE, steps=(said("It is "), STALL)), 75, "It is", ""),
    "a broken connection": (Reply(type=SSE, steps=(said("It is "), CLOSE)), 75, "It is", ""),
    "an error in its answer": (Reply(type=SSE, steps=(said("It is "), event({"error": "x"}))), 75, "It is", ""),
    "no end": (Reply(type=SSE, steps=(said("It is blue"),)), 75, "It is", ""),
    "nonsense": (Reply(type="text/html", steps=(b"<html>log in</html>",)), 5, "", ""),
    "nothing": (Reply(type=SSE, steps=(DONE,)), 75, "", ""),
    "white space": (Reply(type=SSE, steps=(said(" \n"), finished("stop"), DONE)), 75, "", ""),
}


@pytest.mark.parametrize("fault", ANSWERS)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_an_answer_that_breaks_off_is_a_failure(tmp_path: Path, fault: str, form: tuple[str, ...]) -> None:
    reply, code, shown, word = ANSWERS[fault]
    with FakeOpenAI() as server:
        server.reply(*[reply] * 5)
        models = f'generation = "openai:m"\ngeneration_url = "{server.url}"\ntimeout = 0.2\n'
        askwell = Askwell(tmp_path, (write(tmp_path / "notes", NOTES),), WORDS_ONLY + models)
        askwell("index")
        told = askwell("ask", *form, "which pump of the cellar is blue")
    assert told.code == code
    error = next(line for line in told.err.splitlines() if line.startswith("error: "))
    assert word in error
    assert "  hint: " in told.err
    assert "Sources" not in told.out
    if form:
        assert error == f"error: {told.json['error']['message']}"
    else:
        assert told.out.strip().startswith(shown)


def test_an_answer_that_ends_well_is_shown_with_its_lines(tmp_path: Path) -> None:
    with FakeOpenAI(answer=("The pump 3 ", "is blue [1].")) as server:
        models = f'generation = "openai:m"\ngeneration_url = "{server.url}"\n'
        askwell = Askwell(tmp_path, (write(tmp_path / "notes", NOTES),), WORDS_ONLY + models)
        askwell("index")
        told = askwell("ask", "--json", "is pump 3 of the cellar blue").json
        assert (told["outcome"], told["text"], told["model"]) == ("answer", "The pump 3 is blue [1].", "m")
        assert told["citations"][0]["path"] == "pump3.md"
        assert told["usage"]["prompt_tokens"] == 7
        count = len(server.requests)
        assert askwell("search", "pump").code == 0
        assert askwell("ask", "--explain", "pump").code == 0
        assert askwell("ask", "--json", "who wrote the constitution of Norway").json["by"] == "gate"
        assert len(server.requests) == count


def test_what_the_model_invents_is_not_shown_as_a_source(tmp_path: Path) -> None:
    reply = (
        "The port is 9117 [[meter]]. It was 80 before [[old-config]]. Also [[other]] says so, and [[private/aunt]], "
        "and [[private/nobody]]. See [[METER.md|the note]], [[meter|]] and [[ meter ]]. Lines [[meter#L9000]] [7]."
    )
    pieces = tuple(reply[at : at + 4] for at in range(0, len(reply), 4))
    notes = {
        "meter.md": "# Meter\n\nThe port of the meter is 9117.",
        "other.md": "# Other\n\nUnrelated words.",
        "private/aunt.md": "# Aunt\n\nCANARY",
    }
    with FakeOpenAI() as server:
        server.reply(*[Reply(type=SSE, steps=completion(*pieces))] * 2)
        settings = (
            f'{WORDS_ONLY}generation = "openai:m"\ngeneration_url = "{server.url}"\n'
            '[privacy]\npersonal = ["private/"]\n'
        )
        askwell = Askwell(tmp_path, (write(tmp_path / "notes", notes),), settings)
        askwell("index")
        told = askwell("ask", "--open-only", "--json", "what is the port of the meter").json
        assert {citation["path"] for citation in told["citations"]} == {"meter.md"}
        assert told["invented"] == 5
        assert "The port is 9117" in told["text"]
        for name in ("old-config", "other", "private/aunt", "private/nobody"):
            assert f"{name} (not found)" in told["text"]
        streamed = askwell("ask", "--open-only", "what is the port of the meter").out
        assert streamed.startswith(told["text"])
        assert "CANARY" not in repr(server.requests)
