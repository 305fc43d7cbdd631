from __future__ import annotations

import httpx
import pytest

from askwell.errors import AskwellError, ConfigError, ModelRefused, ModelUnavailable
from askwell.models.endpoint import Endpoint, translated
from askwell.testing.fake_openai import CLOSE, STALL, FakeOpenAI, Reply, json_reply


def subclasses(kind: type[Exception]) -> set[type[Exception]]:
    return {kind} | {found for child in kind.__subclasses__() for found in subclasses(child)}


def test_every_exception_of_the_http_library_is_one_of_ours() -> None:
    kinds = {*subclasses(httpx.HTTPError), *subclasses(httpx.StreamError), httpx.InvalidURL}
    assert len(kinds) > 20
    for kind in kinds:
        error = translated(Exception.__new__(kind), by="s")
        assert isinstance(error, (ModelUnavailable, ModelRefused, ConfigError))
        assert error.hint


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://a/b",
        "http://",
        "http://user:pw@host/v1",
        "http://host:99999",
        "http://[::1",
        "unix:",
    ],
)
def test_an_address_that_cannot_be_used_is_a_setting_to_fix(url: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        Endpoint(url)
    assert "pw" not in str(wrong.value)


def test_v1_is_added_to_a_bare_host_only() -> None:
    with FakeOpenAI() as server:
        for url, path in ((server.url.removesuffix("/v1"), "/v1/x"), (server.url + "/", "/v1/x")):
            endpoint = Endpoint(url)
            with pytest.raises(ModelRefused):
                endpoint.post("x", {}, sent=[])
            endpoint.close()
            assert server.requests[-1].path == path


def test_the_key_is_sent_and_shown_nowhere() -> None:
    key = "sk-verysecretverysecret"
    with FakeOpenAI() as server:
        endpoint = Endpoint(server.url, key=key)
        server.reply(json_reply({"error": {"message": f"Incorrect API key provided: {key}"}}, status=401))
        server.reply(json_reply({"error": {"message": f"Incorrect API key provided: {key}"}}, status=400))
        shown = [repr(endpoint), str(vars(endpoint)["_made"])]
        for _ in range(2):
            with pytest.raises(ModelRefused) as refused:
                endpoint.post("embeddings", {}, sent=[])
            shown += [str(refused.value), refused.value.hint]
        endpoint.close()
        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {key}"] * 2
    assert key not in " ".join(shown)


@pytest.mark.parametrize("key", ["sk-1\n2", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_a_setting_to_fix(key: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        Endpoint("http://127.0.0.1:1", key=key)
    assert key not in str(wrong.value)


def test_a_busy_server_is_asked_again_with_growing_pauses() -> None:
    slept: list[float] = []
    with FakeOpenAI() as server:
        server.reply(Reply(status=429), Reply(status=503), json_reply({"data": []}))
        endpoint = Endpoint(server.url, sleep=slept.append)
        assert endpoint.post("embeddings", {}, sent=[]) == {"data": []}
        endpoint.close()
    assert slept == [0.5, 1.0]


def test_what_a_server_asks_to_wait_is_waited_unless_it_is_long() -> None:
    slept: list[float] = []
    with FakeOpenAI() as server:
        endpoint = Endpoint(server.url, sleep=slept.append)
        server.reply(Reply(status=429, headers={"Retry-After": "3"}), json_reply({}))
        endpoint.post("embeddings", {}, sent=[])
        server.reply(Reply(status=429, headers={"Retry-After": "3600"}))
        with pytest.raises(ModelUnavailable, match="rate limit"):
            endpoint.post("embeddings", {}, sent=[])
        endpoint.close()
    assert slept == [3.0]


def test_attempts_end() -> None:
    slept: list[float] = []
    with FakeOpenAI() as server:
        server.reply(*[Reply(status=500)] * 9)
        endpoint = Endpoint(server.url, sleep=slept.append)
        with pytest.raises(ModelUnavailable, match="answered 500"):
            endpoint.post("embeddings", {}, sent=[])
        endpoint.close()
        assert len(server.requests) == 3
    assert len(slept) == 2


def test_a_dropped_connection_is_tried_again() -> None:
    with FakeOpenAI() as server:
        server.reply(Reply(steps=(b"{", CLOSE)), json_reply({"ok": 1}))
        endpoint = Endpoint(server.url, sleep=lambda _: None)
        assert endpoint.post("embeddings", {}, sent=[]) == {"ok": 1}
        endpoint.close()


def test_nobody_there_and_silence_are_unavailable() -> None:
    with FakeOpenAI() as server:
        url = server.url
        server.reply(Reply(steps=(STALL,)))
        endpoint = Endpoint(url, timeout=0.1, sleep=lambda _: None)
        with pytest.raises(ModelUnavailable, match="in time"):
            endpoint.post("embeddings", {}, sent=[])
    with pytest.raises(ModelUnavailable, match="no connection"):
        endpoint.post("embeddings", {}, sent=[])
    endpoint.close()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(type="text/html", steps=(b"<html>login</html>",)),
        Reply(steps=(b"",)),
        Reply(steps=(b"{",)),
        Reply(steps=(b"[" * 100_000,)),
        json_reply({"error": {"message": "no such model"}}),
        Reply(status=302, headers={"Location": "http://127.0.0.1:1/elsewhere"}),
    ],
)
def test_nonsense_is_refused_with_a_hint(reply: Reply) -> None:
    with FakeOpenAI() as server:
        server.reply(reply)
        endpoint = Endpoint(server.url)
        with pytest.raises(ModelRefused) as refused:
            endpoint.post("embeddings", {}, sent=[])
        endpoint.close()
        assert len(server.requests) == 1
    assert isinstance(refused.value, AskwellError)
    assert refused.value.hint


def test_a_server_of_this_machine_is_not_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI() as proxy, FakeOpenAI() as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        server.reply(json_reply({}))
        endpoint = Endpoint(server.url)
        endpoint.post("embeddings", {}, sent=[])
        endpoint.close()
        assert (len(proxy.requests), len(server.requests)) == (0, 1)
