"""The cuts that the gate decides by: those fitted on this index, if there are any, else those shipped for its model."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from askwell.rank.gate import LEXICAL_ONLY, Calibration, shipped

if TYPE_CHECKING:
    from askwell.ports import Store

NOTE = "calibration"
"""Name of the note in the index: JSON of a `Calibration`. It holds numbers alone, no word of a document."""


def in_force(store: Store) -> Calibration:
    """Return the calibration of an index: a fitted one only if it is of the embedding space that the index has now."""
    space = store.space()
    name = space[0] if space else LEXICAL_ONLY
    fitted = parsed(store.note(NOTE))
    return fitted if fitted is not None and fitted.space == name else shipped(name)


def written(calibration: Calibration) -> str:
    """Return a calibration as the index keeps it."""
    return json.dumps(asdict(calibration))


def parsed(note: str) -> Calibration | None:
    """Return a calibration from the index's note; None if there is none or it is not one."""
    try:
        value = json.loads(note)
        found = Calibration(
            space=str(value["space"]),
            min_cosine=float(value["min_cosine"]),
            sure_cosine=float(value["sure_cosine"]),
            min_coverage=float(value["min_coverage"]),
            lexical_coverage=float(value["lexical_coverage"]),
            measured=str(value["measured"]),
            latin_only=bool(value["latin_only"]),
        )
    except (ValueError, TypeError, KeyError):
        return None
    cuts = (found.min_cosine, found.sure_cosine, found.min_coverage, found.lexical_coverage)
    return found if all(-1.0 <= cut <= 1.1 for cut in cuts) else None
