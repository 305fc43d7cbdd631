"""The Sources page: what is indexed, what is not and why, and a run with its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from askwell.errors import IndexMissing
from askwell.server.indexer import RunState
from askwell.server.pages.links import document_href
from askwell.server.pages.site import audience_of, caller_of, site_of
from askwell.server.pages.templating import page
from askwell.types import Lines

if TYPE_CHECKING:
    from askwell.engine import Engine, Status
    from askwell.ports import DocumentInfo, SourceInfo
    from askwell.types import Audience

router = APIRouter()

ROWS = 50
"""Rows of a table on one page."""


@router.get("/sources", response_class=HTMLResponse)
def sources(
    request: Request,
    source: Annotated[str, Query()] = "",
    name: Annotated[str, Query(max_length=200)] = "",
    start: Annotated[int, Query(alias="from", ge=0)] = 0,
) -> HTMLResponse:
    """Return the page; `source` and `name` narrow its list of documents."""
    site = site_of(request)
    audience = audience_of(request)
    status: Status | None = None
    documents: list[DocumentInfo] = []
    unresolved: list[dict[str, str]] = []
    try:
        with site.lend() as engine:
            status = engine.status(audience=audience)
            documents = _found(engine, audience, source=source, name=name)
            unresolved = _unresolved(engine, audience)
    except IndexMissing:
        pass  # the page then says that nothing is indexed
    run = site.indexer.state if site.indexer is not None else RunState()
    faults = status.faults if status is not None else ()
    limited = caller_of(request).open_only
    shown = documents[start : start + ROWS]
    query = {"source": source, "name": name}
    return page(
        request,
        "sources.html",
        page="sources",
        title="Sources",
        cards=[_card(info, running=run.running, limited=limited) for info in (status.sources if status else ())],
        vectors=status.vectors if status is not None else 0,
        pending=status.pending if status is not None else 0,
        space=status.space if status is not None else "",
        warnings=status.warnings if status is not None else (),
        failed=[fault for fault in faults if fault.status == "failed"],
        skipped=[fault for fault in faults if fault.status == "skipped"],
        unresolved=unresolved,
        shown_rows=ROWS,
        may_run=site.indexer is not None and not caller_of(request).open_only,
        run=run,
        run_says=_says(run),
        name=name,
        source=source,
        total=len(documents),
        documents=[{"info": info, "href": document_href(info.source, info.path)} for info in shown],
        before=f"sources?{urlencode(query | {'from': max(0, start - ROWS)})}" if start else "",
        after=f"sources?{urlencode(query | {'from': start + ROWS})}" if start + ROWS < len(documents) else "",
    )


def _found(engine: Engine, audience: Audience, *, source: str, name: str) -> list[DocumentInfo]:
    wanted = name.casefold()
    return [
        info
        for info in engine.documents(audience=audience)
        if (not source or info.source == source) and (wanted in info.path.casefold() or wanted in info.title.casefold())
    ]


def _unresolved(engine: Engine, audience: Audience) -> list[dict[str, str]]:
    infos = {info.id: info for info in engine.documents(audience=audience)}
    found = []
    for link in engine.store.unresolved(visible=engine.admitted(audience)):
        info = infos.get(link.origin)
        if info is not None:
            href = document_href(info.source, info.path, lines=Lines(link.edge.line, link.edge.line))
            found.append({"path": info.path, "target": link.edge.target, "href": href})
    return sorted(found, key=lambda link: (link["path"], link["target"]))


def _card(info: SourceInfo, *, running: bool, limited: bool) -> dict[str, object]:
    if not info.last_run and running:
        level, health = "warn", "its first run is on"
    elif not info.last_run:
        level, health = "bad", "a run never finished: run the index again"
    elif info.failed:
        level, health = "warn", f"{info.failed} file{'' if info.failed == 1 else 's'} could not be read"
    elif not info.documents:
        level, health = "warn", "no document"
    else:
        level, health = "", "good"
    return {
        "name": info.name,
        "root": "" if limited else info.root,
        "type": info.type.value,
        "documents": info.documents,
        "chunks": info.chunks,
        "failed": info.failed,
        "skipped": info.skipped,
        "last_run": info.last_run,
        "level": level,
        "health": health,
    }


def _says(run: RunState) -> str:
    if run.running:
        return "a run is on"
    counts = [f"{run.report.get(what)} {what}" for what in ("added", "updated", "removed") if run.report.get(what)]
    if run.report:
        return f"last run: {', '.join(counts) or 'nothing had changed'}"
    return ""
