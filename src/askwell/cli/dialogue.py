"""One conversation at the terminal: what was asked and answered, and the commands that begin with `/`."""

from __future__ import annotations

import difflib
import os
import unicodedata
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.ask.history import turn_of
from askwell.ask.profiles import PROFILES, Capability, profile_named
from askwell.asking import checked_question
from askwell.cli import ask, filing, opening, options
from askwell.cli.output import printable, say, styled
from askwell.errors import BadRequest
from askwell.observing import read_now
from askwell.standing import places_of_answer, places_of_hits
from askwell.types import Answer, Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askwell.engine import Engine, Request
    from askwell.ids import ConversationId
    from askwell.ports import Records
    from askwell.settings import Config
    from askwell.standing import Place, Standing
    from askwell.types import Citation, Hit, Lines, Outcome, Turn


@dataclass(slots=True)
class Dialogue:
    """A conversation that goes on.

    Attributes:
        engine: Who answers.
        template: What every question of this conversation has in common: audience, filters, profile.
        records: Where completed turns are kept; None keeps none.
        turns: Completed turns, oldest first.
        id: The conversation as it is kept; None until there is something to keep.
        config: Says where bug reports are written; None writes none.
    """

    engine: Engine
    template: Request
    records: Records | None
    turns: list[Turn] = field(default_factory=list)
    id: ConversationId | None = None
    config: Config | None = None
    _last: Outcome | None = None
    _files: Mapping[Place, Standing] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """What stands before the question that is being typed: the profile, and whether personal notes are left out."""
        profile = self.template.profile or self.engine.profile
        return f"{profile.value}{'' if self.template.audience.include_personal else ' (open only)'}> "

    def asked(self, question: str, *, stream: bool = True) -> Outcome:
        """Answer a question and keep the turn; with `stream` the text is printed as it is made, and what belongs to it.

        Raises:
            AskwellError: it cannot be answered; nothing is kept of it.
            KeyboardInterrupt: the answer was stopped; nothing is kept of it.
        """
        request = replace(self.template, question=checked_question(question), history=tuple(self.turns))
        outcome, _ = ask.drain(self.engine, request, stream=stream)
        places = places_of_answer(outcome) if isinstance(outcome, Answer) else places_of_hits(outcome.nearest)
        self._last, self._files = outcome, self.engine.standings(places, audience=request.audience)
        turn = turn_of(question, outcome, audience=request.audience, web=request.audience.allow_web)
        self.turns.append(turn)
        if self.records is not None:
            self.id = self.id or self.records.begin()
            self.records.keep(self.id, turn)
        if stream:
            ask.tell(outcome, self._files)
            options.faults_of(self.records)
        return outcome

    @property
    def files(self) -> Mapping[Place, Standing]:
        """How the files of the last outcome stand."""
        return self._files

    def command(self, line: str) -> bool:
        """Carry out a line that begins with `/`; return whether the conversation goes on.

        Raises:
            BadRequest: there is no such command, or it cannot be carried out.
        """
        name, _, rest = line[1:].partition(" ")
        if name in ("quit", "exit", "q"):
            return False
        if name not in COMMANDS:
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean `/{near[0]}`?" if near else "`/help` lists the commands; a space before `/` asks it"
            raise BadRequest(f"unknown command {'/' + name[:40]!r}", hint=hint)
        COMMANDS[name][2](self, rest.strip())
        return True

    def help(self, _: str) -> None:
        """List the commands."""
        for name, (takes, text, _run) in COMMANDS.items():
            say(f"{styled(f'/{name} {takes}'.strip(), 'bold')}  {text}")
        say(f"{styled('/quit', 'bold')}  end; so does Ctrl-D. Ctrl-C stops an answer")

    def profile(self, name: str) -> None:
        """Choose who answers, or list them."""
        if name:
            profile = profile_named(name)
            log = self.template.log if Capability.LOGS in PROFILES[profile].capabilities else ""
            self.template = replace(self.template, profile=profile, log=log)
        chosen = self.template.profile or self.engine.profile
        for profile, rules in PROFILES.items():
            if not name or profile is chosen:
                mark = "*" if profile is chosen else " "
                say(f"{mark} {styled(profile.value, 'bold')}  {rules.about}")

    def sources(self, _: str) -> None:
        """List the sources of the last answer again."""
        for item in self._citations():
            say(ask.cited(item, self._files.get((item.source, item.path), "unknown")))

    def open(self, number: str) -> None:
        """Open a citation's file in the editor at its line, or show its lines where there is no editor."""
        source, path, lines = self._place(number)
        file = self._file(source, path) if source else Path(path)
        if file is None or not opening.in_editor(file, lines.first):
            self.show(number)

    def show(self, number: str) -> None:
        """Show a citation's lines, as indexed, with what stands around them."""
        source, path, lines = self._place(number)
        if not source:  # a log or the like: what was read of it, without its credentials
            opening.in_pager(f"{one_line(path)}:{lines.first}-{lines.last}\n\n{self._citation(number).quote}")
            return
        document = self.engine.read(source, path, audience=self.template.audience)
        if document is None:
            raise BadRequest("this document is not in the index any more", hint="run `askwell index` and ask again")
        title = f"{one_line(path)}:{lines.first}-{lines.last}"
        opening.in_pager(f"{title}\n\n{opening.excerpt(document.text, lines)}")

    def why(self, number: str) -> None:
        """Say why a citation is there: what found its lines, what they say, and how well they carry the sentences."""
        item = self._citation(number)
        place = f"{one_line(item.path)}:{item.lines.first}-{item.lines.last}"
        say(f"{styled(place, 'cyan')}  [{one_line(item.source)}]")
        for line in item.quote.split("\n"):
            say(f"  {line}")
        say(f"support: {item.support.value}")
        assert isinstance(self._last, Answer)  # noqa: S101 - it has citations
        for sentence in self._last.sentences:
            if item.marker in sentence.markers:
                reason = f" ({printable(sentence.why)})" if sentence.why else ""
                say(f"  {sentence.support.value}{reason}: {printable(' '.join(sentence.text.split()))}")
        hits = [hit for hit in self._last.ranking.hits if _holds(hit, item)]
        for hit in hits:
            seen = ", ".join(f"{s.arm.value} #{s.rank} ({s.score:.3f})" for s in hit.sightings) or "brought in"
            rank = self._last.ranking.hits.index(hit) + 1
            say(f"hit {rank}, lines {hit.chunk.lines.first}-{hit.chunk.lines.last}: {seen}; score {hit.score:.5f}")
            for move in hit.moves:
                say(f"  {printable(move)}")
        if not hits:
            listed = self._last.listed
            if item.kind != "document":
                say(f"a {item.kind}, read when the question was asked")
            else:
                say("found by the index itself: " + listed if listed else "read beside a hit of the same document")

    def log(self, path: str) -> None:
        """Let the questions that follow read a log; without a path, no log any more.

        Raises:
            BadRequest: it may not be read, or cannot be; nothing changes.
        """
        if not path:
            self.template = replace(self.template, log="")
            say("no log is read")
            return
        wanted = replace(self.template, log=path, profile=Profile.TROUBLESHOOT)
        for fault in read_now(self.engine, wanted, Profile.TROUBLESHOOT).faults:
            say(f"note: {printable(fault)}")
        self.template = wanted
        say(f"the questions that follow read {one_line(path)}")

    def report(self, _: str) -> None:
        """Write a bug report of the last answer."""
        if self.config is None or self._last is None or not self.turns:
            raise BadRequest("there is nothing to report", hint="ask something first")
        if Capability.BUG_REPORTS not in PROFILES[self._last.profile].capabilities:
            raise BadRequest(
                f"the profile `{self._last.profile}` writes no reports", hint="`/profile troubleshoot`, and ask again"
            )
        folder, question = filing.folder_of(self.config), self.turns[-1].question
        written = filing.filed(folder, question, self._last, made_with=filing.versions(self.engine))
        say(f"written: {written}")

    def new(self, _: str) -> None:
        """Begin a new conversation; what was said is no longer known to it."""
        self.turns.clear()
        self.id = self._last = None
        say("a new conversation")

    def _citations(self) -> tuple[Citation, ...]:
        if not isinstance(self._last, Answer) or not self._last.citations:
            raise BadRequest("there is no answer with sources here", hint="ask something first")
        return self._last.citations

    def _citation(self, number: str) -> Citation:
        known = {str(item.marker): item for item in self._citations()}
        wanted = number.strip("[] ")
        if wanted not in known:
            raise BadRequest(f"there is no source {wanted[:20]!r}", hint=f"known: {', '.join(known)}")
        return known[wanted]

    def _place(self, number: str) -> tuple[str, str, Lines]:
        """Return where a citation stands; after an abstention, where what came nearest stands, counted from 1."""
        if self._last is not None and not isinstance(self._last, Answer) and self._last.nearest:
            nearest = {str(at): hit for at, hit in enumerate(self._last.nearest, start=1)}
            if (hit := nearest.get(number.strip("[] "))) is None:
                raise BadRequest(f"there is no place {number[:20]!r}", hint=f"known: {', '.join(nearest)}")
            return hit.source, hit.path, hit.chunk.lines
        item = self._citation(number)
        return item.source, item.path, item.lines

    def _file(self, source: str, path: str) -> Path | None:
        """Return a document's file, None where it is none: its name on the disk may be spelled in another form."""
        roots = [bound.root for bound in self.engine.sources if bound.source.name == source]
        names = (path, unicodedata.normalize("NFD", path))
        files = [Path(os.path.realpath(root)) / name for root in roots for name in names]
        return next((file for file in files if file.is_file()), None)


