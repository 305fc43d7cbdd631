"""What is indexed, what failed and why, how many vectors there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled

if TYPE_CHECKING:
    import argparse

    from askwell.settings import Config


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    options.visibility(parser)
    parser.add_argument("--egress", action="store_true", help="list what left this machine instead, oldest first")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import compose, wire

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    if args.egress:
        return _egress(args, config)
    engine = compose.engine(config)
    path = compose.index_path(config)
    try:
        value = engine.status(audience=options.audience_of(args, config))
    finally:
        engine.close()
    if args.json:
        emit(wire.status(value, store=str(path), calibration=engine.calibration()))
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


def _egress(args: argparse.Namespace, config: Config) -> int:
    """List what was sent to other machines: when, where to, what for, how much, of which class."""
    from askwell import wire

    records = options.records_of(config)
    if records is None:
        return options.unrecorded(as_json=args.json)
    sent = records.sent(classes=options.audience_of(args, config).classes)
    faults = options.faults_of(records)
    if args.json:
        emit(wire.egress(sent, faults=faults))
        return 0
    for outgoing in sent:
        say(
            f"{outgoing.at}  {styled(outgoing.destination, 'bold')}  {outgoing.purpose}  "
            f"{outgoing.size} bytes  {outgoing.class_.value}"
        )
    if not sent:
        say("nothing left this machine, as far as the record reaches back")
    return 0
