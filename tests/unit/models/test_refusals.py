from __future__ import annotations

import json

import pytest

from askwell.errors import InputTooLong, ModelRefused, ModelUnavailable
from askwell.models.refusals import refusal

LONG = [
    (400, {"error": "the input length exceeds the context length"}),
    (500, {"error": {"code": 500, "message": "input is too large to process. increase the physical batch size"}}),
    (413, {"error": "Input validation error: `inputs` must have less than 512 tokens. Given: 600", "error_type": "V"}),
    (400, {"error": {"message": "This model's maximum context length is 8192 tokens. However, you requested 9000."}}),
    (400, {"error": {"message": "bad", "code": "context_length_exceeded"}}),
    (400, {"message": "Input is longer than the model allows"}),
    (422, {"detail": "Sequence too long"}),
    (413, {}),
]


@pytest.mark.parametrize(("status", "body"), LONG)
def test_every_servers_way_to_say_too_long_is_known(status: int, body: object) -> None:
    assert isinstance(refusal(status, json.dumps(body), by="s", sent=[]), InputTooLong)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, "{}", ModelRefused),
        (403, "too long", ModelRefused),
        (404, '{"error": {"message": "model not found"}}', ModelRefused),
        (400, "{}", ModelRefused),
        (302, "", ModelRefused),
        (429, '{"error": {"message": "rate limit: too many tokens"}}', ModelUnavailable),
        (500, '{"error": {"message": "overloaded"}}', ModelUnavailable),
        (503, "<html>too long a page</html>", ModelUnavailable),
    ],
)
def test_the_status_says_what_to_do_next(status: int, body: str, kind: type[Exception]) -> None:
    error = refusal(status, body, by="s", sent=[])
    assert type(error) is kind
    assert error.hint


def test_the_servers_words_are_quoted() -> None:
    assert "model not found" in str(refusal(404, '{"error": {"message": "model not found"}}', by="s", sent=[]))


def test_neither_the_key_nor_the_text_is_ever_quoted() -> None:
    text = "my diary of the third of May, which nobody is to read"
    for said in (f"invalid input: {text}", f"invalid input: {text[10:40]}", f"no such key sk-{'1' * 20}"):
        message = str(refusal(400, json.dumps({"error": said}), by="s", sent=["x", text], key="sk-" + "1" * 20))
        assert message == "s refused the request"


def test_a_nested_body_does_not_break_the_stack() -> None:
    assert isinstance(refusal(500, "[" * 100_000, by="s", sent=[]), ModelUnavailable)
