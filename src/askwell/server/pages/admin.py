"""The Settings page: what can be changed without editing a file, where each value is from, what waits for a restart."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from askwell.server.pages.site import caller_of, site_of
from askwell.server.pages.templating import page
from askwell.server.settings_api import described

router = APIRouter()


@router.get("/admin", response_class=HTMLResponse)
def admin(request: Request) -> HTMLResponse:
    """Return the page; for a token that sees open documents only, that it is not for it."""
    if caller_of(request).open_only:
        return page(
            request,
            "error.html",
            status=403,
            page="admin",
            title="Not with this token",
            detail="A token for open documents does not reach the settings.",
            hint="",
        )
    told = described(site_of(request).config)
    groups: dict[str, list[dict[str, object]]] = {}
    for setting in told["settings"]:
        groups.setdefault(str(setting["name"]).partition(".")[0], []).append(setting)
    return page(
        request,
        "admin.html",
        page="admin",
        title="Settings",
        groups=groups,
        pending=told["pending_restart"],
        file=str(told["overrides"]),
        faults=told["faults"],
    )
