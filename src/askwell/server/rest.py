"""REST over the engine: search, ask, documents, graph, suggestions, status. The shapes are those of `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse

from askwell import wire
from askwell.privacy import audience
from askwell.server import sse
from askwell.server.bodies import AskBody, SearchBody
from askwell.server.guard import Caller
from askwell.server.problems import NotFound
from askwell.server.services import Services, caller_of, services_of
from askwell.server.turns import Turning, streamed
from askwell.standing import places_of_hits

if TYPE_CHECKING:
    from askwell.ports import DocumentInfo
    from askwell.types import Audience

router = APIRouter(prefix="/api")

Here = Annotated[Services, Depends(services_of)]
Who = Annotated[Caller, Depends(caller_of)]
Json = dict[str, Any]  # Any: shapes are declared once, in `wire`

PAGE = 500
"""Most documents of one reply."""

OPENING = 6
"""Questions that are offered where nothing was asked yet."""


def own(caller: Caller) -> Audience:
    """Return what a caller may see of the index itself, where no model is asked."""
    return audience(include_personal=not caller.open_only)


@router.post("/search", tags=["ask"], summary="Find passages: verbatim text, nothing generated")
def search(body: SearchBody, here: Here, caller: Who) -> Json:
    """Return the passages nearest to a question, best first, and which arms did not take part."""
    with here.lend() as engine:
        seen_by = body.audience(caller, engine)
        ranking = engine.search(body.request(seen_by, engine))
        found = wire.search(ranking, files=engine.standings(places_of_hits(ranking.hits), audience=seen_by))
    found["warnings"] = [*filter(None, [seen_by.narrowed]), *ranking.warnings]
    return found


@router.post(
    "/ask",
    tags=["ask"],
    summary="Answer a question as a stream of events",
    response_class=StreamingResponse,
    responses={200: {"content": {sse.MEDIA_TYPE: {"example": 'event: delta\ndata: {"text":"Every night [1]."}\n\n'}}}},
)
async def ask(body: AskBody, here: Here, caller: Who, request: Request) -> StreamingResponse:
    """Stream `delta {text}` and `sentence {text, support, …}`, then one `done` or one `error {message, hint}`.

    A lost connection ends the model's work. Comments keep the connection open while a model thinks.
    """
    turning = Turning(here, caller)
    first, rest = await streamed(turning, lambda: turning.items(body), request)
    return StreamingResponse(sse.events(first, rest), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


@router.get("/documents", tags=["documents"], summary="List the indexed documents")
def documents(
    here: Here,
    caller: Who,
    source: Annotated[str, Query(max_length=500)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Json:
    """Return documents by source and path, and how many there are."""
    with here.lend() as engine:
        every = [info for info in engine.documents(audience=own(caller)) if not source or info.source == source]
    return {"total": len(every), "documents": [_info(info) for info in every[offset : offset + limit]]}


@router.get("/documents/content", tags=["documents"], summary="Read one document as it was indexed")
def content(
    here: Here,
    caller: Who,
    source: Annotated[str, Query(max_length=500)],
    path: Annotated[str, Query(max_length=5000)],
) -> Json:
    """Return a document's text. Only what is indexed can be read, and what is hidden is not there."""
    with here.lend() as engine:
        document = engine.read(source, path, audience=own(caller))
        if document is None:
            raise _no_document()
        place = (document.source, document.path)
        file = engine.standings([place], audience=own(caller)).get(place, "unknown")
    return {
        "source": document.source,
        "path": document.path,
        "title": document.title,
        "kind": document.kind.value,
        "class": document.class_.value,
        "format": document.format,
        "text": document.text,
        "file": file,
    }


@router.get("/graph", tags=["documents"], summary="What a document points at, and what points at it")
def graph(
    here: Here,
    caller: Who,
    source: Annotated[str, Query(max_length=500)],
    path: Annotated[str, Query(max_length=5000)],
) -> Json:
    """Return a document's neighbours one link away, its tags, and its links that lead nowhere."""
    with here.lend() as engine:
        around = engine.surroundings(source, path, audience=own(caller))
    if around is None:
        raise _no_document()
    return {
        "document": _info(around.document),
        "neighbors": [
            {
                "kind": neighbour.kind.value,
                "direction": "out" if neighbour.outgoing else "in",
                "line": neighbour.line,
                "fragment": neighbour.fragment,
                **_info(neighbour.info),
            }
            for neighbour in around.neighbours
        ],
        "tags": list(around.tags),
        "unresolved": list(around.unresolved),
        "cut": around.cut,
    }


@router.get("/suggestions", tags=["ask"], summary="Questions that the documents answer")
def suggestions(
    here: Here, caller: Who, limit: Annotated[int, Query(ge=1, le=20)] = OPENING, include_personal: bool = True
) -> Json:
    """Return questions to begin with; each was asked first, so it has an answer."""
    seen_by = audience(include_personal=include_personal and not caller.open_only)
    with here.lend() as engine:
        return {"suggestions": list(engine.openers(audience=seen_by, limit=limit))}


@router.get("/status", tags=["server"], summary="What is indexed, and what could not be")
def status(here: Here, caller: Who) -> Json:
    """Return what the index holds and what the indexer does."""
    with here.lend() as engine:
        value = engine.status(audience=own(caller))
        shown = wire.status(value, store=here.store, calibration=engine.calibration())
    if caller.open_only:  # where things are on the disk is the owner's to know
        shown["store"] = ""
        for row in shown["sources"]:  # type: ignore[attr-defined]  # a list of objects
            row["root"] = ""
    return {**shown, "model": here.config.models.generation}


def _no_document() -> NotFound:
    return NotFound("there is no such document", hint="`GET /api/documents` lists those there are")


def _info(info: DocumentInfo) -> Json:
    return {
        "source": info.source,
        "path": info.path,
        "title": info.title,
        "kind": info.kind.value,
        "class": info.class_.value,
        "format": info.format,
        "chunks": info.chunks,
        "lines": info.lines,
        "indexed_at": info.indexed_at,
    }
