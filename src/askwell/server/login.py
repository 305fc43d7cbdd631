"""A token typed once, kept by the browser in a cookie that no script can read."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from askwell.server.guard import COOKIE
from askwell.server.pages.templating import page
from askwell.server.services import services_of

router = APIRouter(include_in_schema=False)

_DAYS = 90
_LONGEST = 10_000


@router.get("/login")
def form(request: Request, wanted: Annotated[str, Query(alias="next", max_length=2000)] = "./") -> Response:
    """Return the page that takes a token."""
    return _form(request, wanted=wanted)


@router.post("/login")
async def enter(request: Request) -> Response:
    """Keep a token that is known, and go on to the page that was wanted."""
    fields = parse_qs((await request.body())[:_LONGEST].decode("utf-8", "replace"))
    token = fields.get("token", [""])[0].strip()
    wanted = fields.get("next", ["./"])[0]
    if services_of(request).tokens.find(token) is None:
        return _form(request, wanted=wanted, refused=True)
    reply = RedirectResponse(own(wanted), status_code=303)
    reply.set_cookie(
        COOKIE,
        token,
        max_age=_DAYS * 86_400,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path=request.scope.get("root_path") or "/",
    )
    return reply


@router.post("/logout")
def leave() -> Response:
    """Forget the token."""
    reply = RedirectResponse("login", status_code=303)
    reply.delete_cookie(COOKIE)
    return reply


def own(address: str) -> str:
    """Return an address if it stays on this server, else the start page."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "./"
    elsewhere = parts.scheme or parts.netloc or "\\" in address or address.startswith("//")
    return "./" if elsewhere or not address.isprintable() else address


def _form(request: Request, *, wanted: str, refused: bool = False) -> Response:
    return page(
        request,
        "login.html",
        status=401 if refused else 200,
        page="login",
        title="Enter",
        nav=False,
        next=own(wanted),
        refused=refused,
    )
