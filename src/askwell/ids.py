"""Identities: what a document, a chunk and a piece of content are called, whatever happens around them."""

from __future__ import annotations

import hashlib
from typing import NewType

DocumentId = NewType("DocumentId", str)
"""Identity of a document: its source's name and its NFC path. Survives every edit; a move makes a new one."""

ChunkId = NewType("ChunkId", str)
"""Identity of a chunk: its document and its embed text. Survives edits elsewhere in the document."""


def fingerprint(*parts: str) -> str:
    """Return 32 hex characters that change if any part, or the split between parts, changes.

    Each part is length-prefixed: plain concatenation would give ("a1", "0") and ("a", "10")
    the same digest. Lone surrogates are legal in a part.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def content_hash(raw: bytes) -> str:
    """Return 32 hex characters that identify a file's bytes."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def document_id(source: str, path: str) -> DocumentId:
    """Return the identity of the document at `path` (NFC, `/`-separated) of the source named `source`."""
    return DocumentId(fingerprint("document", source, path))


def chunk_id(document: DocumentId, embed_text: str, occurrence: int) -> ChunkId:
    """Return the identity of a chunk: its text, not its position.

    An edited chunk gets a new id, so it cannot keep a stale vector; a section inserted above
    changes no other id, so nothing else is embedded again.

    Args:
        document: The document it belongs to.
        embed_text: Exactly what the embedder is given.
        occurrence: 0 for the first chunk with this text in the document, 1 for the next.
    """
    return ChunkId(fingerprint("chunk", document, embed_text, str(occurrence)))
