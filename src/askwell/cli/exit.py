"""From error type to exit code, and how an error is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from askwell import errors
from askwell.cli.output import emit, printable

if TYPE_CHECKING:
    from askwell.errors import AskwellError

OK = 0
FAILED = 1
INTERRUPTED = 130

REFUSED = 3
"""A source seems to have lost most of its documents: everything else was done, and none of them was removed."""

EXIT_CODES: dict[type[AskwellError], int] = {
    errors.ConfigError: 2,
    errors.BadRequest: 2,
    errors.SourceError: 3,
    errors.UnreadableFile: 3,
    errors.StoreError: 4,
    errors.ModelRefused: 5,
    errors.ModelUnavailable: 75,  # EX_TEMPFAIL: a caller's retry loop may use it
    errors.PrivacyError: 6,
}
"""Documented in `docs/reference/exit-codes.md`. An abstention is no error: it exits with 0."""


def code_of(error: AskwellError) -> int:
    """Return the exit code for an error, by the nearest type in the table."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), FAILED)


def report(error: AskwellError, *, stream: TextIO, as_json: bool = False) -> int:
    """Tell a person what happened and what to do next; return the exit code for a script.

    With `as_json` stdout is told as well, so that whoever reads it finds one JSON object whatever happened.
    """
    if as_json:
        emit({"error": {"message": str(error), "hint": error.hint}})
    stream.write(f"error: {printable(str(error))}\n")
    if error.hint:
        stream.write(f"  hint: {printable(error.hint)}\n")
    return code_of(error)
