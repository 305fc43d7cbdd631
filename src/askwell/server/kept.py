"""REST over what is kept and what runs: conversations, usage, index runs, counters, liveness."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from askwell import wire
from askwell.errors import IndexMissing, PrivacyError, StoreError
from askwell.privacy import EVERYTHING, OPEN_ONLY
from askwell.records.ledger import document
from askwell.records.usage import report
from askwell.server.indexer import RunState
from askwell.server.metrics import MEDIA_TYPE
from askwell.server.problems import NotFound, problem
from askwell.server.rest import Here, Json, Who

if TYPE_CHECKING:
    from askwell.records.keeping import FileRecords
    from askwell.server.guard import Caller
    from askwell.server.services import Services
    from askwell.types import PrivacyClass

router = APIRouter()

Id = Annotated[str, Path(max_length=80)]


@router.get("/api/conversations", tags=["records"], summary="List the conversations that are kept")
def conversations(here: Here, caller: Who) -> Json:
    """Return the conversations with turns that the caller may see, the newest first."""
    records = here.records
    found = records.conversations(classes=_classes(caller)) if records is not None and not caller.open_only else ()
    return {
        "conversations": [
            {"id": one.id, "title": one.title, "created": one.created, "updated": one.updated, "turns": len(one.turns)}
            for one in found
        ]
    }


@router.get("/api/conversations/{id}", tags=["records"], summary="Read a conversation")
def conversation(id: Id, here: Here, caller: Who) -> Json:
    """Return a conversation's turns; sources and timings of old turns are not kept."""
    records = here.records
    found = records.conversation(id, classes=_classes(caller)) if records is not None and not caller.open_only else None
    if found is None:
        raise _no_conversation()
    return wire.conversation(found)


@router.delete("/api/conversations/{id}", tags=["records"], summary="Delete a conversation", status_code=204)
def forget(id: Id, here: Here, caller: Who) -> Response:
    """Delete the turns that the caller may see; with the last one the conversation is gone."""
    records = here.records
    if records is None or caller.open_only or not records.forget(id, classes=_classes(caller)):
        raise _no_conversation()
    return Response(status_code=204)


@router.get("/api/usage", tags=["records"], summary="What answers cost in tokens")
def usage(here: Here, caller: Who) -> Json:
    """Return tokens today, in seven days and of all time, by host and by profile."""
    records = _owned(here, caller)
    if records is None:
        return {"recorded": False}
    today = datetime.datetime.now().astimezone().date()
    return wire.usage(report(records.ledger(), today=today, partners=records.partners()), faults=records.faults())


@router.get(
    "/api/usage/ledger",
    tags=["records"],
    summary="This machine's token ledger, for `askwell usage pull` on another",
    response_class=Response,
)
def ledger(here: Here, caller: Who) -> Response:
    """Return the ledger's own rows in its own format."""
    records = _owned(here, caller)
    rows = [row for row in records.ledger().rows if row.host == records.host] if records is not None else []
    return Response(document(rows), media_type="text/plain; charset=utf-8")


@router.get("/api/index", tags=["server"], summary="What the indexer does")
def run(here: Here, caller: Who) -> Json:
    """Return whether a run is on and how far it is, and what the last one did."""
    _owned(here, caller)
    return run_state(here.indexer.state if here.indexer is not None else RunState())


@router.post("/api/index", tags=["server"], summary="Start an index run", status_code=202)
def start(here: Here, caller: Who) -> Any:  # Any: a problem is a response of its own
    """Start a run; 409 while one is on."""
    _owned(here, caller)
    if here.indexer is None:
        return problem(
            409, "this server makes no index runs", hint="run `askwell index`, or serve without `--no-index`"
        )
    if not here.indexer.trigger():
        return problem(409, "a run is on already", hint="`GET /api/index` tells how far it is")
    return run_state(here.indexer.state)


@router.get("/api/health", tags=["server"], summary="Whether questions can be answered")
def health(here: Here, response: Response) -> Json:
    """Return 200 once the index can be read, 503 with the reason until then."""
    why = _unready(here)
    response.status_code = 503 if why else 200
    return {"ready": not why, "reason": why}


@router.get("/healthz", include_in_schema=False)
def alive() -> Json:
    """Say that the process answers."""
    return {"alive": True}


@router.get("/readyz", include_in_schema=False)
def ready(here: Here, response: Response) -> Json:
    """Say whether questions can be answered, and nothing else: nobody needs a token for it."""
    response.status_code = 503 if _unready(here) else 200
    return {"ready": response.status_code == 200}


@router.get("/metrics", include_in_schema=False)
def metrics(here: Here, caller: Who) -> Response:
    """Return what was counted, in Prometheus' text format."""
    _owned(here, caller)
    here.metrics.running.set(here.indexer is not None and here.indexer.state.running)
    return Response(here.metrics.text(), media_type=MEDIA_TYPE)


def run_state(state: RunState) -> Json:
    """Return what the indexer does as JSON."""
    return {
        "running": state.running,
        "reason": state.reason,
        "phase": state.phase,
        "done": state.done,
        "total": state.total,
        "report": dict(state.report),
        "error": state.error,
        "hint": state.hint,
        "ended": state.ended,
    }


def _unready(here: Services) -> str:
    try:
        with here.lend() as engine:
            engine.store.space()
    except IndexMissing:
        return "nothing is indexed yet"
    except StoreError as error:
        return str(error)
    return ""


def _classes(caller: Caller) -> frozenset[PrivacyClass]:
    return OPEN_ONLY if caller.open_only else EVERYTHING


def _owned(here: Services, caller: Caller) -> FileRecords | None:
    """Return the records for somebody who may see everything.

    Raises:
        PrivacyError: the caller may see open documents only, and these figures count personal turns too.
    """
    if caller.open_only:
        raise PrivacyError(
            "a token for open documents does not reach this", hint="use a token without `--open-only`, or this machine"
        )
    return here.records


def _no_conversation() -> NotFound:
    return NotFound("there is no such conversation", hint="`GET /api/conversations` lists those there are")
