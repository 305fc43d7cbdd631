"""Examines settings, sources, index and models one by one; a fault in one hides no other."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell import compose
from askwell.compose.models import NO_VECTORS, make_embedder, make_generator
from askwell.compose.rerank import make_reranker
from askwell.compose.sources import bind_sources
from askwell.errors import AskwellError, IndexMissing, SourceError
from askwell.privacy import EVERYTHING, idle_patterns
from askwell.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from askwell.engine import BoundSource
    from askwell.settings import Config

LOW_DISK = 500_000_000
"""Free bytes below which an index run may fail half-way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at and what was found."""

    name: str
    result: Literal["ok", "warn", "fail"]
    detail: str
    hint: str = ""


def examine(config: Config, *, environ: Mapping[str, str] = os.environ) -> tuple[Check, ...]:
    """Return every check's outcome, in the order a person would look."""
    return (
        *_sources(config),
        *_index(config, environ),
        *_embedder(config, environ),
        *_reranker(config, environ),
        *_generator(config, environ),
        *_records(config, environ),
        *_web(config, environ),
    )


def _failed(name: str, error: AskwellError) -> Check:
    return Check(name=name, result="fail", detail=str(error), hint=error.hint)


def _sources(config: Config) -> Iterator[Check]:
    try:
        bound = bind_sources(config, embedder=lambda: None)
    except AskwellError as error:
        yield _failed("sources", error)
        return
    if not bound:
        yield Check(name="sources", result="warn", detail="none configured", hint="`askwell add FOLDER` adds one")
    paths: list[str] = []
    for one in bound:
        yield _source(one, paths)
    if bound:
        for pattern, near in idle_patterns(bound[0].rules.classes, paths):
            yield Check(
                name="privacy.personal",
                result="warn",
                detail=f"`{pattern}` matches no document",
                hint=f"{near!r} differs from it in case only" if near else "check its spelling: it protects nothing",
            )


def _source(one: BoundSource, paths: list[str]) -> Check:
    name = f"source {one.source.name}"
    try:
        listing = one.source.list()
    except SourceError as error:
        return _failed(name, error)
    paths += [entry.path for entry in listing.entries] + [skip.path for skip in listing.skipped]
    detail = (
        f"{one.source.type.value} at {one.root}: {len(listing.entries)} documents, {len(listing.skipped)} held back"
    )
    if listing.incomplete:
        return Check(name=name, result="warn", detail=f"{detail}; {listing.incomplete}")
    return Check(name=name, result="ok" if listing.entries else "warn", detail=detail)


def _index(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        path = compose.index_path(config, environ=environ)
        store = compose.open_store(path)
    except IndexMissing as error:
        yield Check(name="index", result="warn", detail=str(error), hint=error.hint)
        return
    except AskwellError as error:
        yield _failed("index", error)
        return
    try:
        visible = Filter(classes=EVERYTHING)
        vectors, pending = store.vector_counts(visible=visible)
        space = store.space()
        waiting = 0 if config.models.embedding == NO_VECTORS else pending
        yield Check(
            name="index",
            result="ok",
            detail=f"{path}: {len(store.states())} documents, {vectors} chunks with a vector, "
            f"{waiting} waiting, {space[0] if space else 'no embedding space yet'}",
        )
        if failed := [fault for fault in store.faults(visible=visible) if fault.status == "failed"]:
            yield Check(name="files", result="warn", detail=f"{len(failed)} failed", hint="`askwell status` names each")
        yield from _space(config, environ, stored=space[0] if space else "")
    except AskwellError as error:
        yield _failed("index", error)
    finally:
        store.close()
    yield _disk(path)


def _space(config: Config, environ: Mapping[str, str], *, stored: str) -> Iterator[Check]:
    try:
        model = make_embedder(config.models, environ)
    except AskwellError:
        return  # told by the check of the model itself
    if model is not None and stored and model.space != stored:
        yield Check(
            name="embedding space",
            result="fail",
            detail=f"the index holds vectors of {stored!r}, the configured model is {model.space!r}",
            hint="run `askwell index --rebuild`, or set `models.embedding` back",
        )


def _disk(path: Path) -> Check:
    folder = path.parent
    free = shutil.disk_usage(folder).free
    if not os.access(folder, os.W_OK):
        return Check(
            name="disk", result="warn", detail=f"{folder} cannot be written", hint="searching works, indexing not"
        )
    result: Literal["ok", "warn"] = "ok" if free >= LOW_DISK else "warn"
    return Check(name="disk", result=result, detail=f"{free // 1_000_000} MB free at {folder}")


def _embedder(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        model = make_embedder(config.models, environ)
        if model is None:
            yield Check(name="embedding", result="warn", detail="off: search goes by words alone")
            return
        width = len(model.embed_query("how wide is a vector"))
        yield Check(
            name="embedding",
            result="ok",
            detail=f"{model.space}: {width} dimensions, window of {model.max_tokens} tokens, {model.trust}",
        )
    except AskwellError as error:
        yield _failed("embedding", error)


def _reranker(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        model = make_reranker(config.models, environ)
        if model is not None:
            fit, unfit = model.rerank("how large is the pond", ["the pond is three metres wide", "bread and salt"])
            detail = f"{config.models.rerank} answers, {model.trust}"
            if fit > unfit:
                yield Check(name="rerank", result="ok", detail=detail)
            else:
                hint = "check that it is a reranker, and the form that its server speaks"
                yield Check(name="rerank", result="warn", detail=f"{detail}, and prefers the wrong text", hint=hint)
    except AskwellError as error:
        yield _failed("rerank", error)


def _generator(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    from askwell.ports import Message

    try:
        model = make_generator(config.models, environ)
        if model is None:
            yield Check(name="generation", result="ok", detail="none: answers are verbatim extracts")
            return
        generation = model.stream([Message("user", "Reply with one word.")])
        try:
            next(iter(generation), "")
        finally:
            generation.close()
        yield Check(name="generation", result="ok", detail=f"{model.name} answers, {model.trust}")
    except AskwellError as error:
        yield _failed("generation", error)


def _web(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    """Look at who would search the web; nobody is asked, because that would leave the machine."""
    from askwell.compose.web import make_web

    try:
        search = make_web(config, environ=environ)
    except AskwellError as error:
        yield _failed("web", error)
        return
    detail = (
        f"{config.web.provider}, asked for questions with `--web`" if search is not None else "none: nobody is asked"
    )
    yield Check(name="web", result="ok", detail=detail)


def _records(config: Config, environ: Mapping[str, str]) -> Iterator[Check]:
    """Look at where records go without making anything there."""
    from askwell.compose.records import folder, make_records

    try:
        records = make_records(config, environ=environ)
    except AskwellError as error:
        yield _failed("records", error)
        return
    if records is None:
        yield Check(name="records", result="ok", detail="off: nothing is kept of questions and answers")
        return
    place = folder(config, environ=environ)
    there = next(path for path in (place, *place.parents) if path.exists())
    if records.misplaced:
        hint = "set `records.path` to a folder outside of every source"
        yield Check(name="records", result="fail", detail=f"{place} lies inside of a source", hint=hint)
    elif not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        hint = "check the permissions, or set `records.path`; answers come all the same"
        yield Check(name="records", result="fail", detail=f"{place} cannot be written", hint=hint)
    else:
        yield Check(name="records", result="ok", detail=str(place))
