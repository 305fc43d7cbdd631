from __future__ import annotations

import numpy as np
import pytest

from askwell.errors import ModelRefused
from askwell.models.check import checked, sendable


def test_rows_are_divided_by_their_length() -> None:
    matrix = checked([[3, 4], [0, 2]], count=2, width=2, by="m")
    np.testing.assert_allclose(matrix, np.array([[0.6, 0.8], [0, 1]]), rtol=1e-6)
    assert str(matrix.dtype) == "float32"
    np.testing.assert_allclose(
        checked([[1e300, 1e300]], count=1, width=0, by="m"), np.full((1, 2), 0.5**0.5), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([[1.0, 0.0]], "1 vectors for 2"),
        ([[1.0], [1.0]], "vectors of 1 numbers, 2 expected"),
        ([[1.0, 0.0], [1.0]], "equally long"),
        ([[1.0, 0.0], [float("nan"), 1.0]], "not finite"),
        ([[1.0, 0.0], [float("inf"), 1.0]], "not finite"),
        ([[1.0, 0.0], [0.0, 0.0]], "zeros"),
        ([[1.0, 0.0], [None, 1.0]], "not finite"),
        ([["a", "b"], ["c", "d"]], "equally long"),
        ([1.0, 0.0], "one vector a text"),
        ([[[1.0]], [[1.0]]], "one vector a text"),
        ([[], []], "vectors of 0 numbers"),
        (None, "one vector a text"),
        ({"a": 1}, "equally long"),
    ],
)
def test_anything_else_is_refused_and_named(rows: object, what: str) -> None:
    with pytest.raises(ModelRefused, match=what) as refused:
        checked(rows, count=2, width=2, by="server x")
    assert str(refused.value).startswith("server x returned ")


def test_lone_surrogates_become_sendable_and_the_rest_stays() -> None:
    assert sendable("naïve 🗂️") == "naïve 🗂️"
    sent = sendable("a\ud800b 🗂️")
    assert sent.encode()
    assert (sent[0], sent[2:]) == ("a", "b 🗂️")
