"""Options that mean the same on every command, and the configuration and audience they make."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askwell.asking import MAX_K, checked_date, checked_kinds, checked_question
from askwell.config import find_file, load
from askwell.errors import BadRequest

if TYPE_CHECKING:
    import argparse
    from typing import Literal

    from askwell.engine import Engine, Request
    from askwell.ports import Records
    from askwell.records.keeping import FileRecords
    from askwell.settings import Config
    from askwell.types import Audience, Profile


def common(parser: argparse.ArgumentParser) -> None:
    """Add `--source`, `--index`, `--config` and `--json`."""
    where(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def where(parser: argparse.ArgumentParser) -> None:
    """Add `--source`, `--index` and `--config`."""
    group = parser.add_argument_group("where")
    group.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="PATH",
        help="folder, repository or vault to use, or the name of a configured one; repeatable",
    )
    group.add_argument("--index", metavar="FILE", help="index file to use")
    group.add_argument("--config", metavar="FILE", help="settings file to use instead of the one found")


def visibility(parser: argparse.ArgumentParser) -> None:
    """Add `--open-only`."""
    parser.add_argument("--open-only", action="store_true", help="leave personal documents out")


def web(parser: argparse.ArgumentParser) -> None:
    """Add `--web`."""
    parser.add_argument(
        "--web",
        action="store_true",
        help="search the web where your documents do not suffice; personal documents are left out then",
    )


def profile(parser: argparse.ArgumentParser) -> None:
    """Add `--profile`."""
    parser.add_argument("--profile", metavar="NAME", help="who answers: `docs`, `chat`, `code` or `troubleshoot`")


def diagnosis(parser: argparse.ArgumentParser) -> None:
    """Add `--log` and `--report`."""
    group = parser.add_argument_group("diagnosis (profile `troubleshoot`)")
    group.add_argument(
        "--log", metavar="PATH", default="", help="read the end of this log too; `troubleshoot.logs` says which may be"
    )
    group.add_argument(
        "--report", action="store_true", help="write a bug report of the answer into `troubleshoot.reports`"
    )


def filters(parser: argparse.ArgumentParser) -> None:
    """Add the hard filters of a search, and `-k`."""
    group = parser.add_argument_group("only")
    group.add_argument("--kind", action="append", default=[], help="only documents of this kind; repeatable")
    group.add_argument("--section", action="append", default=[], help="only this section; repeatable")
    group.add_argument("--path", action="append", default=[], metavar="GLOB", help="only paths that match; repeatable")
    group.add_argument("--tag", action="append", default=[], help="only documents with this tag; repeatable")
    group.add_argument("--after", default="", metavar="DATE", help="only documents dated on or after it")
    group.add_argument("--before", default="", metavar="DATE", help="only documents dated before it")
    parser.add_argument("-k", type=_count, metavar="N", help="number of hits")


def _count(text: str) -> int:
    import argparse

    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from error
    if not 1 <= number <= MAX_K:
        raise argparse.ArgumentTypeError(f"{number} is not from 1 to {MAX_K}")
    return number


def config_of(args: argparse.Namespace) -> Config:
    """Return the configuration that a command line leads to."""
    flags: dict[str, object] = {}
    if args.index:
        flags["store.url"] = args.index
    if getattr(args, "k", None) is not None:
        flags["retrieval.k"] = args.k
    if getattr(args, "wait", None) is not None:
        flags["index.wait"] = args.wait
    config = load(
        file=find_file(explicit=args.config, environ=os.environ),
        environ=os.environ,
        sources=args.source,
        flags=flags,
    )
    if config.faults:
        from askwell.cli.output import talk

        for fault in config.faults:
            talk(f"note: {fault}")
    return config


def audience_of(
    args: argparse.Namespace, config: Config, *, destination: Literal["local", "cloud"] = "local"
) -> Audience:
    """Return what the person at the terminal may see: everything, unless they narrow it."""
    from askwell.privacy import audience

    return audience(
        include_personal=not args.open_only,
        allow_web=_web(args, config),
        destination=destination,
        allow_cloud=config.privacy.allow_cloud,
    )


def _web(args: argparse.Namespace, config: Config) -> bool:
    """Return whether the web is allowed.

    Raises:
        ConfigError: it is, and nobody is set to be asked.
    """
    allowed = bool(getattr(args, "web", False))
    if allowed and config.web.provider == "none":
        from askwell.errors import ConfigError

        raise ConfigError("no search service is set", hint="set `web.provider`; `duckduckgo` needs no key")
    if allowed:
        from askwell.compose.web import make_web

        make_web(config, environ=os.environ)
    return allowed


def records_of(config: Config, *, interface: str = "cli") -> FileRecords | None:
    """Return where turns are kept, None where nothing is."""
    from askwell.compose.records import make_records

    return make_records(config, interface=interface)


def egress_of(config: Config) -> FileRecords | None:
    """Return where it is noted what a search or an index run sends away, None where neither can send anything."""
    models = config.models
    sends = models.embedding.startswith("openai:") or bool(models.rerank_url and models.rerank != "none")
    return records_of(config) if sends else None


def unrecorded(*, as_json: bool) -> int:
    """Say that nothing is kept; return the exit code for it."""
    from askwell.cli.output import emit, talk

    talk("nothing is kept (`records.enabled` is false)")
    if as_json:
        emit({"recorded": False})
    return 0


def faults_of(records: Records | None) -> list[str]:
    """Tell what could not be kept or read since the last call, and return it for JSON."""
    from askwell.cli.output import talk

    faults = list(records.faults()) if records is not None else []
    for fault in faults:
        talk(f"note: {fault}")
    return faults


def check(args: argparse.Namespace) -> None:
    """Find what is wrong with a question and its filters before anything is built or opened for it.

    Raises:
        BadRequest: nothing to search for, a question that is too long, an unknown kind, a date that is none,
            an unknown profile.
    """
    _question(args)
    checked_kinds(args.kind)
    _profile(args)
    for date in (args.after, args.before):
        checked_date(date)


def _question(args: argparse.Namespace) -> str:
    return checked_question(" ".join(args.question))


def _profile(args: argparse.Namespace) -> Profile | None:
    name = getattr(args, "profile", None)
    diagnosing = bool(getattr(args, "log", "") or getattr(args, "report", False))
    if name is None and not diagnosing:
        return None
    from askwell.ask.profiles import profile_named
    from askwell.types import Profile

    named = profile_named(name) if name is not None else Profile.TROUBLESHOOT
    if diagnosing and named is not Profile.TROUBLESHOOT:
        raise BadRequest(
            f"the profile `{named}` reads no logs and writes no reports", hint="use `--profile troubleshoot`"
        )
    return named


def request_of(args: argparse.Namespace, config: Config, engine: Engine, audience: Audience) -> Request:
    """Return the request that a command line makes.

    Raises:
        BadRequest: as `check`, and a section that no visible document has.
    """
    from askwell.engine import Request

    sections = engine.known_sections(args.section, audience=audience) if args.section else frozenset()
    return Request(
        question=_question(args),
        audience=audience,
        k=config.retrieval.k,
        kinds=checked_kinds(args.kind),
        sections=sections,
        paths=tuple(args.path),
        tags=frozenset(tag.lstrip("#") for tag in args.tag),
        after=args.after,
        before=args.before,
        profile=_profile(args),
        log=getattr(args, "log", ""),
    )


def off(config: Config, *, as_json: bool) -> bool:
    """Say that everything is turned off, if it is."""
    if config.enabled:
        return False
    from askwell.cli.output import emit, talk

    talk("Askwell is turned off (`enabled = false`)")
    if as_json:
        emit({"enabled": False})
    return True
