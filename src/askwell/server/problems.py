"""From error type to HTTP status, and how an error is told to a program (RFC 9457, problem details)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from askwell import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.errors import AskwellError

RETRY_SECONDS = 5
"""What `Retry-After` says when a model or the index is busy."""


class NotFound(errors.BadRequest):
    """What was named is not there for whoever asks: hidden and missing are the same."""


STATUSES: dict[type[AskwellError], int] = {
    errors.ConfigError: 500,
    NotFound: 404,
    errors.BadRequest: 422,
    errors.SourceError: 503,
    errors.UnreadableFile: 503,
    errors.EmbeddingSpaceChanged: 409,
    errors.StoreError: 503,
    errors.ModelUnavailable: 503,
    errors.ModelRefused: 502,
    errors.PrivacyError: 403,
}
"""Documented in `docs/reference/http.md`. An abstention is no error: it is answered with 200."""

TITLES = {
    400: "Bad request",
    401: "A token is needed",
    403: "Refused",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported media type",
    421: "Wrong host",
    422: "The request cannot be used",
    429: "Too many requests",
    500: "Internal error",
    502: "The model's answer cannot be used",
    503: "Not available now",
}


def status_of(error: AskwellError) -> int:
    """Return the HTTP status for an error, by the nearest type in the table."""
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)


def headers_of(status: int) -> dict[str, str]:
    """Return what a reply of this status carries besides its body."""
    match status:
        case 401:
            return {"WWW-Authenticate": 'Bearer realm="askwell"'}
        case 429 | 503:
            return {"Retry-After": str(RETRY_SECONDS)}
        case _:
            return {}


def problem(
    status: int, detail: str, *, hint: str = "", headers: Mapping[str, str] | None = None, **more: object
) -> JSONResponse:
    """Return problem details; `hint` is the next step for whoever reads them.

    Args:
        status: The HTTP status.
        detail: What happened, to which value.
        hint: What to do next; left out if empty.
        headers: Added to those that the status brings.
        more: Further members.
    """
    body: dict[str, object] = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
        **({"hint": hint} if hint else {}),
        **more,
    }
    return JSONResponse(
        body,
        status_code=status,
        media_type="application/problem+json",
        headers={**headers_of(status), **(headers or {})},
    )


def told(error: AskwellError) -> JSONResponse:
    """Return an error of ours as problem details."""
    return problem(status_of(error), str(error), hint=error.hint)
