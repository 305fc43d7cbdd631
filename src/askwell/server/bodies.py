"""What programs send, as it stands on the wire, and the requests that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from askwell.asking import MAX_K, checked_date, checked_kinds, checked_question
from askwell.engine import Request, named_values
from askwell.privacy import audience

if TYPE_CHECKING:
    from askwell.engine import Engine
    from askwell.server.guard import Caller
    from askwell.types import Audience

Names = Annotated[list[str], Field(max_length=50)]


class Conditions(BaseModel):
    """A question with the hard conditions on what may answer it."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(description="The question; any text is legal, nothing in it is an operator")
    k: int = Field(8, ge=1, le=MAX_K, description="Number of hits")
    source: Names = Field([], description="Only documents of these sources")
    kind: Names = Field([], description="Only documents of these kinds")
    section: Names = Field([], description="Only these sections")
    path: Names = Field([], description="Only paths that match one of these globs")
    tag: Names = Field([], description="Only documents with one of these tags")
    after: str = Field("", description="Only documents dated on or after this ISO date")
    before: str = Field("", description="Only documents dated before this ISO date")

    def request(self, seen_by: Audience, engine: Engine) -> Request:
        """Return the request.

        Raises:
            BadRequest: nothing to search for, an unknown kind, section or source, a date that is none.
        """
        known = [info.name for info in engine.status(audience=seen_by).sources] if self.source else []
        return Request(
            question=checked_question(self.question),
            audience=seen_by,
            k=self.k,
            sources=named_values(self.source, known, what="source"),
            kinds=checked_kinds(self.kind),
            sections=engine.known_sections(self.section, audience=seen_by) if self.section else frozenset(),
            paths=tuple(self.path),
            tags=frozenset(tag.lstrip("#") for tag in self.tag),
            after=checked_date(self.after),
            before=checked_date(self.before),
        )


class SearchBody(Conditions):
    """The conditions, and whether the caller's personal documents count."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "how often does the backup run", "k": 5, "kind": ["readme"]}]},
    )

    include_personal: bool = Field(True, description="Whether personal documents may be seen, where the caller may")

    def audience(self, caller: Caller, engine: Engine, *, allow_web: bool = False, generates: bool = False) -> Audience:
        """Return what this request may see: at most what its caller may."""
        return audience(
            include_personal=self.include_personal and not caller.open_only,
            allow_web=allow_web,
            destination=engine.destination(answering=generates),
            allow_cloud=engine.allow_cloud,
        )


class AskBody(SearchBody):
    """A question that is to be answered."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"question": "why does the drain stop after 300 seconds", "keep": True}]},
    )

    profile: str = Field("", max_length=40, description="Who answers; the configured one if empty")
    allow_web: bool = Field(False, description="Whether the web may be searched; then only open documents are seen")
    conversation: str = Field("", max_length=80, description="Go on with this conversation, and keep the turn in it")
    keep: bool = Field(False, description="Keep the turn in a new conversation")
