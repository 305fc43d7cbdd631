"""The few protobuf shapes that an ONNX model is made of, read and written without a schema compiler.

    ModelProto ── graph: GraphProto ─┬─ node: NodeProto ── attribute: AttributeProto
                                     ├─ initializer: TensorProto
                                     └─ input, output: ValueInfoProto

Source: ONNX, `onnx/onnx.proto`, IR version 8; field numbers as there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FLOAT = 1
UINT8 = 2
INT8 = 3
INT32 = 6
"""Values of `TensorProto.DataType`."""

_VARINT, _BYTES, _FIXED32 = 0, 2, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """A named constant of a graph."""

    name: str
    shape: tuple[int, ...]
    type: int
    data: memoryview  # little-endian, C order
    encoded: memoryview  # the whole TensorProto, to be copied into another graph as it is


def fields(raw: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield (field number, value) of one message in wire order; blocks are views, nothing is copied.

    Raises:
        ValueError: the bytes are no protobuf message.
    """
    at, end = 0, len(raw)
    while at < end:
        key, at = _varint(raw, at)
        match key & 7:
            case 0:
                value, at = _varint(raw, at)
                yield key >> 3, value
            case 2:
                size, at = _varint(raw, at)
                yield key >> 3, raw[at : at + size]
                at += size
            case 1:
                yield key >> 3, raw[at : at + 8]
                at += 8
            case 5:
                yield key >> 3, raw[at : at + 4]
                at += 4
            case kind:
                raise ValueError(f"wire type {kind} at byte {at}")
    if at != end:
        raise ValueError("message is cut short")


def block(field: int, payload: bytes | memoryview) -> list[bytes | memoryview]:
    """Return a length-delimited field as pieces to join: large payloads are copied once, at the end."""
    return [_key(field, _BYTES) + length(len(payload)), payload]


def number(field: int, value: int) -> bytes:
    """Return a varint field; negative values take ten bytes, as the format has it."""
    return _key(field, _VARINT) + length(value & 0xFFFFFFFFFFFFFFFF)


def text(field: int, value: str) -> bytes:
    """Return a string field."""
    return b"".join(block(field, value.encode()))


def tensor(name: str, type: int, shape: Sequence[int], data: bytes) -> bytes:
    """Return a TensorProto."""
    dims = b"".join(number(1, size) for size in shape)
    return b"".join([dims, number(2, type), text(8, name), *block(9, data)])


def node(
    operator: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    domain: str = "",
    attributes: Mapping[str, int | float | Sequence[int]] = {},
) -> bytes:
    """Return a NodeProto. An empty input name is an optional input left out."""
    parts = [*(text(1, name) for name in inputs), *(text(2, name) for name in outputs), text(4, operator)]
    parts += [b"".join(block(5, _attribute(name, value))) for name, value in attributes.items()]
    return b"".join([*parts, text(7, domain)])


def value_info(name: str, type: int, shape: Sequence[int | str]) -> bytes:
    """Return a ValueInfoProto; a string in `shape` names a free dimension."""
    dims = b"".join(b"".join(block(1, text(2, d) if isinstance(d, str) else number(1, d))) for d in shape)
    tensor_type = number(1, type) + b"".join(block(2, dims))
    return text(1, name) + b"".join(block(2, b"".join(block(1, tensor_type))))


def read_tensor(raw: memoryview) -> Tensor:
    """Return a TensorProto whose data is stored raw."""
    shape: list[int] = []
    name, type_, data = "", 0, raw[:0]
    for field, value in fields(raw):
        match field, value:
            case 1, int():
                shape.append(value)
            case 1, memoryview():
                shape += packed(value)
            case 2, int():
                type_ = value
            case 8, memoryview():
                name = str(value, "utf-8")
            case 9, memoryview():
                data = value
    return Tensor(name=name, shape=tuple(shape), type=type_, data=data, encoded=raw)


def packed(raw: memoryview) -> list[int]:
    """Return the varints of a packed field."""
    found: list[int] = []
    at = 0
    while at < len(raw):
        value, at = _varint(raw, at)
        found.append(value)
    return found


def _attribute(name: str, value: int | float | Sequence[int]) -> bytes:
    match value:
        case int():
            return text(1, name) + number(3, value) + number(20, 2)
        case float():
            return text(1, name) + _key(2, _FIXED32) + struct.pack("<f", value) + number(20, 1)
        case _:
            return text(1, name) + b"".join(number(8, each) for each in value) + number(20, 7)


def _key(field: int, kind: int) -> bytes:
    return length(field << 3 | kind)


def length(value: int) -> bytes:
    """Return a varint alone, as it stands before a block."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _varint(raw: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(raw) or shift > 63:
            raise ValueError("varint is cut short")
        byte = raw[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
