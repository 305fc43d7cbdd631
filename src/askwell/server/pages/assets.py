"""What the pages need besides themselves: their static files, and errors as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.staticfiles import StaticFiles

from askwell.server.pages.templating import FOLDER, page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response


def mount(app: FastAPI) -> None:
    """Serve the style sheet, scripts and icon."""
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")


def error_page(request: Request, status: int, problem: Mapping[str, str]) -> Response:
    """Return problem details as a page."""
    return page(
        request,
        "error.html",
        status=status,
        page="",
        title=problem["title"],
        detail=f"{problem['detail'][:1].upper()}{problem['detail'][1:]}.",
        hint=problem.get("hint", ""),
    )
