"""One question set under one configuration: its index made ready, every question asked, everything scored."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli import collection, fresh, options
from askwell.config import find_file, load
from askwell.errors import BadRequest

if TYPE_CHECKING:
    import argparse

    from askwell.engine import Engine
    from askwell.eval.outcome import Outcome
    from askwell.eval.run import Report
    from askwell.eval.sets import QuestionSet
    from askwell.settings import Config
    from askwell.types import Audience, Filter

_DIFFERENT = "write each one's rankings with `--run-out FILE`, then compare those with `--run-in A --run-in B`"


def config_for(
    args: argparse.Namespace, one: QuestionSet, *, variant: str = "", beside: Config | None = None
) -> Config:
    """Return the configuration that a set is scored under.

    Args:
        args: The command line.
        one: The set: its own source goes before `--source`.
        variant: A file of settings instead of the one found, or one more `SECTION.KEY=VALUE`.
        beside: The other side of a comparison: a collection is searched in that one's index.

    Raises:
        ConfigError: a setting is wrong.
        BadRequest: `--set` without a value.
    """
    file, assigned = args.config, list(args.set)
    if variant and "=" in variant and not Path(variant).exists():
        assigned.append(variant)
    elif variant:
        file = variant
    flags: dict[str, object] = {"store.url": args.index} if args.index else {}
    for text in assigned:
        setting, equals, value = text.partition("=")
        if not equals:
            raise BadRequest(f"`--set` got {text!r}", hint="write it as SECTION.KEY=VALUE, `retrieval.per_document=3`")
        flags[setting.strip()] = value.strip()
    sources = [one.source] if one.source else args.source
    environ = os.environ
    config = load(file=find_file(explicit=file, environ=environ), environ=environ, sources=sources, flags=flags)
    if one.collection is None or sources:
        return config
    url = beside.store.url if beside else args.index or str(collection.cached(config, one.collection))
    return replace(config, sources=(), store=replace(config.store, url=url))


def check_comparable(a: Config, b: Config, *, names: tuple[str, str]) -> None:
    """Make sure that two configurations search the same index, so that a difference is the settings' own.

    Raises:
        BadRequest: something that shapes the index differs; it is named.
    """
    shaping: dict[str, tuple[object, object]] = {}
    for section in ("index", "privacy"):
        for item in fields(getattr(a, section)):
            values = (getattr(getattr(a, section), item.name), getattr(getattr(b, section), item.name))
            shaping[f"{section}.{item.name}"] = values
    shaping["source"] = ([one.path for one in a.sources], [one.path for one in b.sources])
    if "none" not in (a.models.embedding, b.models.embedding):
        shaping["models.embedding"] = (a.models.embedding, b.models.embedding)
        shaping["models.embedding_url"] = (a.models.embedding_url, b.models.embedding_url)
    for setting in ("index.wait", "privacy.allow_cloud"):  # of a run, not of what it makes
        del shaping[setting]
    shaping["store.url"] = (a.store.url, b.store.url)
    for setting, (one, other) in shaping.items():
        if one != other:
            raise BadRequest(
                f"the two settings do not search the same index: `{setting}` is {one!r} in {names[0]} "
                f"and {other!r} in {names[1]}",
                hint=_DIFFERENT,
            )


def check_same_documents(a: Outcome, b: Outcome) -> None:
    """Make sure that both sides saw the same documents.

    Raises:
        BadRequest: they did not; says how many differ.
    """
    if differ := len({*a.documents} ^ {*b.documents}):
        raise BadRequest(f"the two sides searched different documents: {differ} are in one index only", hint=_DIFFERENT)


def run_trial(args: argparse.Namespace, one: QuestionSet, config: Config) -> Outcome:
    """Make the index ready and score the set.

    Raises:
        AskwellError: the index cannot be built or read, or a model refuses.
    """
    from askwell import compose

    own = one.collection if not config.sources else None
    if own is not None:
        collection.index(config, own, name=one.name)
    engine = compose.engine(config)
    try:
        if own is not None:
            engine.known_sources = frozenset((one.name,))
        else:
            fresh.ready(engine, config, open_only=args.open_only)
        return _scored(args, one, engine, options.audience_of(args, config), config)
    finally:
        engine.close()


def _scored(args: argparse.Namespace, one: QuestionSet, engine: Engine, audience: Audience, config: Config) -> Outcome:
    from askwell.engine import Request
    from askwell.eval.answers import cited
    from askwell.eval.outcome import Outcome
    from askwell.eval.run import DEEP_HITS, HITS, evaluate

    hits = args.k or (DEEP_HITS if one.graded else HITS)
    request = Request(question="", audience=audience, k=hits)
    documents = [(info.source, info.path) for info in engine.documents(audience=audience)]
    report = evaluate(
        one.questions,
        rank=lambda question: engine.search(replace(request, question=question)),
        refused=engine.gate,
        evidence=engine.covered,
        known=lambda: documents,
        clock=engine.clock,
    )
    citations = None
    if args.answers:
        seen = options.audience_of(args, config, destination=engine.destination())
        asked = Request(question="", audience=seen, k=config.retrieval.k)
        citations = cited(one.questions, lambda question: engine.ask(replace(asked, question=question)))
    space = engine.store.space()
    return Outcome(
        set=one,
        report=report,
        arms=_by_arm(one, engine, request.visible(engine.known_sources), hits) if args.arms or args.plot else {},
        citations=citations,
        documents=documents,
        space=space[0] if space and engine.vectors else "",
        hits=hits,
    )


def _by_arm(one: QuestionSet, engine: Engine, visible: Filter, hits: int) -> dict[str, Report]:
    from askwell.eval.arms import by_arm

    embedder = engine.embedder() if engine.vectors and engine.store.space() else None
    found = by_arm(
        one.questions, store=engine.store, embedder=embedder, visible=visible, depth=3 * hits, clock=engine.clock
    )
    return {arm.value: report for arm, report in found.items()}
