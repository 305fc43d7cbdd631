from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ask.listing import (
    Criterion,
    Dated,
    DefinedIn,
    Defines,
    FromSource,
    InFolder,
    ListingQuery,
    Mentions,
    OfClass,
    PointedFrom,
    PointsTo,
    Tagged,
    Takes,
    Titled,
    Untagged,
    listing_query,
)
from askwell.types import PrivacyClass


def asked(question: str) -> ListingQuery:
    query = listing_query(question)
    assert query is not None, question
    return query


@pytest.mark.parametrize(
    ("question", "what", "criteria"),
    [
        ("How many notes are tagged bees?", "note", [Tagged(tag="bees")]),
        ("how many notes have the tag #bees/health", "note", [Tagged(tag="bees/health")]),
        ("list all notes tagged bees and method", "note", [Tagged(tag="bees"), Tagged(tag="method")]),
        ("notes tagged bees", "note", [Tagged(tag="bees")]),
        ("which notes have no tags", "note", [Untagged()]),
        ("list untagged notes", "note", [Untagged()]),
        ("list every script that takes --dry-run", "script", [Takes(flag="--dry-run")]),
        ("Which script accepts the flag -n?", "script", [Takes(flag="-n")]),
        ("which documents mention oxalic acid", "document", [Mentions(text="oxalic acid", sure=False)]),
        ("which documents mention the bilge pump", "document", [Mentions(text="bilge pump", sure=False)]),
        ('how many documents mention "the bilge pump"', "document", [Mentions(text="the bilge pump")]),
        ("Which scripts mention LOCK_WAIT?", "script", [Mentions(text="LOCK_WAIT")]),
        ("which scripts use `flock`", "script", [Mentions(text="flock")]),
        ("in which notes is the word yeast mentioned", "note", [Mentions(text="yeast", sure=False)]),
        (
            "what documents mention salt and rye",
            "document",
            [Mentions(text="salt", sure=False), Mentions(text="rye", sure=False)],
        ),
        (
            "list notes tagged bees that mention oxalic acid",
            "note",
            [Tagged(tag="bees"), Mentions(text="oxalic acid", sure=False)],
        ),
        (
            "list all notes that mention yeast in the bread folder",
            "note",
            [Mentions(text="yeast", sure=False), InFolder(folder="bread")],
        ),
        ("please list all notes in folder boat", "note", [InFolder(folder="boat")]),
        ("how many files are in docs/archive/", "file", [InFolder(folder="docs/archive")]),
        ("list all documents in the source homelab", "document", [FromSource(name="homelab")]),
        ("which notes link to Winter feed?", "note", [PointsTo(name="Winter feed")]),
        ("list all backlinks of [[Winter feed]]", "note", [PointsTo(name="Winter feed")]),
        ("which notes embed Hive weights", "note", [PointsTo(name="Hive weights", by="embed")]),
        ("which scripts call lib/lock.sh", "script", [PointsTo(name="lib/lock.sh", by="call")]),
        ("which notes does Home link to", "note", [PointedFrom(name="Home")]),
        ("list all notes linked from Home", "note", [PointedFrom(name="Home")]),
        ("list all notes with bread in the title", "note", [Titled(text="bread", of="title")]),
        (
            "how many notes were created in 2025",
            "note",
            [Dated(field="created", first="2025-01-01", last="2025-12-31")],
        ),
        ("list notes created before 2023", "note", [Dated(field="created", first="", last="2022-12-31")]),
        ("list notes updated after February 2024", "note", [Dated(field="updated", first="2024-03-01", last="")]),
        (
            "how many notes were created between 2023 and 2024-02",
            "note",
            [Dated(field="created", first="2023-01-01", last="2024-02-29")],
        ),
        ("which settings are defined in share/default.conf", "setting", [DefinedIn(name="share/default.conf")]),
        ("list all settings in .env.example", "setting", [DefinedIn(name=".env.example")]),
        ("which settings does default.conf define", "setting", [DefinedIn(name="default.conf")]),
        ("which documents define LOCK_WAIT", "document", [Defines(name="LOCK_WAIT")]),
        ("how many personal notes are there", "note", [OfClass(class_=PrivacyClass.PERSONAL)]),
        ("how many scripts are there in total", "script", []),
        ("how many notes are in the vault?", "note", []),
        ("which tags are in use", "tag", []),
        ("which files could not be indexed", "failed", []),
        ("how many files were skipped in the last run", "skipped", []),
        ("Wie viele Notizen haben den Tag bees?", "note", [Tagged(tag="bees")]),
        ("welche Notizen sind mit bees getaggt", "note", [Tagged(tag="bees")]),
        ("liste alle Skripte auf, die --dry-run verstehen", "script", [Takes(flag="--dry-run")]),
        ("welche Notizen erwähnen Fredegar", "note", [Mentions(text="Fredegar", sure=False)]),
        ("welche Notizen verlinken auf Winter feed", "note", [PointsTo(name="Winter feed")]),
        ("welche Notizen liegen im Ordner boat", "note", [InFolder(folder="boat")]),
        (
            "welche Notizen wurden 2025 erstellt",
            "note",
            [Dated(field="created", first="2025-01-01", last="2025-12-31")],
        ),
        ("hur många anteckningar är taggade bees", "note", [Tagged(tag="bees")]),
        ("lista alla skript som tar --dry-run", "script", [Takes(flag="--dry-run")]),
        ("bees etiketli kaç not var", "note", [Tagged(tag="bees")]),
        ("hangi belgelerde Fredegar geçiyor", "document", [Mentions(text="Fredegar")]),
    ],
)
def test_a_question_becomes_its_query(question: str, what: str, criteria: list[Criterion]) -> None:
    query = asked(question)
    assert (query.what, list(query.criteria)) == (what, criteria)


