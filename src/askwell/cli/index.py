"""Make the index match the sources. Only what changed is read, only what is new is embedded."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from askwell import idle
from askwell.cli import options
from askwell.cli.exit import OK, REFUSED
from askwell.cli.output import ProgressBar, json_text, printable, write
from askwell.errors import ConfigError

if TYPE_CHECKING:
    import argparse

    from askwell.indexing import RunOptions, RunReport
    from askwell.settings import Config

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
    started = idle.now()
    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    report, watched = index(
        config,
        run_options(args, config),
        dry_run=args.dry_run,
        rebuild=args.rebuild,
        quiet=args.json,
    )
    out, err = told(report, dry_run=args.dry_run)
    if args.json:
        from askwell import wire

        out, err = json_text(wire.index(report)), ""
    write(out)
    sys.stderr.write(err)
    if watched:
        idle.remember(sys.argv[1:], os.environ, watched=watched, started=started, said=(out, err))
    return REFUSED if report.refused else OK


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
    config: Config, run_options: RunOptions, *, dry_run: bool = False, rebuild: bool = False, quiet: bool = False
) -> tuple[RunReport, tuple[bytes, ...]]:
    """Run the indexer and show how far it is, unless it is to be `quiet`.

    Returns:
        What it did, and what must stay as it is for the next run to have nothing to do; empty if this one had.

    Raises:
        ConfigError: nobody named a source, and the folder this is run in holds everything a person has.
    """
    from askwell import compose

    plausible(config)
    progress = ProgressBar(enabled=not quiet)
    records = None if dry_run else options.egress_of(config)
    leaving = records.leaving if records is not None else None
    try:
        return compose.index(config, run_options, dry_run=dry_run, rebuild=rebuild, progress=progress, leaving=leaving)
    finally:
        progress.close()
        options.faults_of(records)


def plausible(config: Config) -> None:
    """Return if the sources are meant to be indexed; a home folder that nobody named is not.

    Raises:
        ConfigError: it is not.
    """
    if not config.implied:
        return
    here = Path(config.sources[0].path).resolve()
    home = Path.home().resolve()
    if here == home or here in home.parents:
        raise ConfigError(
            f"no source is named, and {str(here)!r} is too much to index unasked",
            hint="name a folder with `--source FOLDER`, or run this in the folder that holds your documents",
        )


def told(report: RunReport, *, dry_run: bool = False) -> tuple[str, str]:
    """Return a run's sum for a person: what it did for stdout, what they should know for stderr."""
    verb = "would add" if dry_run else "added"
    took = "" if dry_run else f" in {report.seconds:.1f} s"
    done = [
        f"{verb} {report.added}, updated {report.updated}, removed {report.removed}, unchanged {report.unchanged}"
        f"{f', reclassified {report.reclassified}' if report.reclassified else ''}{took}"
    ]
    if report.chunks or report.embedded:
        done.append(f"{report.chunks} chunks, {report.embedded} embedded, {report.reused} vectors reused")
    if report.pending and not dry_run:
        done.append(f"{report.pending} chunks wait for a vector; search by words works, `askwell index` goes on")
    notes: list[str] = []
    for title, faults in (("failed", report.failed), ("skipped", report.skipped)):
        if faults:
            notes.append(f"{title}: {len(faults)}")
            notes += [f"  {fault.path}: {fault.reason}" for fault in faults[:SHOWN]]
            if len(faults) > SHOWN:
                notes.append(f"  … and {len(faults) - SHOWN} more: `askwell status`")
    notes += [f"warning: {warning}" for warning in report.warnings]
    return _lines(done), _lines(notes)


def _lines(lines: list[str]) -> str:
    return "".join(printable(line).replace("\n", "⏎") + "\n" for line in lines)
