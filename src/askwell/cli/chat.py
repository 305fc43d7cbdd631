"""Talk with your documents: each question knows the ones before. `/help` lists what can be done besides asking.

Without a terminal each line of standard input is a question. Ctrl-C stops an answer, Ctrl-D ends. Conversations are
kept; `--list` shows them and `--resume` goes on with one.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING

from askwell.cli import exit as codes
from askwell.cli import fresh, options
from askwell.cli.output import emit, json_line, printable, say, styled, talk, write
from askwell.errors import AskwellError, BadRequest, ConfigError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from askwell.cli.dialogue import Dialogue
    from askwell.records.keeping import FileRecords
    from askwell.settings import Config
    from askwell.types import Audience, Conversation

_LINES = 1000  # typed lines that are kept


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    options.visibility(parser)
    options.filters(parser)
    options.profile(parser)
    options.web(parser)
    group = parser.add_argument_group("conversations")
    group.add_argument(
        "--resume", nargs="?", const="", metavar="ID", help="go on with a conversation; the newest if no ID is given"
    )
    group.add_argument("--list", action="store_true", help="list the conversations that are kept")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    records = options.records_of(config)
    if args.list:
        return _list(records, args, config)
    args.question = ["x"]  # the template's question is replaced by each one that is asked
    options.check(args)
    from askwell import compose
    from askwell.cli.dialogue import Dialogue

    engine = compose.engine(config, records=records)
    try:
        fresh.ready(engine, config, open_only=args.open_only, as_json=args.json)
        audience = options.audience_of(args, config, destination=engine.destination())
        if audience.narrowed:
            talk(f"note: {audience.narrowed}")
        template = options.request_of(args, config, engine, audience)
        dialogue = Dialogue(engine=engine, template=template, records=records, config=config)
        if args.resume is not None:
            _resume(dialogue, resumed(records, args.resume, audience), quiet=args.json)
        return _converse(dialogue, records, as_json=args.json)
    finally:
        engine.close()


def _converse(dialogue: Dialogue, records: FileRecords | None, *, as_json: bool) -> int:
    """Take lines until they end; return the exit code: of a person 0, of a pipe the first failure's."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    failed = 0
    if terminal:
        say(styled("Ask, or `/help`. Ctrl-C stops an answer, Ctrl-D ends.", "dim"))
    for line in _typed(dialogue, records) if terminal else _piped():
        if not line.strip():
            continue
        try:
            if line.startswith("/"):
                if not dialogue.command(line.strip()):
                    break
            elif as_json:
                _ask_json(dialogue, line.strip())
            else:
                dialogue.asked(line.strip())
                say()
        except AskwellError as error:
            sys.stdout.flush()
            code = codes.report(error, stream=sys.stderr)
            if as_json:
                write(json_line({"error": {"message": str(error), "hint": error.hint}}))
            failed = failed or code
        except KeyboardInterrupt:
            if not terminal:
                raise
            say(styled("\n(stopped; nothing of it is kept)", "dim"))
    return 0 if terminal else failed


def _ask_json(dialogue: Dialogue, question: str) -> None:
    """Answer a question with one line of JSON, of the shape of `ask`."""
    from askwell import wire

    outcome = dialogue.asked(question, stream=False)
    generator = dialogue.engine.generator()
    value = wire.ask(
        outcome,
        audience=dialogue.template.audience,
        model=generator.name if generator is not None else "none",
        timings=outcome.ranking.timings,
        files=dialogue.files,
        faults=options.faults_of(dialogue.records),
    )
    write(json_line({**value, "conversation": dialogue.id or ""}))


def _typed(dialogue: Dialogue, records: FileRecords | None) -> Iterator[str]:
    """Yield what a person types, with a line editor where there is one."""
    with _line_editor(records):
        while True:
            try:
                yield input(dialogue.prompt)
            except KeyboardInterrupt:
                say()
            except EOFError:
                say()
                return


def _piped() -> Iterator[str]:
    """Yield the lines of standard input as they come; what is no UTF-8 becomes U+FFFD."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in sys.stdin:
        yield line.rstrip("\r\n")


@contextlib.contextmanager
def _line_editor(records: FileRecords | None) -> Iterator[None]:
    """Let typed lines be edited and found again, in the next conversation too where records are kept."""
    try:
        import readline
    except ImportError:  # not part of every Python
        yield
        return
    kept = records.folder / "typed" if records is not None else None
    readline.set_history_length(_LINES)
    if kept is not None:
        with contextlib.suppress(OSError):
            readline.read_history_file(kept)
    try:
        yield
    finally:
        if kept is not None:
            _keep_lines(kept)


def _keep_lines(kept: Path) -> None:
    import readline

    from askwell.records.files import private_folder

    try:
        private_folder(kept.parent)
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT, 0o600))
        readline.write_history_file(kept)
    except OSError as error:
        talk(f"note: the typed lines are not kept: {(error.strerror or '').lower()}")


def resumed(records: FileRecords | None, id: str, audience: Audience) -> Conversation:
    """Return a visible conversation by its id or the beginning of it, the newest if it is empty.

    Raises:
        ConfigError: nothing is kept. BadRequest: there is no such conversation, or more than one.
    """
    if records is None:
        raise ConfigError("no conversations are kept", hint="set `records.enabled` to true")
    known = records.conversations(classes=audience.classes)
    options.faults_of(records)
    found = [item for item in known if item.id.startswith(id)] if id else list(known[:1])
    if len(found) != 1:
        what = f"no conversation {id!r}" if not found else f"{len(found)} conversations begin with {id!r}"
        raise BadRequest(what if id else "no conversation is kept", hint="`askwell chat --list` shows them")
    return found[0]


def _resume(dialogue: Dialogue, conversation: Conversation, *, quiet: bool) -> None:
    dialogue.id, dialogue.turns = conversation.id, list(conversation.turns)
    for fault in conversation.refused:
        talk(f"note: {fault}")
    if quiet:
        return
    for turn in conversation.turns:
        say(styled(f"> {printable(' '.join(turn.question.split()))}", "bold"))
        say(f"{printable(turn.answer)}\n")
    say(styled("So far. Sources of earlier answers are not kept; ask again to see them.", "dim"))


def _list(records: FileRecords | None, args: argparse.Namespace, config: Config) -> int:
    """List the visible conversations, newest first."""
    from askwell import wire

    if records is None:
        return options.unrecorded(as_json=args.json)
    known = records.conversations(classes=options.audience_of(args, config).classes)
    faults = options.faults_of(records)
    if args.json:
        emit({"conversations": [wire.conversation(item) for item in known], "warnings": faults})
        return 0
    for item in known:
        say(f"{styled(item.id[:8], 'bold')}  {item.created}  {len(item.turns)} turns  {printable(item.title)}")
    if not known:
        say("no conversations are kept yet")
    return 0
