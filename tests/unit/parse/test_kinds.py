from __future__ import annotations

import pytest

from askwell.parse.kinds import kind_of
from askwell.types import Kind, SourceType


@pytest.mark.parametrize(
    ("path", "format", "source", "kind"),
    [
        ("README.md", "markdown", SourceType.GIT, Kind.README),
        ("net/README-network.md", "markdown", SourceType.VAULT, Kind.README),
        ("readmes/notes.md", "markdown", SourceType.GIT, Kind.DOC),
        ("Manual-pump.md", "markdown", SourceType.GIT, Kind.MANUAL),
        ("manually.md", "markdown", SourceType.GIT, Kind.DOC),
        ("man/well.md", "markdown", SourceType.GIT, Kind.MANUAL),
        ("doc/well.8", "text", SourceType.GIT, Kind.MANUAL),
        ("plugin/pages/readme/pump.md", "markdown", SourceType.GIT, Kind.UI),
        ("Garden/Well.md", "markdown", SourceType.VAULT, Kind.NOTE),
        ("Garden/Well.md", "markdown", SourceType.LIVESYNC, Kind.NOTE),
        ("docs/well.rst", "rst", SourceType.GIT, Kind.DOC),
        ("conf/all.conf.template", "template", SourceType.GIT, Kind.TEMPLATE),
        ("values.yaml.example", "yaml", SourceType.FOLDER, Kind.TEMPLATE),
        ("a.toml", "template", SourceType.FOLDER, Kind.TEMPLATE),
        ("compose.yml", "yaml", SourceType.FOLDER, Kind.DATA),
        ("a.json", "json", SourceType.VAULT, Kind.DATA),
        ("bin/water", "script", SourceType.GIT, Kind.HEADER),
        ("tool.py", "python", SourceType.GIT, Kind.CODE),
    ],
)
def test_the_built_in_rules(path: str, format: str, source: SourceType, kind: Kind) -> None:  # noqa: A002
    assert kind_of(path, format=format, source_type=source) is kind


def test_patterns_of_the_config_come_first() -> None:
    patterns = [("help/**", Kind.UI), ("*.md", Kind.MANUAL)]
    assert kind_of("help/README.md", patterns=patterns, format="markdown", source_type=SourceType.GIT) is Kind.UI
    assert kind_of("README.md", patterns=patterns, format="markdown", source_type=SourceType.GIT) is Kind.MANUAL
