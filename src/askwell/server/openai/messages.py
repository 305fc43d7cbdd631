"""What OpenAI clients send: messages in every form that is in use, read as a question and the turns before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askwell.asking import MAX_QUESTION
from askwell.errors import BadRequest
from askwell.types import Profile, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.types import PrivacyClass

PREFIX = "askwell-"
"""Of a model's id; the profile's name follows."""

MAX_MESSAGES = 2_000

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request for a completion, as far as it is acted on.

    Attributes:
        profile: Who answers.
        model: As the client named it; given back.
        question: The last message, which is the user's.
        said: The messages before it that hold text, oldest first: role and text.
        stream: Whether the answer is streamed.
        include_usage: Whether a stream ends with a chunk that counts tokens.
        footer: Whether the sources stand below the answer's text, in Markdown.
        include_personal: Whether personal documents may be seen, where the caller may.
        allow_web: Whether the web may be searched.
        task: What the client's own `metadata.task` calls the request; empty for a question.
    """

    profile: Profile
    model: str
    question: str
    said: tuple[tuple[str, str], ...]
    stream: bool = False
    include_usage: bool = False
    footer: bool = False
    include_personal: bool = True
    allow_web: bool = False
    task: str = ""


def asked(body: object, *, default: Profile) -> Asked:
    """Return what a body asks for. Fields that mean nothing here are left alone.

    Raises:
        BadRequest: what is needed is missing or cannot be used.
    """
    if not isinstance(body, dict):
        raise BadRequest("the body is no JSON object", hint="send `model` and `messages`")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("`messages` is empty or missing", hint="send at least one message of the user")
    if len(messages) > MAX_MESSAGES:
        raise BadRequest(f"there are {len(messages)} messages", hint=f"send at most {MAX_MESSAGES}")
    said = [_said(message, place) for place, message in enumerate(messages)]
    role, question = said[-1]
    if role != "user":
        raise BadRequest("the last message is not the user's", hint="an answer follows a question")
    if not question.strip():
        raise BadRequest("the last message has no text", hint="ask in words; images and audio are not read")
    if len(question) > MAX_QUESTION:
        raise BadRequest(f"the question has {len(question)} characters", hint=f"ask in at most {MAX_QUESTION}")
    if _number(body, "n", 1) != 1:
        raise BadRequest("`n` is not 1", hint="ask for one answer; each answer is the only one that is checked")
    own = _object(body, "askwell")
    model = body.get("model")
    options = _object(body, "stream_options")
    return Asked(
        profile=profile_of(model, default=default),
        model=model if isinstance(model, str) else "",
        question=question,
        said=tuple((role, text) for role, text in said[:-1] if text.strip()),
        stream=body.get("stream") is True,
        include_usage=options.get("include_usage") is True,
        footer=own.get("footer") is True,
        include_personal=own.get("include_personal") is not False,
        allow_web=own.get("allow_web") is True,
        task=str(_object(body, "metadata").get("task") or "") if isinstance(body.get("metadata"), dict) else "",
    )


def profile_of(model: object, *, default: Profile) -> Profile:
    """Return the profile that a model's id names.

    Raises:
        BadRequest: it names none.
    """
    if model in (None, "", "askwell"):
        return default
    name = str(model).removesuffix(":latest").removeprefix(PREFIX)
    if name not in set(Profile):
        known = ", ".join(f"{PREFIX}{profile.value}" for profile in Profile)
        raise UnknownModel(f"there is no model {str(model)[:100]!r}", hint=f"known: {known}")
    return Profile(name)


class UnknownModel(BadRequest):
    """A model's id that names no profile."""


def turns(said: Sequence[tuple[str, str]], *, classes: frozenset[PrivacyClass], profile: Profile) -> tuple[Turn, ...]:
    """Return a transcript's pairs of question and answer, oldest first.

    A client's transcript does not tell what its turns could see, so each counts as having seen all that its sender may.
    """
    found: list[Turn] = []
    question = ""
    for role, text in said:
        if role == "user":
            question = text
        elif role == "assistant" and question:
            found.append(Turn(question=question, answer=text, outcome="answer", classes=classes, profile=profile))
            question = ""
    return tuple(found)


def _said(message: object, place: int) -> tuple[str, str]:
    if not isinstance(message, dict):
        raise BadRequest(f"`messages[{place}]` is no object", hint="each message has `role` and `content`")
    role = message.get("role")
    if role not in _ROLES:
        raise BadRequest(f"`messages[{place}].role` is {str(role)[:40]!r}", hint=f"known: {', '.join(sorted(_ROLES))}")
    return str(role), _text(message.get("content"), place)


def _text(content: object, place: int) -> str:
    """Return the text of a message: parts are joined, what is not text is left out, none of it is fetched."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [
            part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, dict | str)
        ]
        return "".join(part for part in parts if isinstance(part, str))
    raise BadRequest(f"`messages[{place}].content` is neither text nor a list of parts", hint="send a string")


def _object(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:  # Any: JSON
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def _number(body: Mapping[str, Any], name: str, default: int) -> object:  # Any: JSON
    value = body.get(name)
    return default if value is None else value
