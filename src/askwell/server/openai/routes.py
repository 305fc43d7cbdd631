"""`/v1/models` and `/v1/chat/completions`."""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from askwell.ask.profiles import PROFILES
from askwell.engine import Request as Question
from askwell.errors import BadRequest
from askwell.privacy import EVERYTHING, OPEN_ONLY, audience
from askwell.server import sse
from askwell.server.openai.chunks import Reply, error, streamed
from askwell.server.openai.housekeeping import done as kept_house
from askwell.server.openai.housekeeping import task_of
from askwell.server.openai.messages import PREFIX, Asked, UnknownModel, asked, profile_of, turns
from askwell.server.rest import Here, Who
from askwell.server.turns import Turning
from askwell.server.turns import streamed as started
from askwell.types import Profile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.server.sse import Item

log = logging.getLogger("askwell.server")

router = APIRouter(prefix="/v1", tags=["openai"])

_BORN = 1_700_000_000  # `created` of a model: any fixed time will do


@router.get("/models", summary="One model for each profile")
def models() -> dict[str, Any]:
    """Return the models' ids."""
    return {"object": "list", "data": [_model(profile) for profile in PROFILES]}


@router.get("/models/{model}", summary="One model")
def model(model: str) -> Response:
    """Return one model; 404 if there is none of this id."""
    try:
        return JSONResponse(_model(profile_of(model, default=Profile.DOCS)))
    except UnknownModel as fault:
        return error(404, {"detail": str(fault), "hint": fault.hint})


@router.post("/chat/completions", summary="Answer the last message", response_class=JSONResponse)
async def completions(request: Request, here: Here, caller: Who) -> Response:
    """Answer as OpenAI's chat completions do, streamed or whole. The sources are in the field `askwell`."""
    try:
        body = json.loads(await request.body() or b"null")
    except (ValueError, RecursionError):
        return error(400, _problem("the body is no JSON", "send a JSON object with `model` and `messages`"))
    try:
        wanted = asked(body, default=Profile(here.config.answer.profile))
    except UnknownModel as fault:
        return error(404, _problem(str(fault), fault.hint))
    except BadRequest as fault:
        return error(400, _problem(str(fault), fault.hint))
    reply = Reply(asked=wanted, created=int(time.time()))
    turning = Turning(here, caller)
    task = task_of(wanted)
    items = (lambda: _kept(kept_house(task, wanted))) if task else (lambda: _answered(turning, wanted))
    first, rest = await started(turning, items, request)
    if wanted.stream:
        return StreamingResponse(streamed(reply, first, rest), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)
    last = first
    async for item in rest:
        last = item or last
    assert last is not None  # noqa: S101 - a turn ends with `done` or raises
    name, value = last
    assert name == "done"  # noqa: S101 - see above
    assert isinstance(value, dict)  # noqa: S101 - see above
    return JSONResponse(reply.whole(value))


def _answered(turning: Turning, wanted: Asked) -> Iterator[Item]:
    """Yield the events of the answer to a client's last message; its own transcript is the history."""
    with turning.engine() as engine:
        seen_by = audience(
            include_personal=wanted.include_personal and not turning.caller.open_only,
            allow_web=wanted.allow_web,
            destination=engine.destination(),
            allow_cloud=engine.allow_cloud,
        )
        history = turns(
            wanted.said, classes=OPEN_ONLY if turning.caller.open_only else EVERYTHING, profile=wanted.profile
        )
        question = Question(
            question=wanted.question,
            audience=seen_by,
            k=turning.services.config.retrieval.k,
            profile=wanted.profile,
            history=history,
        )
        yield from turning.answered(engine, question, id=None)


def _kept(text: str) -> Iterator[Item]:
    log.info("outcome=housekeeping")
    yield "delta", {"text": text}
    yield "done", {"outcome": "housekeeping", "text": text, "citations": [], "usage": {}}


def _model(profile: Profile) -> dict[str, Any]:
    return {
        "id": f"{PREFIX}{profile.value}",
        "object": "model",
        "created": _BORN,
        "owned_by": "askwell",
        "description": PROFILES[profile].about,
    }


def _problem(detail: str, hint: str) -> dict[str, str]:
    return {"detail": detail, "hint": hint}
