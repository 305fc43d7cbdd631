"""Identities: what a document, a chunk and a piece of content are called, whatever happens around them."""

from __future__ import annotations

import hashlib
import re
from typing import NewType
from urllib.parse import quote

DocumentId = NewType("DocumentId", str)
"""Identity of a document: its source's name and its NFC path. Survives every edit; a move makes a new one."""

ChunkId = NewType("ChunkId", str)
"""Identity of a chunk: its document and its embed text. Survives edits elsewhere in the document."""

ConversationId = NewType("ConversationId", str)
"""Identity of a stored conversation: 32 hex characters drawn at random."""


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


_DATED_LINE = re.compile(r"^\W*(?:date|created|copyright|\(c\)|©)\b.*$", re.IGNORECASE | re.MULTILINE)
_DIGITS = re.compile(r"\d+")
_ADDRESS_EDGES = " \n\t\"'()<>[]|"
_SHORTEST_NAME = 4  # a shorter file name is part of too many words to be read as an address


def text_key(text: str, path: str = "") -> str:
    """Return the identity of a chunk's text for finding what stands in many documents.

    Equal for texts that differ only in white space at both ends, in the address of the document they
    stand in (a footer that links to its own source), and in the digits of a date or copyright line
    (an author banner). Nothing else is forgiven: two settings with two values keep two keys.

    Args:
        text: The chunk's verbatim text.
        path: Path of the document it stands in; empty compares addresses as they are.
    """
    text = text.strip()
    name = path.rpartition("/")[2]
    if len(name) >= _SHORTEST_NAME:
        text = text.replace(path, name)
        for spelling in dict.fromkeys((quote(name), quote(name, safe="!'()*&,;=:@+$"), name)):
            if spelling in text:
                *before, last = text.split(spelling)
                text = "\0".join([*map(_without_address, before), last])
    return fingerprint(_DATED_LINE.sub(lambda line: _DIGITS.sub("0", line[0]), text))


def _without_address(part: str) -> str:
    """Return `part` without the unfinished address at its end."""
    return part[: max(part.rfind(edge) for edge in _ADDRESS_EDGES) + 1]
