"""Every deliberate exception, split by what the caller does next.

AskwellError                 has a message and a `hint`, the next step
├── ConfigError              fix a setting or the command line
├── BadRequest               fix the question, a filter value or a number
├── SourceError              the source as a whole cannot be listed: fix the path or its permissions
├── UnreadableFile           one file cannot be read or parsed: recorded, the run goes on
├── StoreError               the index file: wrong, damaged, read-only, full
│   ├── IndexLocked          another run is writing: wait
│   ├── IndexMissing         nothing has been indexed yet
│   └── EmbeddingSpaceChanged   rebuild, or set the model back
├── ModelUnavailable         no answer from a model: retry later, or go on without
├── ModelRefused             the model answered and the answer is of no use: change model or input
│   └── InputTooLong         this text is over the model's window: split it
└── PrivacyError             a request tried to cross its audience: a fault of ours, never downgraded
"""

from __future__ import annotations


class AskwellError(Exception):
    """Base class. `hint` is the next step for the person reading it, empty where there is none."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ConfigError(AskwellError):
    """A setting, a file of settings or a command-line flag is wrong."""


class BadRequest(AskwellError):
    """The question, a filter value or a number in a request is not usable."""


class SourceError(AskwellError):
    """A source cannot be listed at all: no such path, not a repository, permission refused."""


class UnreadableFile(AskwellError):
    """One file cannot be read, decoded or parsed. It is recorded and never stops a run."""


class StoreError(AskwellError):
    """The index cannot be opened, read or written."""


class IndexLocked(StoreError):
    """Another process is writing this index."""


class IndexMissing(StoreError):
    """There is no index yet."""


class EmbeddingSpaceChanged(StoreError):
    """The index holds vectors of another embedding space than the configured one."""

    def __init__(self, *, stored: str, configured: str) -> None:
        super().__init__(
            f"the index holds vectors of {stored!r}, the configured model is {configured!r}",
            hint="run `askwell index --rebuild`, or set `models.embedding` back",
        )
        self.stored = stored
        self.configured = configured


class ModelUnavailable(AskwellError):
    """A model cannot be reached, timed out or broke off. Trying again later may work."""


class ModelRefused(AskwellError):
    """A model answered with something that cannot be used."""


class InputTooLong(ModelRefused):
    """The model refused an input because it is longer than its window."""


class PrivacyError(AskwellError):
    """A request tried to cross the audience it was given. Says nothing about what was hidden."""
