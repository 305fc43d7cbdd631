"""The index as one SQLite file, with a memory-mapped copy of its vectors beside it.

Importing this package imports apsw and the standard library; numpy comes with the first vector.
"""

from askwell.stores.sqlite.opening import open_store, remove_index
from askwell.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore", "open_store", "remove_index"]
