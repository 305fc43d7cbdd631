"""Protocols between the core and everything that is held open: sources, the index, models, records.

Each promise written here is a test in `askwell.testing`: one conformance suite a port, run over every
implementation. Cores call ports; ports never call cores.
"""

from __future__ import annotations

from askwell.ports.leaving import Leaving, carried, carrying
from askwell.ports.models import (
    Embedder,
    Finish,
    Generation,
    Generator,
    Matrix,
    Message,
    Progress,
    Reranker,
    Trust,
    Vector,
)
from askwell.ports.recording import Records
from askwell.ports.records import (
    DocumentInfo,
    Fault,
    IndexedState,
    LexicalQuery,
    Name,
    Pending,
    ResolvedEdge,
    SourceInfo,
    StoredEdge,
    Veil,
)
from askwell.ports.source import Source
from askwell.ports.store import Store, Writer
from askwell.ports.web import WebPage, WebSearch, WebSection

__all__ = [
    "DocumentInfo",
    "Embedder",
    "Fault",
    "Finish",
    "Generation",
    "Generator",
    "IndexedState",
    "Leaving",
    "LexicalQuery",
    "Matrix",
    "Message",
    "Name",
    "Pending",
    "Progress",
    "Records",
    "Reranker",
    "ResolvedEdge",
    "Source",
    "SourceInfo",
    "Store",
    "StoredEdge",
    "Trust",
    "Vector",
    "Veil",
    "WebPage",
    "WebSearch",
    "WebSection",
    "Writer",
    "carried",
    "carrying",
]
