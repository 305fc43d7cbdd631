from __future__ import annotations

import pytest

from askwell.formats import DEFAULT_EXTENSIONS, format_of


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/Note.MD", "markdown"),
        ("notes.txt", "text"),
        ("docs/index.rst", "rst"),
        ("compose.yml", "yaml"),
        ("settings.json5", "json"),
        ("events.jsonl", "json"),
        ("tool.py", "python"),
        ("run.ps1", "script"),
        ("index.PHP", "script"),
        ("pyproject.toml", "template"),
        ("nas.conf", "template"),
        ("master.conf.template", "template"),
        (".env.example", "template"),
        ("app.env.sample", "template"),
        ("site.yml.j2", "yaml"),
        ("nginx.conf.j2", "template"),
        ("hosts.j2", "template"),
        ("page.html.j2", None),
        ("job.sh.sample", "script"),
        ("Makefile", "script"),
        ("deploy/Dockerfile.dev", "script"),
        ("LICENSE", "text"),
        ("README", "text"),
        ("README.debian", "text"),
        ("crontab", "template"),
        (".bashrc", "script"),
        ("etc/shell.bashrc", "script"),
        (".screenrc", "template"),
        ("backup.service", "template"),
        ("index.html", None),
        ("style.css", None),
        ("photo.jpg", None),
        ("unknown", None),
    ],
)
def test_the_name_decides(path: str, expected: str | None) -> None:
    assert format_of(path) == expected


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("bin/v-add", b"#!/bin/bash\n# info: add\n", "script"),
        ("bin/tool", b"#!/usr/bin/env python3\n", "python"),
        ("bin/tool", b"#!/usr/bin/env -S uv run --script\n", "python"),
        ("bin/tool", b"#!/usr/bin/env LANG=C python3.12\n", "python"),
        ("play", b"#!/usr/bin/env ansible-playbook\n- hosts: all\n", "yaml"),
        ("cli.js", b"#!/usr/bin/env node\n", "script"),
        ("bin/page", b"<?php\n//# info: x\n", "script"),
        ("ifcfg-eth1", b'NAME="eth1"\nONBOOT="yes"\n', "template"),
        ("lib/functions", b"# shared helpers\nlog() {\n  echo\n}\n", "script"),
        ("motd", "Grüße aus dem Keller\n".encode(), "text"),
        ("motd", "Grüße".encode()[:3], "text"),
        ("rear.8", b".TH REAR 8\n", "text"),
        ("data.8", b"\x00\x01", None),
        ("core", b"\x7fELF\x00\x01", None),
        ("weird", b"#!/bin/sh\n\0\0", None),
        ("latin", b"caf\xe9 au lait\n", None),
        ("empty", b"", None),
    ],
)
def test_the_first_bytes_decide_where_the_name_does_not(path: str, head: bytes, expected: str | None) -> None:
    assert format_of(path, head) == expected


def test_every_default_extension_is_taken() -> None:
    assert {ext for ext in DEFAULT_EXTENSIONS if format_of(f"name.{ext}") is None} == set()


def test_extensions_promised_by_the_documentation_are_in_the_list() -> None:
    promised = (
        "md markdown txt rst yaml yml json jsonl toml ini conf cfg env.example template py sh bash zsh php pl ps1 sql"
    )
    assert set(promised.split()) <= DEFAULT_EXTENSIONS
