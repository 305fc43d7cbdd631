"""Score retrieval and abstention on questions whose answers you know.

A question file has one JSON object a line; `docs/guides/evaluation.md` explains its fields. A folder in BEIR's layout
is indexed and scored by its own judgements.
"""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, printable, say, styled, talk
from askwell.errors import BadRequest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from askwell.eval.outcome import Outcome
    from askwell.eval.run import Report
    from askwell.eval.sets import QuestionSet

SHOWN = 20
"""Changed questions told on a terminal; all of them are in `--json`."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "file",
        nargs="+",
        metavar="FILE[=SOURCE]",
        help="question file (JSON lines) or BEIR folder; with a source of its own where several are scored",
    )
    options.common(parser)
    options.visibility(parser)
    parser.add_argument("-k", type=int, metavar="N", help="hits to ask for; 30, and 1000 where judgements are graded")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting for this run; repeatable"
    )
    parser.add_argument(
        "--compare", nargs=2, metavar=("A", "B"), help="score two settings, each a file or a KEY=VALUE, side by side"
    )
    parser.add_argument("--arms", action="store_true", help="score each arm by itself too")
    parser.add_argument("--answers", action="store_true", help="answer every question too, and score the citations")
    parser.add_argument(
        "--misses", action="store_true", help="list the questions whose document was not in the first 5"
    )
    files = parser.add_argument_group("files")
    files.add_argument("--plot", metavar="FOLDER", help="draw recall, evidence and risk as SVG")
    files.add_argument("--record", metavar="FOLDER", help="write the tables as a dated page of Markdown")
    files.add_argument("--run-out", metavar="FILE", help="write the rankings as a TREC run")
    files.add_argument("--qrels-out", metavar="FILE", help="write the judgements as TREC qrels")
    files.add_argument(
        "--run-in",
        action="append",
        default=[],
        metavar="FILE",
        help="score a TREC run instead of searching; twice: compare two",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell.cli.trial import config_for
    from askwell.eval.outcome import as_json, gaps
    from askwell.eval.sets import read_sets

    sets = read_sets(args.file)
    _check(args, sets)
    if args.run_in:
        outcomes = [_foreign(args.run_in, sets[0])]
    else:
        if options.off(config_for(args, sets[0]), as_json=args.json):
            return 0
        outcomes = [_own(args, one) for one in sets]
    sides = _sides(args)
    if args.json:
        emit(as_json(outcomes, sides=sides))
    else:
        _tell(args, outcomes, sides)
    for one in outcomes:
        for note in gaps(one):
            talk(note)
    _write(args, outcomes, sides)
    return 0


def _check(args: argparse.Namespace, sets: Sequence[QuestionSet]) -> None:
    """Find what cannot be done before anything is indexed.

    Raises:
        BadRequest: options that exclude each other, or take one set; a number out of range.
    """
    from askwell.retrieve import MOST

    if args.k is not None and not 1 <= args.k <= MOST:
        raise BadRequest(f"the number of hits must be from 1 to {MOST}, not {args.k}", hint="give `-k` another number")
    for option in ("run_in", "run_out", "qrels_out"):
        if getattr(args, option) and len(sets) > 1:
            raise BadRequest(
                f"`--{option.replace('_', '-')}` takes one set, not {len(sets)}", hint="score the sets one by one"
            )
    if len(args.run_in) > 2:
        raise BadRequest(f"{len(args.run_in)} runs", hint="give `--run-in` once to score, twice to compare")
    for option in ("compare", "arms", "answers", "run_out"):
        if args.run_in and getattr(args, option):
            raise BadRequest(
                f"`--run-in` searches nothing, so there is no `--{option.replace('_', '-')}`", hint="leave one out"
            )


def _own(args: argparse.Namespace, one: QuestionSet) -> Outcome:
    """Score a set by searching, under both settings where two are compared."""
    from askwell.cli.trial import check_comparable, check_same_documents, config_for, run_trial

    if not args.compare:
        return run_trial(args, one, config_for(args, one))
    a, b = args.compare
    first = config_for(args, one, variant=a)
    second = config_for(args, one, variant=b, beside=first)
    check_comparable(first, second, names=(a, b))
    outcome, other = run_trial(args, one, first), run_trial(args, one, second)
    check_same_documents(outcome, other)
    return replace(outcome, other=other.report)


def _foreign(files: Sequence[str], one: QuestionSet) -> Outcome:
    """Score runs of other tools.

    Raises:
        BadRequest: a run is malformed, or ranks for none of the questions.
    """
    from askwell.eval.outcome import Outcome
    from askwell.eval.run import scored
    from askwell.eval.sets import file_text
    from askwell.eval.trec import read_run

    reports = []
    asked = {question.id for question in one.questions}
    for file in files:
        text = file_text(Path(file), hint="name a TREC run; `--run-out FILE` writes one")
        found = read_run(text, name=Path(file).name, suffix=one.suffix)
        if asked.isdisjoint(found):
            raise BadRequest(
                f"{file!r} ranks for none of the questions of {one.name!r}",
                hint="the first column of a run is the question's id",
            )
        if absent := len(asked - found.keys()):
            talk(f"{file}: nothing for {absent} of {len(asked)} questions; they count as missed")
        if extra := len(found.keys() - asked):
            talk(f"{file}: {extra} questions are not in {one.name!r} and are left out")
        reports.append(scored(one.questions, found))
    return Outcome(set=one, report=reports[0], other=reports[1] if len(reports) > 1 else None)


def _sides(args: argparse.Namespace) -> tuple[str, str] | None:
    """Return what the two sides are called, None where nothing is compared."""
    both = args.compare or args.run_in
    if len(both) < 2:
        return None
    a, b = both
    short = [text if "=" in text else Path(text).name for text in (a, b)]
    return (short[0], short[1]) if short[0] != short[1] else (a, b)


def _tell(args: argparse.Namespace, outcomes: Sequence[Outcome], sides: tuple[str, str] | None) -> None:
    from askwell.eval.compare import changes
    from askwell.eval.outcome import all_tables
    from askwell.eval.tables import aligned, change_line

    for one in outcomes:
        asked = f", {one.hits} hits a question" if one.hits else ""
        say(f"{one.set.name}: {len(one.report.rows)} questions, {len(one.report.answerable)} answerable{asked}")
    for title, rows in all_tables(outcomes, arms=args.arms, sides=sides):
        say()
        say(styled(printable(title), "bold"))
        for line in aligned(rows):
            say(line)
    for one in outcomes:
        if one.other is not None:
            changed = changes(one.report, one.other)
            say()
            say(f"{one.set.name}: {len(changed)} questions changed")
            for change in changed[:SHOWN]:
                say(f"  {change_line(change)}")
            if len(changed) > SHOWN:
                say(f"  … and {len(changed) - SHOWN} more: `--json`")
        if args.misses:
            _tell_misses(one.report)


def _tell_misses(report: Report) -> None:
    for row in report.answerable:
        if row.wrong:
            say(f"{row.question.id}: {row.question.question}")
            say(f"  wanted {', '.join(row.question.gold_docs)}; got {', '.join(row.ranked[:3])}")


def _write(args: argparse.Namespace, outcomes: Sequence[Outcome], sides: tuple[str, str] | None) -> None:
    """Write the files that were asked for.

    Raises:
        BadRequest: one cannot be written.
    """
    from askwell.eval import trec
    from askwell.eval.outcome import charts

    first = outcomes[0]
    if args.run_out:
        _put(Path(args.run_out), trec.run_text(first.report, suffix=first.set.suffix))
    if args.qrels_out:
        _put(Path(args.qrels_out), trec.qrels_text(first.set.questions, suffix=first.set.suffix))
    if args.plot:
        for one in outcomes:
            for kind, drawn in charts(one).items():
                _put(Path(args.plot) / f"{one.set.name}-{kind}.svg", drawn)
    if args.record:
        date = datetime.datetime.now(datetime.UTC).date().isoformat()
        _put(Path(args.record) / f"{date}-evaluation.md", _record(args, outcomes, sides, date=date))


def _record(args: argparse.Namespace, outcomes: Sequence[Outcome], sides: tuple[str, str] | None, *, date: str) -> str:
    from askwell import __version__
    from askwell.eval.outcome import all_tables, gaps
    from askwell.eval.record import record

    named = [one.set.name for one in outcomes]
    asked = [*(["--arms"] if args.arms else []), *(["--compare", *sides] if sides else [])]
    asked += [part for text in args.set for part in ("--set", text)]
    return record(
        date=date,
        version=__version__,
        command=" ".join(["askwell eval", *named, *asked]),
        measured=[one.measured for one in outcomes],
        tables=all_tables(outcomes, arms=args.arms, sides=sides),
        notes=[note for one in outcomes for note in gaps(one)],
    )


def _put(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadRequest(f"cannot write {str(path)!r}: {error.strerror}", hint="name another place") from error
    talk(f"wrote {path}")
