"""The memory-mapped copy of the vectors beside the database: derived, stamped, replaced whole.

magic, length of header · header (JSON: stamp, rows, width) · arrays, each at a multiple of 64 bytes
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from askwell.stores.sqlite.vector_rows import VectorRows

if TYPE_CHECKING:
    import numpy.typing as npt

_MAGIC = b"ASKWVEC1"
_ALIGN = 64
_DTYPES = {
    "keys": "S",
    "chunks": "<i8",
    "documents": "<i8",
    "vectors": "<i8",
    "sources": "<i4",
    "classes": "u1",
    "kinds": "u1",
    "matrix": "<f4",
}


def path_of(index: Path) -> Path:
    """Return where an index's mapped copy lies."""
    return index.with_name(f"{index.name}.vectors")


def read(index: Path) -> tuple[str, VectorRows] | None:
    """Map the copy. Return its stamp and rows, None where there is none or it is not whole."""
    try:
        with path_of(index).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    try:
        if data[:8] != _MAGIC:
            return None
        start = 16 + int.from_bytes(data[8:16], "little")
        header = json.loads(data[16:start])
        count, width = int(header["rows"]), int(header["width"])
        arrays: dict[str, Any] = {}  # Any: each array has its own dtype, that of _DTYPES
        at = _aligned(start)
        for name, dtype in _dtypes(int(header["key"])).items():
            shape = (count, width) if name == "matrix" else (count,)
            items = count * width if name == "matrix" else count
            arrays[name] = np.frombuffer(data, dtype=dtype, count=items, offset=at).reshape(shape)
            at = _aligned(at + arrays[name].nbytes)
    except (ValueError, KeyError, TypeError):  # cut short, or of another making
        return None
    return str(header["stamp"]), VectorRows(**arrays)


def write(index: Path, stamp: str, rows: VectorRows) -> bool:
    """Replace the copy, whole or not at all. Return whether that was possible; a full disk is no error here."""
    shape = {"rows": len(rows), "width": rows.matrix.shape[1], "key": rows.keys.itemsize}
    header = json.dumps({"stamp": stamp, **shape}).encode()
    try:
        handle, name = tempfile.mkstemp(prefix=f"{index.name}.vectors.", suffix=".part", dir=index.parent)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + len(header).to_bytes(8, "little") + header)
            for field, dtype in _dtypes(rows.keys.itemsize).items():
                file.write(b"\0" * (_aligned(file.tell()) - file.tell()))
                array: npt.NDArray[np.generic] = getattr(rows, field)
                np.ascontiguousarray(array, dtype=dtype).tofile(file)
        Path(name).replace(path_of(index))
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        return False
    return True


def _dtypes(key: int) -> dict[str, str]:
    return {**_DTYPES, "keys": f"S{key}"}


def discard(index: Path) -> None:
    """Remove the copy and what killed writers left of others."""
    for path in (path_of(index), *index.parent.glob(f"{glob_escaped(index.name)}.vectors.*.part")):
        with contextlib.suppress(OSError):
            path.unlink()


def glob_escaped(name: str) -> str:
    """Return a file name in which nothing is a wildcard."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGN) * _ALIGN
