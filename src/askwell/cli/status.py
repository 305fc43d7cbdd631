"""What is indexed, what failed and why, how many vectors there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    options.visibility(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import compose, wire

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    engine = compose.engine(config)
    path = compose.index_path(config)
    try:
        value = engine.status(audience=options.audience_of(args, config))
    finally:
        engine.close()
    if args.json:
        emit(wire.status(value, store=str(path), calibration=engine.calibration(value.space)))
        return 0
    say(f"index {path}")
    for source in value.sources:
        say(
            f"{styled(source.name, 'bold')} ({source.type.value}) {source.root}\n"
            f"  {source.documents} documents, {source.chunks} chunks, {source.failed} failed, "
            f"{source.skipped} skipped, last run {source.last_run or 'never finished'}"
        )
    say(f"{value.vectors} chunks with a vector, {value.pending} waiting; {value.space or 'no vectors yet'}")
    for fault in value.faults:
        say(f"{fault.status} {fault.path}: {fault.reason}")
    for warning in value.warnings:
        say(f"warning: {warning}")
    return 0
