"""REST over what is tuned: the settings that may be changed while the server runs, and changing them.

For whoever may see everything. A page of another site cannot send a change: the guard refuses its origin, and a form
cannot send JSON.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from askwell.compose.changing import overridden, pending, save, shadowed
from askwell.errors import PrivacyError
from askwell.overrides import OVERRIDABLE, place, value_of
from askwell.server.problems import problem
from askwell.server.rest import Here, Json, Who
from askwell.settings import CHOICES, RANGES, SECTIONS

if TYPE_CHECKING:
    from askwell.server.guard import Caller
    from askwell.settings import Config

router = APIRouter(prefix="/api")

Value = str | int | float | bool | None


class Changes(BaseModel):
    """Settings to change, all or none."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"changes": {"retrieval.k": 12, "persona.tone": None}}]},
    )

    changes: dict[str, Value] = Field(
        max_length=len(OVERRIDABLE), description="`section.key` → the new value; null takes a change back"
    )


@router.get("/settings", tags=["server"], summary="The settings that can be changed here")
def settings(here: Here, caller: Who) -> Json:
    """Return each setting's value, where it came from, what is saved for the next start, and what it may be."""
    _may(caller)
    return described(here.config)


@router.put("/settings", tags=["server"], summary="Change settings for the next start")
def change(body: Changes, here: Here, caller: Who, request: Request) -> Any:  # Any: a problem is a response of its own
    """Save changes, all or none: one that cannot be made or would do nothing is refused, with a sentence for each.

    Secrets, trust, privacy and what is indexed cannot be changed here.
    """
    _may(caller)
    if request.headers.get("content-type", "").partition(";")[0].strip().casefold() != "application/json":
        return problem(415, "changes are sent as JSON", hint="send `Content-Type: application/json`")
    save(here.config, body.changes)
    return described(here.config)


def described(config: Config) -> Json:
    """Return what can be changed, as the page and programs read it."""
    saved = overridden(config)
    return {
        "settings": [
            {
                "name": name,
                "value": value_of(config, name),
                "from": config.origins.get(name, "default"),
                "saved": saved.get(name),
                "shadowed_by": shadowed(config, name),
                "choices": list(CHOICES.get(name, ())),
                "range": list(RANGES.get(name, ())),
                "type": type(value_of(config, name)).__name__,
                "help": _help(name),
            }
            for name in OVERRIDABLE
        ],
        "pending_restart": list(pending(config)),
        "overrides": str(place(config, environ=os.environ)),
        "faults": list(config.faults),
    }


def _help(name: str) -> str:
    section, _, key = name.partition(".")
    found: str = SECTIONS[section].__dataclass_fields__[key].metadata["help"]  # type: ignore[attr-defined]  # a dataclass
    return found


def _may(caller: Caller) -> None:
    """Let nobody in who may not see everything.

    Raises:
        PrivacyError: the caller's token is limited.
    """
    if caller.open_only:
        raise PrivacyError(
            "a token for open documents does not reach this", hint="use a token without `--open-only`, or this machine"
        )
