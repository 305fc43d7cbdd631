"""Lists an Obsidian vault: notes anywhere in its folder; the application's own folders and the trash never."""

from __future__ import annotations

from askwell.sources.folder import FolderSource
from askwell.types import SourceType

SETTINGS_FOLDER = ".obsidian"
"""What makes a folder a vault."""


class VaultSource(FolderSource):
    """An Obsidian vault, by the rules of a folder. `.obsidian` and `.trash` are hidden folders, so never entered."""

    @property
    def type(self) -> SourceType:
        """How it is listed."""
        return SourceType.VAULT
