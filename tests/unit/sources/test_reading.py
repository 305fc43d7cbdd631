from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import write

from askwell.errors import UnreadableFile
from askwell.sources.reading import RACY_NS, head_of, read_file, settled, stat_of
from askwell.types import FileStat

if TYPE_CHECKING:
    from pathlib import Path

DAY = 86_400 * 10**9
NOW = 20_000 * DAY


def read(root: Path, path: str, *, max_bytes: int = 1000) -> bytes:
    return read_file(os.fsencode(root), path.encode(), max_bytes=max_bytes).raw


def test_bytes_and_stat_are_those_of_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/c.md": "text\n"})
    file = read_file(os.fsencode(tmp_path), b"a/b/c.md", max_bytes=5)
    assert file.raw == b"text\n"
    assert file.stat == stat_of((tmp_path / "a/b/c.md").stat())


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "123456"})
    with pytest.raises(UnreadableFile, match="6 bytes, over the limit of 5"):
        read(tmp_path, "a.md", max_bytes=5)


def test_a_file_just_written_is_not_settled(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    assert not read_file(os.fsencode(tmp_path), b"a.md", max_bytes=5).settled


@pytest.mark.parametrize(
    ("mtime", "ctime", "expected"),
    [
        (NOW - DAY, NOW - DAY, True),
        (NOW - RACY_NS, NOW - RACY_NS, True),
        (NOW - RACY_NS + 1, NOW - DAY, False),
        (NOW - DAY, NOW - RACY_NS + 1, False),
        (NOW + DAY, NOW - DAY, True),  # a modification time can be set to anything; the change time cannot
        (NOW - DAY, NOW + DAY, False),  # a server whose clock is ahead
        (NOW + 1, NOW - DAY, False),
    ],
)
def test_settled_needs_both_times_to_be_past(mtime: int, ctime: int, expected: bool) -> None:
    assert settled(FileStat(1, mtime, ctime, 7), now_ns=NOW) is expected


def test_a_symbolic_link_is_refused_also_inside_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    (tmp_path / "l.md").symlink_to("a.md")
    with pytest.raises(UnreadableFile, match="symbolic link"):
        read(tmp_path, "l.md")


def test_a_folder_swapped_for_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"root/d/a.md": "mine", "outside/a.md": "secret"})
    root = tmp_path / "root"
    assert read(root, "d/a.md") == b"mine"
    (root / "d/a.md").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to(tmp_path / "outside")
    with pytest.raises(UnreadableFile, match="symbolic link"):
        read(root, "d/a.md")


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a.md": "x"})
    (tmp_path / "link").symlink_to("real")
    assert read(tmp_path / "link", "a.md") == b"x"


@pytest.mark.parametrize("path", ["../a.md", "d/../../a.md", "/etc/hostname", "", ".", "d/", "d//a.md"])
def test_a_path_out_of_the_root_is_refused(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"a.md": "x", "root/d/a.md": "x"})
    with pytest.raises(UnreadableFile):
        read(tmp_path / "root", path)


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.md")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        read(tmp_path, "p.md")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        head_of(os.fsencode(tmp_path), b"p.md", limit=10)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "d.md").mkdir()
    with pytest.raises(UnreadableFile, match="not a regular file"):
        read(tmp_path, "d.md")


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="gone"):
        read(tmp_path, "d/a.md")


def test_a_file_below_a_file_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"d": "now a file"})
    with pytest.raises(UnreadableFile):
        read(tmp_path, "d/a.md")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_refused_file_says_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    (tmp_path / "a.md").chmod(0)
    with pytest.raises(UnreadableFile, match="permission denied") as caught:
        read(tmp_path, "a.md")
    assert caught.value.hint


def test_text_and_stat_agree_while_a_writer_is_at_work(tmp_path: Path) -> None:
    path = tmp_path / "log.md"
    path.write_bytes(b"a" * 10)
    stop = threading.Event()

    def grow_and_shrink() -> None:
        sizes = (10, 200_000, 3, 70_000)
        count = 0
        while not stop.is_set():
            count += 1
            with path.open("r+b") as file:
                size = sizes[count % len(sizes)]
                file.truncate(size)
                file.seek(0)
                file.write(bytes([97 + count % 26]) * size)

    writer = threading.Thread(target=grow_and_shrink)
    writer.start()
    try:
        end = time.monotonic() + 0.3
        seen = 0
        while time.monotonic() < end:
            try:
                file = read_file(os.fsencode(tmp_path), b"log.md", max_bytes=10**6)
            except UnreadableFile as error:
                assert "changes while it is read" in str(error)
            else:
                assert len(file.raw) == file.stat.size
            seen += 1
        assert seen
    finally:
        stop.set()
        writer.join()
