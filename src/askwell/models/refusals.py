"""What a model server's refusal means for the caller: too long, wrong settings, busy, or simply no."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from askwell.errors import InputTooLong, ModelRefused, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.errors import AskwellError

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|size|window)|maximum context|n_ctx|too long|too many tokens|too large to process"
    r"|exceed\w* .{0,40}(?:tokens?\b|length|maximum|batch size)|less than \d+ tokens"
    r"|max\w* (?:input |sequence |token )?(?:length|tokens)|longer than",
    re.IGNORECASE,
)
"""How Ollama, llama.cpp, TEI, vLLM, OpenAI and LM Studio say that an input does not fit."""

_LIMIT = 200  # characters of a server's own words in a message
_OVERLAP = 24  # characters; a message that repeats so many of what was sent is not quoted


def refusal(status: int, body: str, *, by: str, sent: Sequence[str], key: str = "") -> AskwellError:
    """Return the error for an HTTP status or an error in a body (status 200).

    The server's own words are quoted where they hold neither the key nor a piece of what was sent.

    Args:
        by: The server, for the message.
        sent: The texts of the request.
        key: The API key of the request.
    """
    said = _said(body)
    if status not in (401, 403, 429) and (status == 413 or _TOO_LONG.search(said)):
        return InputTooLong(f"{by} refused an input as too long", hint="split it, or set the model's window lower")
    quoted = _quotable(said, sent=sent, key=key)
    match status:
        case 401 | 403:
            return ModelRefused(
                f"{by} refused the key", hint="set the environment variable that `models` names for this server"
            )
        case 404:
            return ModelRefused(
                f"{by} does not know the model or the address{quoted}", hint="check the model's name and the URL"
            )
        case 429:
            return ModelUnavailable(f"{by} is over its rate limit{quoted}", hint="try again later")
        case _ if status >= 500:
            return ModelUnavailable(f"{by} answered {status}{quoted}", hint="look at the server's log")
        case _ if 300 <= status < 400:
            return ModelRefused(f"{by} redirects elsewhere", hint="set the URL to the address that it redirects to")
        case _:
            return ModelRefused(f"{by} refused the request{quoted}", hint="check the model's name and its server")


def no_model(by: str) -> ModelRefused:
    """Return the error for a reply that is no model's: a page, an empty body, something else than JSON."""
    return ModelRefused(
        f"{by} answered with something that is no model's reply",
        hint="check the URL: it should be a server's base address, such as `http://127.0.0.1:11434/v1`",
    )


def error_in(reply: object) -> str | None:
    """Return the error that a JSON reply carries, as JSON; None if it carries none."""
    if isinstance(reply, dict) and reply.get("error"):
        return json.dumps(reply)
    return None


def _said(body: str) -> str:
    """Return a server's words: OpenAI's `error.message`, or `error`, `message`, `detail` as plain text."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return "" if body.lstrip().startswith("<") else body[:2_000]
    if not isinstance(reply, dict):
        return ""
    for name in ("error", "message", "detail", "error_description"):
        value = reply.get(name)
        if isinstance(value, dict):
            value = " ".join(str(value[part]) for part in ("message", "code", "type") if value.get(part))
        if isinstance(value, str) and value:
            return value
    return ""


def _quotable(said: str, *, sent: Sequence[str], key: str) -> str:
    words = " ".join(said.split())[:_LIMIT]
    if not words or (key and key in said):
        return ""
    pieces = [words[at : at + _OVERLAP] for at in range(max(1, len(words) - _OVERLAP + 1))]
    flat = [" ".join(text.split()) for text in sent]
    if any(piece in text for text in flat for piece in pieces if len(piece) == _OVERLAP):
        return ""
    return f": {words}"
