"""A chat model that says what it is told to, and remembers what it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.errors import AskwellError, ModelUnavailable
from askwell.types import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.ports import Finish, Message, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One completion."""

    pieces: tuple[str, ...]
    finish: Finish = "stop"
    fails: AskwellError | None = None  # raised after the last piece, instead of finishing


class ScriptedGenerator:
    """Replays scripts in order, the last one again and again; `asked` holds the messages of every call."""

    def __init__(self, *scripts: Script | str, piece: int = 4, name: str = "scripted", trust: Trust = "local") -> None:
        """Take scripts; a plain string is streamed in pieces of `piece` characters."""
        self._scripts = [
            script if isinstance(script, Script) else Script(pieces=pieces_of(script, piece)) for script in scripts
        ]
        self._name = name
        self._trust = trust
        self.asked: list[tuple[Message, ...]] = []
        self.completions: list[ScriptedCompletion] = []

    @property
    def name(self) -> str:
        """As it was made."""
        return self._name

    @property
    def trust(self) -> Trust:
        """As it was made: prompts never leave the process."""
        return self._trust

    def stream(self, messages: Sequence[Message]) -> ScriptedCompletion:
        """Return the next script as a completion."""
        turn = min(len(self.asked), len(self._scripts) - 1)
        self.asked.append(tuple(messages))
        completion = ScriptedCompletion(self._scripts[turn], prompt=messages)
        self.completions.append(completion)
        return completion


class ScriptedCompletion:
    """A completion that is being replayed. `closed` tells whether it was cancelled."""

    def __init__(self, script: Script, *, prompt: Sequence[Message]) -> None:
        """Start at the first piece."""
        self._script = script
        self._prompt = sum(len(message.content.split()) for message in prompt)
        self._sent = 0
        self.closed = False
        self.usage = Usage()
        self.finish: Finish = "stop"
        self._pieces = self._run()

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces; raises what the script says, or ModelUnavailable if it has no text at all."""
        return self._pieces

    def close(self) -> None:
        """Stop after the piece that is being read. Idempotent."""
        self.closed = True

    def _run(self) -> Iterator[str]:
        for piece in self._script.pieces:
            if self.closed:
                return
            self._sent += 1
            yield piece
        if self.closed:
            return
        if self._script.fails is not None:
            raise self._script.fails
        if not "".join(self._script.pieces).strip():
            raise ModelUnavailable("the script sent no answer", hint="try again")
        self.finish = self._script.finish
        self.usage = Usage(prompt_tokens=self._prompt, completion_tokens=self._sent)


def pieces_of(text: str, size: int) -> tuple[str, ...]:
    """Return `text` in pieces of `size` characters, as a model might stream it."""
    return tuple(text[at : at + size] for at in range(0, len(text), size))