@pytest.mark.parametrize(
    ("question", "form", "what"),
    [
        ("list all YAML files", "YAML", "file"),
        ("how many python scripts are there", "Python", "script"),
        ("list all .sh files", ".sh", "file"),
        ("how many `.md` documents are there", ".md", "document"),
        ("liste alle YAML-Dateien auf", "YAML", "file"),
        ("tüm YAML dosyalarını listele", "YAML", "file"),
    ],
)
def test_formats_belong_to_the_noun(question: str, form: str, what: str) -> None:
    query = asked(question)
    assert query.form is not None
    assert (query.form.name, query.what, query.criteria) == (form, what, ())


@pytest.mark.parametrize(
    "question",
    [
        "how many gigabytes must be free on ember before sending begins",
        "how many days are snapshots kept",
        "which variable controls the lock wait",
        "which settings control the mover",
        "which settings should I change",
        "list of ports of service jellyfin",
        "list the scripts that pause things when it gets too hot",
        "which scripts run at night",
        "which script sends the mail",
        "what scripts do I need to run after a power cut",
        "how many scripts do we need",
        "how many files can be open at once",
        "which files are backed up",
        "which files contain secrets",
        "which files must not be edited",
        "which files failed the checksum",
        "how many documents can the scanner hold",
        "which documents mention that the pump is broken",
        "which documents mention how to restore",
        "which document mentions the bilge pump",
        "which note explains the bilge pump",
        "which notes are about bees",
        "list all notes about bees",
        "list everything I have collected about beekeeping",
        "list all entries that carry any of several genres",
        "which pages are trusted and which are not",
        "how many pages has the manual",
        "how many mites per half cup of bees do I have to act on",
        "what tags should I use",
        "name the file that holds the key",
        "show me the backup script",
        "which options does restic have",
        "which notes are not tagged bees",
        "how many files are in /etc/nginx",
        "what documents",
        "which notes",
        "notes about bees",
        "scripts in backup",
        "wie viele Tage werden Snapshots behalten",
        "welche Variable steuert die Sperre",
        "welche Skripte laufen nachts",
        "hur många dagar sparas snapshots",
        "kaç gün saklanıyor",
        "",
        "?",
    ],
)
def test_what_only_looks_like_a_listing_is_none(question: str) -> None:
    assert listing_query(question) is None


def test_the_query_can_be_read() -> None:
    query = asked("how many personal YAML files are tagged bees")
    assert (query.rule, query.described) == ("en:count", "YAML file · of class 'personal' · tagged 'bees'")


WORDS = "list all notes in that mention and tagged which link to the a of 2024 --x created with folder does"


@given(st.text(max_size=400) | st.lists(st.sampled_from(WORDS.split()), max_size=60).map(" ".join))
def test_any_text_is_read_soon(question: str) -> None:
    started = time.perf_counter()
    listing_query(question)
    assert time.perf_counter() - started < 2
