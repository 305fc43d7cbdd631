"""Answer a question from the indexed documents. Each claim shows the lines it came from, or it is marked."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from askwell.cli import filing, fresh, options
from askwell.cli.output import emit, printable, say, styled, talk
from askwell.cli.search import OUTDATED, tell_missing
from askwell.standing import places_of_answer, places_of_hits
from askwell.types import Abstention, Answer, Delta, Support

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from askwell.engine import Engine, Request
    from askwell.standing import Place, Standing
    from askwell.types import Citation, Sentence

QUOTE = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("question", nargs="+", help="the question")
    options.common(parser)
    options.visibility(parser)
    options.filters(parser)
    options.profile(parser)
    options.web(parser)
    options.diagnosis(parser)
    parser.add_argument("--explain", action="store_true", help="show the evidence and stop before any model is called")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import compose, wire

    options.check(args)
    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    reports = filing.folder_of(config) if args.report else None
    records = options.records_of(config)
    engine = compose.engine(config, records=records)
    try:
        fresh.ready(engine, config, open_only=args.open_only, as_json=args.json)
        audience = options.audience_of(args, config, destination=engine.destination())
        if audience.narrowed:
            talk(f"note: {audience.narrowed}")
        request = options.request_of(args, config, engine, audience)
        if args.explain:
            return _explain(engine, request, as_json=args.json)
        started = time.perf_counter()
        outcome, first = drain(engine, request, stream=not args.json)
        took = {"first_ms": first, "total_ms": (time.perf_counter() - started) * 1000}
        generator = engine.generator()
        model = generator.name if generator is not None else "none"
        places = places_of_answer(outcome) if isinstance(outcome, Answer) else places_of_hits(outcome.nearest)
        files = engine.standings(places, audience=audience)
        made_with = filing.versions(engine) if reports is not None else ()
    finally:
        engine.close()
    faults = options.faults_of(records)
    report = filing.filed(reports, request.question, outcome, made_with=made_with) if reports is not None else ""
    if args.json:
        value = wire.ask(
            outcome,
            audience=audience,
            model=model,
            timings={**outcome.ranking.timings, **took},
            files=files,
            faults=faults,
        )
        emit({**value, "report": report} if report else value)
        return 0
    tell(outcome, files)
    return 0


def drain(engine: Engine, request: Request, *, stream: bool) -> tuple[Answer | Abstention, float]:
    """Print deltas as they come; return the outcome and the milliseconds to the first delta."""
    started = time.perf_counter()
    first = 0.0
    outcome: Answer | Abstention | None = None
    with contextlib.closing(engine.ask(request)) as events:
        for event in events:
            match event:
                case Delta(text=text):
                    first = first or (time.perf_counter() - started) * 1000
                    if stream:
                        sys.stdout.write(printable(text))
                        sys.stdout.flush()
                case Answer() | Abstention():
                    outcome = event
    assert outcome is not None  # noqa: S101 - `Engine.ask` ends with an outcome or raises
    return outcome, first


def tell(outcome: Answer | Abstention, files: Mapping[Place, Standing]) -> None:
    """Print what belongs to an outcome whose text has been streamed: marks and sources, or what came nearest."""
    tell_missing(outcome.ranking)
    if outcome.query:
        talk(f"note: searched for: {printable(outcome.query)}")
    if outcome.routed and isinstance(outcome, Abstention):  # an answer says so on its first line
        talk(f"note: the profile `{outcome.profile}` took it")
    match outcome:
        case Answer():
            _tell_answer(outcome, files)
        case Abstention():
            _tell_abstention(outcome, files)


def _tell_answer(answer: Answer, files: Mapping[Place, Standing]) -> None:
    say("\n" if answer.text else "")
    if missing := answer.ranking.signals.rare_missing:
        say(styled(f"Not mentioned in any passage found: {', '.join(missing)}", "yellow"))
    for sentence in answer.sentences:
        for line in verdict(sentence):
            say(styled(line, "yellow"))
    if answer.removed:
        say(styled(f"sentences that no passage carries, left out: {answer.removed}", "yellow"))
    if answer.invented:
        say(styled(f"markers that no passage carries, dropped: {answer.invented}", "yellow"))
    if answer.citations:
        say(styled("Sources", "bold"))
    for item in answer.citations:
        say(cited(item, files.get((item.source, item.path), "unknown")))


def verdict(sentence: Sentence) -> tuple[str, ...]:
    """Return what a reader must know: that a sentence is not carried, and why; that its source was replaced."""
    text = printable(" ".join(sentence.text.split()))
    lines = []
    if sentence.support is not Support.SUPPORTED:
        why = f"\n    {printable(sentence.why)}" if sentence.why else ""
        lines.append(f"{sentence.support.value}: {text}{why}")
    if sentence.replaced:
        given = "".join(f"[{marker}]" for marker in sentence.replaced)
        lines.append(f"source replaced: {given} does not carry it, [{sentence.markers[0]}] does: {text}")
    return tuple(lines)


def cited(item: Citation, file: Standing) -> str:
    """Return a citation as it is listed: its number, its lines, whether they changed, what they say."""
    quote = printable(" ".join(item.quote.split()))
    short = quote if len(quote) <= QUOTE else quote[: QUOTE - 1] + "…"
    path = printable(item.path).replace("\n", "⏎")
    named = path if item.kind == "document" else f"{item.kind}:{path}"
    place = styled(f"{named}:{item.lines.first}-{item.lines.last}", "cyan")
    outdated = f"\n    {styled(OUTDATED[file], 'yellow')}" if file in OUTDATED else ""
    kind = printable(item.source) if item.kind == "document" else "read now"
    return f"[{item.marker}] {place}  [{kind}]{outdated}\n    {short}"


def _tell_abstention(value: Abstention, files: Mapping[Place, Standing]) -> None:
    say(styled(printable(value.text), "yellow"))
    if value.nearest:
        say("\nNearest, though it does not answer that:")
        for hit in value.nearest:
            lines = hit.chunk.lines
            outdated = OUTDATED.get(files.get((hit.source, hit.path), "unknown"), "")
            say(f"  {hit.path}:{lines.first}-{lines.last}  {hit.title}{outdated and f'  ({outdated})'}")
    if value.suggestions:
        say("\nMaybe ask:")
        for suggestion in value.suggestions:
            say(f"  {suggestion}")


def _explain(engine: Engine, request: Request, *, as_json: bool) -> int:
    """Show everything that is decided before a model is called."""
    from askwell import wire
    from askwell.cli import search

    plan = engine.plan(request, explain=True)
    if as_json:
        emit(wire.plan(plan, question=request.question))
        return 0
    asked = f" (asked: {plan.asked})" if plan.routed else ""
    say(f"profile: {plan.profile}{asked}{f', {printable(plan.why)}' if plan.why else ''}")
    if plan.rewritten.by:
        say(f"query: {printable(plan.rewritten.query)} (a follow-up: {plan.rewritten.why})")
    if plan.widened:
        say(f"searched for, with the words of the log: {printable(plan.widened)}")
    if plan.listed is not None:
        query = plan.listed.query
        say(f"listing: answered from the index itself, by rule {query.rule}")
        say(f"query: {query.described}")
        say(f"items: {len(plan.listed.blocks) - 1}")
    if plan.ranking is None:
        return 0
    for rank, hit in enumerate(plan.ranking.hits, start=1):
        search.show(hit, rank, explain=True)
    search.explain(plan.ranking)
    from askwell.fallback import coverage_of

    say(f"gate: {plan.refused or 'open'}; the documents cover it: {coverage_of(engine, plan.ranking).value}")
    return 0
