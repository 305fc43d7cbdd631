"""Structure → chunks: what is merged, where it is cut, and what the embedder is given of it.

blocks ─ apart ─▶ blocks ─ sections ─▶ runs ─ pack ─▶ drafts ─ build ─▶ chunks
         footers, banners,   by heading     whole blocks,    prelude, lines,
         embedded pictures                  then oversize    embed text, id
"""

from __future__ import annotations

from askwell.chunk.build import chunks

__all__ = ["chunks"]
