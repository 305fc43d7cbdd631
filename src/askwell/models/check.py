"""Nothing that a model returns is stored or compared before it was looked at here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askwell.errors import ModelRefused

if TYPE_CHECKING:
    from askwell.ports import Matrix

_SMALLEST = 1e-12  # a vector whose largest number is below has no direction that could be trusted


def checked(rows: Any, *, count: int, width: int, by: str) -> Matrix:  # Any: it is what a model sent
    """Return `rows` as float32[count, d], C-contiguous, each row divided by its length.

    Args:
        rows: Whatever came back: an array, or lists of numbers.
        count: How many texts were sent.
        width: The dimension that is expected; 0 if this is the first reply.
        by: Which model or server, for the message.

    Raises:
        ModelRefused: a wrong count or width, rows of different widths, something that is no number, NaN or infinity,
            or a vector of zeros. The message says which and by whom; it holds nothing of the texts.
    """
    import numpy as np

    try:
        matrix = np.asarray(rows, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise _refused(by, "vectors that are not equally long lists of numbers") from error
    if matrix.ndim != 2:
        raise _refused(by, "something else than one vector a text")
    if matrix.shape[0] != count:
        raise _refused(by, f"{matrix.shape[0]} vectors for {count} texts")
    if matrix.shape[1] == 0 or (width and matrix.shape[1] != width):
        raise _refused(by, f"vectors of {matrix.shape[1]} numbers, {width or 'one or more'} expected")
    if not np.isfinite(matrix).all():
        raise _refused(by, "a vector with a number that is not finite")
    longest = np.abs(matrix).max(axis=1, keepdims=True)
    if (longest < _SMALLEST).any():
        raise _refused(by, "a vector of zeros")
    scaled = matrix / longest  # so that no square overflows
    normalised: Matrix = np.ascontiguousarray(scaled / np.linalg.norm(scaled, axis=1, keepdims=True), dtype=np.float32)
    return normalised


def sendable(text: str) -> str:
    """Return `text` as valid Unicode: lone surrogates become U+FFFD, so that it can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _refused(by: str, what: str) -> ModelRefused:
    return ModelRefused(f"{by} returned {what}", hint="check the model's name and its server's version")
