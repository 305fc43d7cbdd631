"""The index file's tables, and what tells it from other databases.

    source ─┬─ document ─┬─ document_text        fault        a file that failed or was held back
            │            ├─ document_tag         boilerplate  texts that stand in many documents
            │            ├─ edge                 note         small named values
            │            └─ chunk ── chunk_text  counter, stamp   generations, identity
            │                  ├──── veil              what an open request may know of it, if less than all
            │                  ├──── text_open, text_all      two text indexes, see `text_index`
            └ space ── vector ┘ by key           vectors of whatever texts were ever embedded and are still there

Texts have tables of their own, so that what is scanned (states, filters, row codes) stays small.
Classes are stored as 0 (open) and 1 (personal). Vectors are float32, little-endian, L2-normalised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.errors import StoreError
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.exceptions import REBUILD
from askwell.terms import ANALYSIS_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

APPLICATION_ID = 0x41736B77
"""`Askw` in the file's header: a database without it is someone else's, and never touched."""

SCHEMA_VERSION = 1
"""A file of another version is refused with the advice to rebuild: the index is derived."""

# Terms come analysed and separated by spaces. The ascii tokenizer takes everything beyond ASCII as part of a
# token; the signs that terms may hold are named. No column's text is kept (content=''), so removal names it again.
_TEXT_INDEX = """
    CREATE VIRTUAL TABLE {name} USING fts5(
        body, prelude, content='', tokenize="ascii tokenchars '-_.,~+#'"
    );
    INSERT INTO {name}({name}, rank) VALUES ('secure-delete', 1);
    INSERT INTO {name}({name}, rank) VALUES ('hashsize', 16777216);
    CREATE VIRTUAL TABLE {name}_terms USING fts5vocab('{name}', 'row');
"""

_VEIL = """
    CREATE TABLE IF NOT EXISTS veil (
        chunk INTEGER PRIMARY KEY, text TEXT NOT NULL, lead TEXT NOT NULL, prelude TEXT NOT NULL
    );
"""

TEXT_INDEXES = ("text_open", "text_all")

_TABLES = """
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counter VALUES ('generation', 1), ('rows', 1);
    CREATE TABLE stamp (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO stamp VALUES ('index', lower(hex(randomblob(16))));
    CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE source (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, type TEXT NOT NULL, root TEXT NOT NULL,
        last_run TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE document (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, source INTEGER NOT NULL, path TEXT NOT NULL,
        title TEXT NOT NULL, kind TEXT NOT NULL, class INTEGER NOT NULL, format TEXT NOT NULL,
        metadata TEXT NOT NULL, sensitivity TEXT, sensitivity_fault INTEGER NOT NULL, content TEXT NOT NULL,
        change_key TEXT NOT NULL, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
        anchors TEXT NOT NULL, defines TEXT NOT NULL, day TEXT NOT NULL, chunks INTEGER NOT NULL,
        lines INTEGER NOT NULL, indexed_at TEXT NOT NULL
    );
    CREATE INDEX document_by_path ON document (path, source);
    CREATE TABLE document_text (document INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE document_tag (document INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (document, tag)) WITHOUT ROWID;
    CREATE TABLE chunk (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, document INTEGER NOT NULL,
        source INTEGER NOT NULL, class INTEGER NOT NULL, kind TEXT NOT NULL, section_key TEXT NOT NULL,
        text_hash TEXT NOT NULL, text_key TEXT NOT NULL, vector_key TEXT, boilerplate INTEGER NOT NULL,
        marked INTEGER NOT NULL, ordinal INTEGER NOT NULL, span_start INTEGER NOT NULL, span_end INTEGER NOT NULL,
        line_first INTEGER NOT NULL, line_last INTEGER NOT NULL, section TEXT NOT NULL, headings TEXT NOT NULL
    );
    CREATE INDEX chunk_by_document ON chunk (document, ordinal);
    CREATE INDEX chunk_by_section ON chunk (section_key);
    CREATE INDEX chunk_by_text_hash ON chunk (text_hash);
    CREATE INDEX chunk_by_text_key ON chunk (text_key);
    CREATE INDEX chunk_by_vector_key ON chunk (vector_key, class);
    CREATE TABLE chunk_text (
        chunk INTEGER PRIMARY KEY, text TEXT NOT NULL, lead TEXT NOT NULL, prelude TEXT NOT NULL,
        embed_text TEXT NOT NULL
    );
    CREATE TABLE boilerplate (text_key TEXT PRIMARY KEY, class INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE edge (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL,
        fragment TEXT NOT NULL, alias TEXT NOT NULL, line INTEGER NOT NULL, target_document INTEGER
    );
    CREATE INDEX edge_by_document ON edge (document);
    CREATE INDEX edge_by_target ON edge (target_document) WHERE target_document IS NOT NULL;
    CREATE TABLE fault (
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, status TEXT NOT NULL,
        class INTEGER NOT NULL
    );
    CREATE INDEX fault_by_source ON fault (source);
    CREATE TABLE space (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, probe BLOB, current INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE vector (id INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, key TEXT NOT NULL,
        value BLOB NOT NULL);
    CREATE UNIQUE INDEX vector_by_key ON vector (space, key);
"""


def create(db: apsw.Connection) -> None:
    """Make an empty index in a database without tables. Must be called inside a transaction."""
    select(db, _TABLES)
    upgrade(db)
    create_text_indexes(db)
    select(db, f"PRAGMA application_id = {APPLICATION_ID}")
    select(db, f"PRAGMA user_version = {SCHEMA_VERSION}")


def upgrade(db: apsw.Connection) -> None:
    """Add what an index of this format may lack because it was made before."""
    select(db, _VEIL)


def create_text_indexes(db: apsw.Connection) -> None:
    """Make both text indexes, empty, and note by which analysis they will be filled."""
    for name in TEXT_INDEXES:
        select(db, _TEXT_INDEX.format(name=name))
    select(db, "INSERT OR REPLACE INTO stamp VALUES ('analysis', ?)", (ANALYSIS_VERSION,))


def drop_text_indexes(db: apsw.Connection) -> None:
    """Remove both text indexes with all that is in them."""
    for name in TEXT_INDEXES:
        select(db, f"DROP TABLE IF EXISTS {name}_terms; DROP TABLE IF EXISTS {name}")


def is_empty(db: apsw.Connection) -> bool:
    """Return whether a database holds nothing at all, so that an index may be made in it."""
    return not select(db, "SELECT 1 FROM sqlite_schema LIMIT 1") and _pragma(db, "application_id") == 0


def verify(db: apsw.Connection, path: Path) -> None:
    """Check that a database is an index that this version reads.

    Raises:
        StoreError: it is another program's database, or an index of another version.
    """
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise StoreError(
            f"{str(path)!r} is a database, but not an Askwell index",
            hint="name another file with `--index`; this one was not touched",
        )
    version = _pragma(db, "user_version")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"the index {str(path)!r} has format {version}, this version of Askwell reads format {SCHEMA_VERSION}",
            hint=REBUILD,
        )


def _pragma(db: apsw.Connection, name: str) -> int:
    value = db.pragma(name)
    return value if isinstance(value, int) else 0
