"""Find passages. What is shown is verbatim; nothing is generated and no chat model is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import fresh, options
from askwell.cli.output import emit, say, styled, talk
from askwell.standing import places_of_hits

if TYPE_CHECKING:
    import argparse

    from askwell.standing import Standing
    from askwell.types import Hit, Ranking

LINES_SHOWN = 12

OUTDATED: dict[str, str] = {
    "gone": "the file is gone: this is what was indexed of it",
    "changed": "the file has changed: this is what was indexed of it",
}
"""How a file stands → what is said of it where it is cited."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("question", nargs="+", help="any text; nothing in it is an operator")
    options.common(parser)
    options.visibility(parser)
    options.filters(parser)
    parser.add_argument("--explain", action="store_true", help="show how each hit was found, moved or removed")
    parser.add_argument("--expect", metavar="PATH", help="say why this document is not among the hits (with --explain)")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import compose, wire

    options.check(args)
    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    records = options.egress_of(config)
    engine = compose.engine(config, records=records)
    try:
        fresh.ready(engine, config, open_only=args.open_only, as_json=args.json)
        audience = options.audience_of(args, config, destination=engine.destination(answering=False))
        if audience.narrowed:
            talk(f"note: {audience.narrowed}")
        request = options.request_of(args, config, engine, audience)
        ranking = engine.search(request, expected=args.expect)
        files = engine.standings(places_of_hits(ranking.hits), audience=audience)
    finally:
        engine.close()
    faults = options.faults_of(records)
    if args.json:
        value = wire.search(ranking, files=files)
        value["warnings"] = [*filter(None, [audience.narrowed]), *ranking.warnings, *faults]
        if args.explain:
            value["explain"] = wire.explain(ranking) | ({"expected": ranking.why_not} if args.expect else {})
        emit(value)
        return 0
    tell_missing(ranking)
    if not ranking.hits:
        say("nothing found")
    for rank, hit in enumerate(ranking.hits, start=1):
        show(hit, rank, explain=args.explain, file=files.get((hit.source, hit.path), "unknown"))
    if args.explain:
        explain(ranking)
    return 0


def show(hit: Hit, rank: int, *, explain: bool = False, file: Standing = "unknown") -> None:
    """Print one hit: where it stands, then its lines as they are in the file."""
    chunk = hit.chunk
    place = f"{hit.path}:{chunk.lines.first}-{chunk.lines.last}"
    trail = " > ".join(chunk.headings) or hit.title
    number, where = styled(f"{rank}.", "bold"), styled(_safe(place), "cyan")
    say(f"{number} {where}  {styled(_safe(trail), 'dim')}  [{_safe(hit.source)}]")
    if file in OUTDATED:
        say(f"   {styled(OUTDATED[file], 'yellow')}")
    for at in hit.also_at:
        say(f"   also at {at.path}:{at.lines.first}-{at.lines.last}")
    body = "\n".join(part.strip("\n") for part in (chunk.lead, chunk.text) if part).split("\n")
    for line in body[:LINES_SHOWN]:
        say(f"   {line}")
    if len(body) > LINES_SHOWN:
        say(f"   … {len(body) - LINES_SHOWN} more lines")
    if explain:
        seen = ", ".join(f"{s.arm.value} #{s.rank} ({s.score:.3f})" for s in hit.sightings) or "brought in"
        say(f"   {styled(f'score {hit.score:.5f}: {seen}', 'dim')}")
        for move in hit.moves:
            say(f"   {styled(_safe(move), 'dim')}")
    say()


def explain(ranking: Ranking) -> None:
    """Print what the question was taken for, the evidence, and what was removed by which step."""
    signals = ranking.signals
    say(f"taken for: {', '.join(ranking.intents) or 'no particular kind of question'}")
    cosine = "none" if signals.best_cosine is None else f"{signals.best_cosine:.3f}"
    say(f"best cosine {cosine}, rare words found {signals.rare_coverage:.0%}, arms agree {signals.agreement:.0%}")
    if signals.rare_missing:
        say(f"rare words in no hit: {', '.join(signals.rare_missing)}")
    for item in ranking.removed:
        lines = item.hit.chunk.lines
        say(f"removed {item.hit.path}:{lines.first}-{lines.last}: {item.by}")
    if ranking.why_not:
        say(ranking.why_not)


def tell_missing(ranking: Ranking) -> None:
    """Say which arms did not take part, or only in part."""
    for arm, why in ranking.missing_arms.items():
        talk(f"note: without the {arm.value} arm: {why}")
    for warning in ranking.warnings:
        talk(f"note: {warning}")


def _safe(text: str) -> str:
    from askwell.cli.output import printable

    return printable(text).replace("\n", "⏎")
