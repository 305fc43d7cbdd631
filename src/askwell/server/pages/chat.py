"""The chat page: what it opens with, and how an outcome is drawn into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from askwell.ask.profiles import PROFILES
from askwell.errors import IndexMissing
from askwell.server.pages.outcomes import Done, plain_turn, shown
from askwell.server.pages.site import audience_of, caller_of, site_of
from askwell.server.pages.templating import fragment, page

if TYPE_CHECKING:
    from askwell.server.pages.site import Site
    from askwell.types import Audience

router = APIRouter()

NOTES = 12
"""Sources of an answer that stand open in its margin; a long list has the others folded below."""


class OutcomeBody(BaseModel):
    """A question with the `done` event that answered it."""

    question: str
    done: Done


@router.get("/", response_class=HTMLResponse)
def chat(request: Request, c: Annotated[str, Query()] = "") -> HTMLResponse:
    """Return the chat, with the conversation `c` if the caller may see it."""
    site = site_of(request)
    audience = audience_of(request)
    records = site.records if not caller_of(request).open_only else None
    conversation = records.conversation(c, classes=audience.classes) if records is not None and c else None
    if c and conversation is None:
        return page(
            request,
            "error.html",
            status=404,
            page="chat",
            title="No such conversation",
            detail="It was deleted, or it never was.",
            hint="",
        )
    kept = records.conversations(classes=audience.classes) if records is not None else ()
    turns = conversation.turns if conversation is not None else ()
    return page(
        request,
        "chat.html",
        page="chat",
        title=conversation.title if conversation is not None else "Ask",
        conversations=[{"id": item.id, "title": item.title} for item in kept],
        conversation_id=conversation.id if conversation is not None else "",
        keeps=records is not None,
        turns=[{"question": turn.question, "outcome": turn.outcome, "html": plain_turn(turn.answer)} for turn in turns],
        refused=conversation.refused if conversation is not None else (),
        **_opening(site, audience),
        profiles=[
            {
                "value": rules.profile.value,
                "about": rules.about + _needs(site, needs_model=rules.needs_model),
                "disabled": rules.needs_model and not site.generates,
            }
            for rules in PROFILES.values()
        ],
        profile=site.config.answer.profile,
        may_personal=audience.include_personal,
        web=site.web,
    )


@router.post("/fragments/outcome", response_class=HTMLResponse, include_in_schema=False)
def outcome(body: Annotated[OutcomeBody, Body()]) -> HTMLResponse:
    """Return an outcome as the chat shows it. What is sent is drawn, not believed: it is cleaned like a note."""
    return HTMLResponse(
        fragment("outcome.html", {"shown": shown(body.done), "question": body.question, "shown_notes": NOTES})
    )


def _needs(site: Site, *, needs_model: bool) -> str:
    return " (needs a chat model: `models.generation` is `none`)" if needs_model and not site.generates else ""


def _opening(site: Site, audience: Audience) -> dict[str, Any]:  # Any: what the template takes
    """Return what stands on an empty page: what can be asked, or how to get there."""
    roots = [(source.name or source.path, source.path) for source in site.config.sources]
    first_run, documents, names = "", 0, [name for name, _ in roots]
    try:
        with site.lend() as engine:
            status = engine.status(audience=audience)
        documents = sum(source.documents for source in status.sources)
        names = [source.name for source in status.sources if source.documents] or names
        first_run = "" if documents else "empty"
    except IndexMissing:
        first_run = "nothing"
    return {
        "first_run": first_run,
        "documents": documents,
        "source_names": _listed(names),
        "source_roots": roots if audience.include_personal else [],
    }


def _listed(names: list[str]) -> str:
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {len(names) - 2} more sources"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
