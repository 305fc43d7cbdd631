"""Gives every on-disk name, whatever its bytes, one identity path: NFC, valid UTF-8, told apart from all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def identify(names: Iterable[bytes]) -> dict[str, bytes]:
    r"""Return identity path → on-disk path, for on-disk paths that are relative and `/`-separated.

    A name's identity is its NFC spelling. Where both a composed and a decomposed name exist as two files, the
    composed one has it and the other keeps its own spelling. Bytes that are not UTF-8 are shown as `\xNN`; where
    a file is really called that, the shown backslashes are doubled. The same set of names gives the same
    identities in any order.
    """
    found: dict[str, bytes] = {}
    odd: list[bytes] = []
    for raw in names:
        if raw.isascii():
            found[raw.decode("ascii")] = raw
        else:
            odd.append(raw)
    if odd:
        _identify_odd(sorted(set(odd)), found)
    return found


def nfc(path: str) -> str:
    """Return `path` in NFC."""
    if path.isascii():
        return path
    import unicodedata

    return unicodedata.normalize("NFC", path)


def shown(raw: bytes) -> str:
    r"""Return a name as it is shown, in NFC; bytes that are not UTF-8 as `\xNN`. Not unique: see `identify`."""
    return nfc(raw.decode("utf-8", "backslashreplace"))


def _identify_odd(names: Iterable[bytes], found: dict[str, bytes]) -> None:
    decomposed: list[tuple[str, bytes]] = []
    broken: list[bytes] = []
    for raw in names:
        try:
            spelling = raw.decode("utf-8")
        except UnicodeDecodeError:
            broken.append(raw)
            continue
        if nfc(spelling) == spelling:
            found[spelling] = raw
        else:
            decomposed.append((spelling, raw))
    for spelling, raw in decomposed:
        composed = nfc(spelling)
        found[spelling if composed in found else composed] = raw
    for raw in broken:
        identity = shown(raw)
        while identity in found:
            identity = identity.replace("\\", "\\\\")
        found[identity] = raw
