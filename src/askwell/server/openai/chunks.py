"""Outcomes in OpenAI's shapes: completions, chunks of a stream, errors."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.responses import JSONResponse

from askwell.errors import AskwellError, ModelUnavailable
from askwell.server.sse import encode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from askwell.server.openai.messages import Asked
    from askwell.server.sse import Item

    Json = dict[str, Any]  # Any: JSON

DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the chunks of one completion have in common."""

    asked: Asked
    created: int
    id: str = field(default_factory=lambda: f"chatcmpl-{secrets.token_hex(12)}")

    def whole(self, done: Json) -> Json:
        """Return a completion."""
        text = done["text"] + (footer(done) if self.asked.footer else "")
        return {
            **self._head("chat.completion"),
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
            "usage": usage(done),
            "askwell": done,
        }

    def chunk(self, delta: Json, *, finish: str | None = None, **more: object) -> bytes:
        """Return one chunk of a stream."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        counted = {"usage": None} if self.asked.include_usage else {}
        return encode("", {**self._head("chat.completion.chunk"), "choices": [choice], **counted, **more})

    def counted(self, done: Json) -> bytes:
        """Return the chunk that counts tokens: sent only where it was asked for."""
        return encode("", {**self._head("chat.completion.chunk"), "choices": [], "usage": usage(done)})

    def _head(self, kind: str) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.asked.model or "askwell"}


async def streamed(reply: Reply, first: Item | None, rest: AsyncIterator[Item | None]) -> AsyncIterator[bytes]:
    """Yield a completion chunk by chunk. A fault is an error chunk, and no finish reason is given then."""
    try:
        yield reply.chunk({"role": "assistant", "content": ""})
        if first is not None:
            for piece in _pieces(reply, first):
                yield piece
        async for item in rest:
            if item is None:
                yield b": ping\n\n"
                continue
            for piece in _pieces(reply, item):
                yield piece
    except AskwellError as fault:
        yield encode("", error_body(502, str(fault), hint=fault.hint))
    except asyncio.CancelledError:
        stopping = ModelUnavailable("the server is stopping", hint="ask again when it is back")
        yield encode("", error_body(503, str(stopping), hint=stopping.hint))
        yield DONE
        raise
    yield DONE


def _pieces(reply: Reply, item: Item) -> list[bytes]:
    name, data = item
    assert isinstance(data, dict)  # noqa: S101 - made by `turns`
    match name:
        case "delta":
            return [reply.chunk({"content": data["text"]})]
        case "done":
            below = footer(data) if reply.asked.footer else ""
            said = [reply.chunk({"content": below})] if below else []
            ended = reply.chunk({}, finish="stop", askwell=data)
            return [*said, ended, *([reply.counted(data)] if reply.asked.include_usage else [])]
        case _:
            return []


def usage(done: Json) -> Json:
    """Return the tokens that a model counted."""
    counted = done.get("usage", {})
    prompt, completion = counted.get("prompt_tokens", 0), counted.get("completion_tokens", 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def footer(done: Json) -> str:
    """Return the sources of an answer as Markdown, with links to the server's own viewer; empty without any."""
    rows = []
    for item in done.get("citations", []):
        first, last = item["lines"]
        name = item["path"].replace("[", r"\[").replace("]", r"\]").replace("\n", " ")
        place = f"/view?source={quote(item['source'])}&path={quote(item['path'], safe='')}&lines={first}-{last}"
        if item["kind"] == "document":
            rows.append(f"- [{item['marker']}] [{name}:{first}-{last}]({place})")
        else:  # a log or the like, which no viewer of the server shows
            rows.append(f"- [{item['marker']}] {item['kind']}:{name}:{first}-{last}")
    return "\n\n**Sources**\n\n" + "\n".join(rows) if rows else ""


_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
          409: "conflict_error", 413: "invalid_request_error", 422: "invalid_request_error",
          429: "rate_limit_error"}  # fmt: skip


def error_body(status: int, message: str, *, hint: str = "", code: str | None = None) -> Json:
    """Return an error in OpenAI's shape, with the next step in its message."""
    told = f"{message}: {hint}" if hint else message
    return {"error": {"message": told, "type": _TYPES.get(status, "server_error"), "param": None, "code": code}}


def error(status: int, problem: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return problem details as an OpenAI error. A body that cannot be used is 400 there."""
    status = 400 if status == 422 else status
    kept = {
        name: value for name, value in (headers or {}).items() if name.lower() in ("retry-after", "www-authenticate")
    }
    body = error_body(status, str(problem.get("detail", "")), hint=str(problem.get("hint", "")))
    return JSONResponse(body, status_code=status, headers=kept)
