"""Score retrieval and abstention on questions whose answers you know.

A question file has one JSON object a line; `docs/guides/evaluation.md` explains its fields.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli import fresh, options
from askwell.cli.output import emit, say, talk
from askwell.errors import BadRequest

if TYPE_CHECKING:
    import argparse

    from askwell.engine import Engine
    from askwell.eval.run import Report
    from askwell.types import Audience


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", help="question file (JSON lines)")
    options.common(parser)
    options.visibility(parser)
    parser.add_argument(
        "--misses", action="store_true", help="list the questions whose document was not in the first 5"
    )


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import compose
    from askwell.eval.questions import read_questions
    from askwell.eval.run import as_json

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    try:
        text = Path(args.file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"cannot read {args.file!r}: {error.strerror}", hint="name a question file") from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{args.file!r} is not UTF-8 text", hint="name a question file") from error
    questions = read_questions(text, name=args.file)
    engine = compose.engine(config)
    try:
        fresh.ready(engine, config, open_only=args.open_only)
        report = _evaluate(engine, questions, options.audience_of(args, config))
    finally:
        engine.close()
    if args.json:
        emit(as_json(report))
    else:
        _tell(report, misses=args.misses)
    return 0


def _evaluate(engine: Engine, questions: tuple, audience: Audience) -> Report:  # type: ignore[type-arg]
    from askwell.engine import Request
    from askwell.eval.run import HITS, evaluate

    request = Request(question="", audience=audience, k=HITS)
    return evaluate(
        questions,
        rank=lambda question: engine.search(replace(request, question=question)),
        refused=engine.gate,
        evidence=engine.covered,
        known=lambda: [(info.source, info.path) for info in engine.documents(audience=audience)],
        clock=time.perf_counter,
    )


def _tell(report: Report, *, misses: bool) -> None:
    def shown(value: float | None) -> str:
        return "   –" if value is None else f"{value:.2f}"

    say(f"{len(report.rows)} questions, {len(report.answerable)} answerable")
    say("recall@1  @5    @10   MRR@10  nDCG@10")
    cells = [report.recall(1), report.recall(5), report.recall(10), report.mrr, report.ndcg]
    say(f"{shown(cells[0])}     {shown(cells[1])}  {shown(cells[2])}  {shown(cells[3])}    {shown(cells[4])}")
    say(
        f"unanswerable answered {shown(report.answered_unanswerable)}, "
        f"answerable refused {shown(report.abstained_answerable)}"
    )
    say(f"search p50 {report.latency(0.5):.1f} ms, p95 {report.latency(0.95):.1f} ms")
    for question, path in report.missing:
        talk(f"{question}: gold document {path!r} is not in the index")
    if misses:
        for row in report.answerable:
            if not 1 <= row.found <= 5:
                say(f"{row.question.id}: {row.question.question}")
                say(f"  wanted {', '.join(row.question.gold_docs)}; got {', '.join(row.ranked[:3])}")