def _holds(hit: Hit, item: Citation) -> bool:
    lines = hit.chunk.lines
    places = [(hit.source, hit.path, lines), *((at.source, at.path, at.lines) for at in hit.also_at)]
    return any(
        (source, path) == (item.source, item.path) and at.first <= item.lines.last and item.lines.first <= at.last
        for source, path, at in places
    )


def one_line(text: str) -> str:
    """Return a path or a name as it may stand within a line."""
    return printable(text).replace("\n", "⏎")


COMMANDS: dict[str, tuple[str, str, Callable[[Dialogue, str], None]]] = {
    "help": ("", "list the commands", Dialogue.help),
    "profile": ("[NAME]", "list the profiles, or choose who answers", Dialogue.profile),
    "sources": ("", "list the sources of the last answer", Dialogue.sources),
    "open": ("N", "open source N in $EDITOR at its line; without an editor, as `/show`", Dialogue.open),
    "show": ("N", "show the lines of source N in $PAGER", Dialogue.show),
    "why": ("N", "say why source N is cited: what found it, what it says, how well it carries", Dialogue.why),
    "log": ("[PATH]", "let the questions that follow read a log; without a path, none", Dialogue.log),
    "report": ("", "write a bug report of the last answer", Dialogue.report),
    "new": ("", "begin a new conversation", Dialogue.new),
}
"""Command → what it takes, what it does in a line, and its function."""
