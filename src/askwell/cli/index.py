"""Make the index match the sources. Only what changed is read, only what is new is embedded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import ProgressBar, emit, say, talk

if TYPE_CHECKING:
    import argparse

    from askwell.config import Config
    from askwell.indexing import RunOptions, RunReport

SHOWN = 10
"""Faults told after a run; all of them are in `askwell status` and in `--json`."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would change; contact no model, write nothing")
    parser.add_argument("--rebuild", action="store_true", help="build a new index beside the old one, then switch")
    parser.add_argument("--force", action="store_true", help="read and cut every file again")
    parser.add_argument("--no-vectors", action="store_true", help="stop after the text phase")
    parser.add_argument(
        "--allow-mass-delete",
        action="store_true",
        help="let a source that lost most of its documents lose them here too",
    )
    parser.add_argument("--wait", type=float, metavar="SECONDS", help="wait for another run instead of giving up")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    report = index(config, run_options(args, config), dry_run=args.dry_run, rebuild=args.rebuild)
    if args.json:
        from askwell import wire

        emit(wire.index(report))
    else:
        tell(report, dry_run=args.dry_run)
    return 0


def run_options(args: argparse.Namespace, config: Config) -> RunOptions:
    """Return the options of a run that the command line and the settings lead to."""
    from askwell.indexing import RunOptions

    return RunOptions(
        allow_mass_delete=args.allow_mass_delete,
        force=args.force,
        wait=config.index.wait,
        allow_cloud=config.privacy.allow_cloud,
        vectors=not args.no_vectors,
        drop_others=not config.ad_hoc and not args.source,
    )


def index(
    config: Config, run_options: RunOptions, *, dry_run: bool = False, rebuild: bool = False, bar: bool | None = None
) -> RunReport:
    """Run the indexer with a progress bar."""
    from askwell import compose

    progress = ProgressBar(enabled=bar)
    try:
        return compose.index(config, run_options, dry_run=dry_run, rebuild=rebuild, progress=progress)
    finally:
        progress.close()


def tell(report: RunReport, *, dry_run: bool = False) -> None:
    """Sum a run up for a person."""
    verb = "would add" if dry_run else "added"
    say(
        f"{verb} {report.added}, updated {report.updated}, removed {report.removed}, unchanged {report.unchanged}"
        + ("" if dry_run else f" in {report.seconds:.1f} s")
    )
    if report.chunks or report.embedded:
        say(f"{report.chunks} chunks, {report.embedded} embedded, {report.reused} vectors reused")
    if report.pending and not dry_run:
        say(f"{report.pending} chunks wait for a vector; search by words works, `askwell index` goes on with them")
    for title, faults in (("failed", report.failed), ("skipped", report.skipped)):
        if faults:
            talk(f"{title}: {len(faults)}")
            for fault in faults[:SHOWN]:
                talk(f"  {fault.path}: {fault.reason}")
            if len(faults) > SHOWN:
                talk(f"  … and {len(faults) - SHOWN} more: `askwell status`")
    for warning in report.warnings:
        talk(f"warning: {warning}")
