"""Fit the decision whether your documents cover a question to this index, and show both error rates.

Questions are drawn from your own documents, altered so that they cannot be answered, and taken from elsewhere. Only
numbers are kept, with the embedding space; no question is stored or shown. `--reset` returns to the shipped cuts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import ProgressBar, emit, say

if TYPE_CHECKING:
    import argparse

    from askwell.eval.calibrate import Fit, Rates
    from askwell.rank.gate import Calibration


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    parser.add_argument("--reset", action="store_true", help="return to the shipped cuts")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from dataclasses import replace

    from askwell import compose
    from askwell.calibrating import NOTE, in_force, written
    from askwell.eval.calibrate import FEWEST, asked_of, fit
    from askwell.rank.gate import LEXICAL_ONLY, shipped

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    if args.reset:
        _keep(compose.index_path(config), NOTE, "", wait=config.index.wait)
        return _said({"calibrated": False, "reset": True}, "the shipped cuts are in force again", as_json=args.json)
    engine = compose.engine(config)
    progress = ProgressBar(enabled=not args.json)
    try:
        space = engine.store.space()
        name = space[0] if space else LEXICAL_ONLY
        asked = asked_of(engine, progress=progress)
        current = in_force(engine.store)
    finally:
        progress.close()
        engine.close()
    if not asked:
        why = f"under {FEWEST} documents nothing can be fitted; the cuts in force stay ({_cuts(current)})"
        return _said({"calibrated": False, "reason": why}, why, as_json=args.json)
    found = fit(asked, shipped(name))
    better = found.chosen is not found.shipped
    kept = replace(found.chosen, measured=f"fitted on this index, {_today()}")
    _keep(compose.index_path(config), NOTE, written(kept) if better else "", wait=config.index.wait)
    if args.json:
        emit(_json(found, better=better))
        return 0
    _tell(found, better=better)
    return 0


def _keep(path: object, name: str, value: str, *, wait: float) -> None:
    from pathlib import Path

    from askwell import compose

    compose.open_store(Path(str(path))).close()  # an index that is not there is told, and none is made
    store = compose.open_store(Path(str(path)), read_only=False)
    try:
        with store.write(wait=wait) as writer:
            writer.set_note(name, value)
    finally:
        store.close()


def _said(value: dict[str, object], words: str, *, as_json: bool) -> int:
    emit(value) if as_json else say(words)
    return 0


def _tell(found: Fit, *, better: bool) -> None:
    say("least cosine   off-topic answered   answerable refused   near miss answered")
    for cosine, off, refused, near in found.curve[::2]:
        say(f"{cosine:12.2f}   {off:18.1%}   {refused:18.1%}   {near:18.1%}")
    say(f"\nOn questions that were not fitted on ({', '.join(map(str, found.after.counts))}):")
    say(f"  shipped  {_cuts(found.shipped)}: {_rates(found.before)}")
    if better:
        say(f"  fitted   {_cuts(found.chosen)}: {_rates(found.after)}")
    else:
        say("  no cuts near them do better: the shipped ones stay")


def _rates(rates: Rates) -> str:
    from askwell.eval.calibrate import interval

    off, refused = interval(rates.off_topic, rates.counts[0]), interval(rates.refused, rates.counts[1])
    return (
        f"off-topic answered {rates.off_topic:.1%} [{off[0]:.1%}, {off[1]:.1%}], "
        f"answerable refused {rates.refused:.1%} [{refused[0]:.1%}, {refused[1]:.1%}], "
        f"near miss answered {rates.near_miss:.1%}"
    )


def _cuts(cuts: Calibration) -> str:
    return f"cosine {cuts.min_cosine:.2f}, sure from {cuts.sure_cosine:.2f}, coverage {cuts.min_coverage:.2f}"


def _json(found: Fit, *, better: bool) -> dict[str, object]:
    def cuts(value: Calibration) -> dict[str, float]:
        return {"min_cosine": value.min_cosine, "sure_cosine": value.sure_cosine, "min_coverage": value.min_coverage}

    def shares(value: Rates) -> dict[str, object]:
        return {
            "answered_offtopic": value.off_topic,
            "abstained_answerable": value.refused,
            "answered_nearmiss": value.near_miss,
            "questions": list(value.counts),
        }

    return {
        "calibrated": better,
        "space": found.shipped.space,
        "shipped": {**cuts(found.shipped), **shares(found.before)},
        "chosen": {**cuts(found.chosen), **shares(found.after)},
        "curve": [list(row) for row in found.curve],
    }


def _today() -> str:
    import datetime

    return datetime.datetime.now().astimezone().date().isoformat()
