"""What an agent may ask of each tool: names, types, bounds, and the help that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from askwell.errors import BadRequest
from askwell.server.bodies import Conditions

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HITS = 50
"""Hits of one call: what they say goes into a model's context."""

MOST_LINES = 2000
"""Lines of one call of `read`."""

LONGEST_NAME = 4096
"""Characters of a path or a source's name."""

_FAULTS = 5
_LONGEST_FAULT = 300

Path = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="Path of the document, as `search` gives it")
]
Source = Annotated[
    str,
    Field(
        max_length=LONGEST_NAME, description="Its source; needed only if several sources have a document of this path"
    ),
]


class Search(Conditions):
    """Arguments of `search`."""

    k: int = Field(8, ge=1, le=MOST_HITS, description="Number of hits")


class Ask(Search):
    """Arguments of `ask`."""

    k: int = Field(8, ge=1, le=MOST_HITS, description="Number of passages that the answer is made from")
    profile: str = Field(
        "", max_length=40, description="`docs`, `chat`, `code` or `troubleshoot`; the configured one if empty"
    )
    allow_web: bool = Field(
        False, description="Whether the web may be searched too; personal documents are left out of such an answer"
    )


class Read(BaseModel):
    """Arguments of `read`."""

    model_config = ConfigDict(extra="forbid")

    path: Path
    source: Source = ""
    line: int = Field(1, ge=1, le=1_000_000_000, description="First line wanted, from 1")
    lines: int = Field(200, ge=1, le=MOST_LINES, description="How many lines")


class Neighbors(BaseModel):
    """Arguments of `neighbors`."""

    model_config = ConfigDict(extra="forbid")

    path: Path
    source: Source = ""
    limit: int = Field(100, ge=1, le=500, description="Most neighbours to return")


class Topics(BaseModel):
    """Arguments of `topics`."""

    model_config = ConfigDict(extra="forbid")

    limit: int = Field(100, ge=1, le=500, description="Most topics to return")
    offset: int = Field(0, ge=0, le=1_000_000_000, description="Topics to skip, for the next page")


class Status(BaseModel):
    """Arguments of `status`: none."""

    model_config = ConfigDict(extra="forbid")


Model = TypeVar("Model", bound=BaseModel)


def checked(model: type[Model], given: Mapping[str, object]) -> Model:
    """Return arguments if they can be used.

    Raises:
        BadRequest: one is missing, unknown, of the wrong type or out of range; each of them is named.
    """
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        faults = [
            f"`{'.'.join(map(str, fault['loc'])) or 'arguments'}`: {fault['msg']}"[:_LONGEST_FAULT]
            for fault in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        more = f" (and {len(faults) - _FAULTS} more)" if len(faults) > _FAULTS else ""
        known = ", ".join(f"`{name}`" for name in model.model_fields) or "none"
        raise BadRequest("; ".join(faults[:_FAULTS]) + more, hint=f"this tool's arguments: {known}") from error
