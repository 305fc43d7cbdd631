"""The viewer: any document of the index, at lines or at a heading, with what stands around it. Nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from askwell.server.pages.documents import seen, wanted_lines
from askwell.server.pages.graph import neighbours_svg
from askwell.server.pages.links import document_href
from askwell.server.pages.site import audience_of, site_of
from askwell.server.pages.templating import page
from askwell.types import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.surroundings import Neighbour

router = APIRouter()


@router.get("/view", response_class=HTMLResponse)
def view(
    request: Request,
    source: Annotated[str, Query()] = "",
    path: Annotated[str, Query()] = "",
    lines: Annotated[str, Query(max_length=40)] = "",
    at: Annotated[str, Query(max_length=1000)] = "",
    raw: Annotated[str, Query(max_length=1)] = "",
    start: Annotated[int, Query(alias="from", ge=0)] = 0,
) -> HTMLResponse:
    """Return a document. One that may not be seen and one that does not exist are the same."""
    audience = audience_of(request)
    with site_of(request).lend() as engine:
        document = engine.read(source, path, audience=audience)
        around = engine.surroundings(source, path, audience=audience) if document is not None else None
        if document is None or around is None:
            return page(
                request,
                "error.html",
                status=404,
                page="view",
                title="No such document",
                detail=f"The index holds no document {path!r} in {source!r}." if path else "No document is named.",
                hint="It may have been moved or deleted. The Sources page lists what is indexed.",
            )
        standing = engine.standings([(source, path)], audience=audience).get((source, path), "unknown")
    cited = wanted_lines(document, lines, at)
    is_raw = raw == "1"
    shown = seen(document, pointing=around.pointing, cited=cited, raw=is_raw, start=start)
    named = Lines(cited.first, cited.last) if cited is not None else None
    return page(
        request,
        "view.html",
        page="view",
        title=around.document.title or document.path,
        info=around.document,
        standing=standing,
        seen=shown,
        repeats=_begins_with(shown.html, around.document.title),
        around=around,
        towards=_told([n for n in around.neighbours if not n.outgoing]),
        away=_told([n for n in around.neighbours if n.outgoing]),
        graph=neighbours_svg(around),
        lost="" if cited is not None or not (lines or at) else "The place that was named is not in this document now.",
        raw_href=document_href(document.source, document.path, raw=True, lines=named),
        rendered_href=document_href(document.source, document.path, lines=named)
        if is_raw and document.format == "markdown"
        else "",
    )


def _begins_with(html: Markup | None, title: str) -> bool:
    """Whether a text begins with its own title, which then need not be shown above it."""
    if html is None or not html.lstrip().startswith("<h1"):
        return False
    return Markup(html.partition("</h1>")[0]).striptags() == title  # noqa: S704 - read, not shown


def _told(found: Sequence[Neighbour]) -> list[dict[str, object]]:
    return [
        {
            "info": neighbour.info,
            "kind": neighbour.kind.value,
            "href": document_href(
                neighbour.info.source,
                neighbour.info.path,
                at=neighbour.fragment if neighbour.outgoing else "",
                lines=None if neighbour.outgoing else Lines(neighbour.line, neighbour.line),
            ),
        }
        for neighbour in found
    ]
