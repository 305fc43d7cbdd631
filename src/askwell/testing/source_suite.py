"""What every `Source` promises. Subclass the suite, and give it a maker of sources.

class TestMine(SourceSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Maker: ...
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import pytest

from askwell.errors import UnreadableFile

if TYPE_CHECKING:
    from askwell.ports import Source

Maker: TypeAlias = Callable[[Mapping[bytes, bytes]], "Source"]
"""Makes a source that holds these documents, path → text; called again, the same place with these instead."""

TEXTS: Mapping[bytes, bytes] = {
    b"b.md": b"# B\n",
    b"a/z.md": b"# Z\r\n",
    b"a.md": "# Ä\n".encode(),
    b'a b/it\'s "so".md': b"quoted\n",
    "Ordner/Größe 🐦.md".encode(): b"bird\n",
}


class SourceSuite:
    """Tests that a subclass runs over its `make` fixture."""

    def test_documents_are_listed_in_path_order(self, make: Maker) -> None:
        listing = make(TEXTS).list()
        paths = [entry.path for entry in listing.entries]
        assert paths == sorted(raw.decode() for raw in TEXTS)
        assert listing.incomplete == ""

    def test_a_document_reads_as_it_was_written(self, make: Maker) -> None:
        source = make(TEXTS)
        read = {entry.path: source.read(entry.path).raw for entry in source.list().entries}
        assert read == {raw.decode(): text for raw, text in TEXTS.items()}

    def test_the_stat_of_a_read_is_that_of_the_listing(self, make: Maker) -> None:
        source = make(TEXTS)
        for entry in source.list().entries:
            assert source.read(entry.path).stat == entry.stat

    def test_any_spelling_opens_a_document(self, make: Maker) -> None:
        source = make(TEXTS)
        source.list()
        assert source.read(unicodedata.normalize("NFD", "Ordner/Größe 🐦.md")).raw == b"bird\n"

    def test_a_look_at_a_file_is_its_stat_as_long_as_it_is_there(self, make: Maker) -> None:
        source = make(TEXTS)
        for entry in make(TEXTS).list().entries:
            assert source.look(entry.path) == source.read(entry.path).stat
        assert source.look("a/none.md") is None
        assert source.look("keines/Größe.md") is None

    def test_reading_needs_no_listing_first(self, make: Maker) -> None:
        assert make(TEXTS).read("a/z.md").raw == b"# Z\r\n"

    @pytest.mark.parametrize(
        "path", ["", "nowhere.md", "../a.md", "/etc/hostname", "a", "a/../b.md", "./a.md", "a.md\0"]
    )
    def test_only_listed_documents_can_be_read(self, make: Maker, path: str) -> None:
        source = make(TEXTS)
        source.list()
        with pytest.raises(UnreadableFile):
            source.read(path)

    def test_what_is_gone_leaves_the_listing(self, make: Maker) -> None:
        make(TEXTS).list()
        source = make({b"a.md": b"# A\n"})
        assert [entry.path for entry in source.list().entries] == ["a.md"]

    def test_an_edit_shows_in_the_stat(self, make: Maker) -> None:
        (before,) = make({b"a.md": b"one\n"}).list().entries
        (after,) = make({b"a.md": b"longer\n"}).list().entries
        assert before.stat != after.stat

    def test_nothing_is_a_listing_too(self, make: Maker) -> None:
        assert make({}).list().entries == ()
