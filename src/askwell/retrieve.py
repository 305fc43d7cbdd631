"""From a question and what may be seen to a ranking.

    question → lexical arm ┐
             → vector arm  ┴→ fusion → words → documents → boost → embeds, graph ┐
                   ↑                                                             │
                   │                    cut ← rerank ← cap ← same text ← twins ──┘
                   └── deeper, where one document filled the arms ──┘

Everything that reads the index is handed `visible`; every arm filters before it cuts. Nothing is generated.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.arms import Timer, aim
from askwell.errors import BadRequest, ModelRefused, ModelUnavailable
from askwell.evidence import signals
from askwell.explain import why_not
from askwell.neighbours import cited_hits, embedded_hits, hit_of, linked_hits
from askwell.places import with_places
from askwell.rank.boost import boost
from askwell.rank.diversity import Page, cap_per_document, collapse, one_language, twins
from askwell.rank.documents import with_documents
from askwell.rank.expand import within_quota
from askwell.rank.fusion import RRF_C, Fused, FusionName, floor_of, fuse
from askwell.rank.intents import Intent, intents_of
from askwell.rank.language import language_of
from askwell.rank.rerank import joined, reordered
from askwell.terms import content_words, index_terms, query_terms
from askwell.types import Arm, Filter, Ranking, Removed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import Embedder, Reranker, Store
    from askwell.types import Chunk, Hit

MOST = 1000
"""Largest number of hits that one request may ask for."""

DEEPER = 4
"""By how much the arms' depth grows when a document or a text filled it."""

ROUNDS = 3
"""How often the arms are asked before the cap per document gives way."""

NAMED = 2.0
"""Factor on the lexical arm's weight where the question is, or contains, a name."""

EXPECTED_DEPTH = 1000
"""How far down a document that the reader expected is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """How candidates are found and put in order.

    Measured: docs/measurements/0001-fusion.md (weights, boosts, graph), 0030-retrieval-trials.md (fusion, documents),
    0040-reranking.md (words, reranking).
    """

    depth: int = 100  # candidates an arm is asked for
    considered: int = 60  # fused candidates that are read, compared word by word and put in order
    words: float = 0.3  # weight of that comparison, where the arms have 1 together; 0 leaves it out
    fusion: FusionName = "blend"
    c: float = RRF_C  # of `rrf` alone
    weights: Mapping[Arm, float] = field(default_factory=lambda: {Arm.LEXICAL: 0.5, Arm.VECTOR: 0.5})
    boosts: bool = True
    per_document: int = 2
    expansion: bool = False  # topic notes and their members
    quota: int = 2  # most places for hits that only a link brought in
    embeds: bool = True  # what a hit shows of another document
    language: str = ""  # the reader's, a two-letter code, where a page has translations
    rerank_depth: int = 16  # hits that a reranker reads
    rerank_weight: float | None = None  # of its ranking beside the scores; None gives it the last word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidates:
    """Every candidate, in order, before the cut to k."""

    hits: tuple[Hit, ...]
    spare: tuple[Removed, ...]  # what only the cap per document took out, best first
    removed: tuple[Removed, ...]

    def filled(self, k: int) -> _Candidates:
        """Return as many spare hits put back, after the others, as `k` leaves room for."""
        room = max(0, k - len(self.hits))
        back = (
            one.hit.moved(one.hit.score, "more of its document than usual, for want of others") for one in self.spare
        )
        return replace(
            self,
            hits=(*self.hits, *list(back)[:room]),
            spare=(),
            removed=(*self.removed, *self.spare[room:]),
        )


def retrieve(
    question: str,
    *,
    store: Store,
    embedder: Embedder | None,
    visible: Filter,
    settings: RetrievalSettings,
    k: int = 8,
    matcher: Reranker | None = None,
    reranker: Reranker | None = None,
    clock: Callable[[], float],
    expected: str | None = None,
    cited: Sequence[DocumentId] = (),
) -> Ranking:
    """Return the `k` best chunks for a question, with the evidence and every step that moved or removed one.

    Where the arms found `k` permitted chunks of different text, `k` come back: the cap per document gives way
    before places stay empty.

    Args:
        question: As typed. Nothing in it is an operator.
        store: The index.
        embedder: None where vectors are off.
        visible: What may be seen; hard.
        settings: How to rank.
        k: Most hits, from 1 to 1000.
        matcher: Compares the words of the question with those of each candidate; quick, None leaves it out.
        reranker: Reads the best candidates again where there is one. One that is away is a missing arm.
        clock: Seconds, monotonic; for the timings alone.
        expected: A path that the reader thinks should be here; `Ranking.why_not` then says why it is not.
        cited: Documents that the turn before cited, which stay candidates.

    Returns:
        A ranking without hits where nothing matches. `missing_arms` says why an arm did not take part.

    Raises:
        BadRequest: nothing to search for, or `k` out of range.
        EmbeddingSpaceChanged: the index holds vectors of another model.
    """
    if not 1 <= k <= MOST:
        raise BadRequest(f"the number of hits must be from 1 to {MOST}, not {k}", hint="give `-k` another number")
    if not any(character.isalnum() for character in question):
        raise BadRequest("nothing to search for", hint="ask with at least one word or number")
    timer = Timer(clock)
    intents = intents_of(question)
    arms = aim(question, store=store, embedder=embedder, visible=visible)
    timer.lap("embed")
    weights = _weights(settings, intents)
    depth, most = max(settings.depth, 3 * k), max(settings.considered, 4 * k)
    for left in range(ROUNDS - 1, -1, -1):
        found = arms.search(depth, timer=timer)
        floors = {arm: floor_of(arm, full=len(ranking) == depth) for arm, ranking in found.items()}
        fused = fuse(found, by=settings.fusion, weights=weights, floors=floors, c=settings.c)
        candidates = _candidates(
            question, fused[:most], intents, cited, matcher, store=store, visible=visible, settings=settings, k=k
        )
        timer.lap("rank")
        exhausted = all(len(ranking) < depth for ranking in found.values()) and len(fused) <= most
        if len(candidates.hits) >= k or exhausted or not left:
            break
        depth, most = depth * DEEPER, most * DEEPER
    candidates = candidates.filled(k)
    hits, away = _reranked(question, candidates.hits, reranker, settings)
    if reranker is not None:
        timer.lap("rerank")
    hits, cut = within_quota(hits, k=k, quota=settings.quota)
    hits = with_places(hits, store=store, visible=visible)
    evidence = signals(question, hits, found.get(Arm.VECTOR), store=store, visible=visible)
    timer.lap("evidence")
    ranking = Ranking(
        question=question,
        hits=hits,
        signals=evidence,
        missing_arms={**arms.missing, Arm.RERANK: away} if away else arms.missing,
        warnings=(arms.warning,) if arms.warning else (),
        removed=(*candidates.removed, *cut),
        intents=tuple(intent.value for intent in intents),
        timings=timer.laps,
    )
    if expected is None:
        return ranking
    deep = arms.search(EXPECTED_DEPTH, timer=timer)
    return replace(
        ranking, why_not=why_not(expected, ranking=ranking, found=deep, depth=depth, store=store, visible=visible)
    )


def _weights(settings: RetrievalSettings, intents: Sequence[Intent]) -> Mapping[Arm, float]:
    """Return the arms' weights; a name counts by its letters, and what is near in meaning to it is a guess."""
    if Intent.NAME not in intents:
        return settings.weights
    return {**settings.weights, Arm.LEXICAL: NAMED * settings.weights.get(Arm.LEXICAL, 1.0)}


def _candidates(
    question: str,
    fused: Sequence[Fused[ChunkId]],
    intents: Sequence[Intent],
    cited: Sequence[DocumentId],
    matcher: Reranker | None,
    *,
    store: Store,
    visible: Filter,
    settings: RetrievalSettings,
    k: int,
) -> _Candidates:
    """Return the fused candidates after the comparison of words, boosts, expansion and diversity."""
    read = store.hits([one.id for one in fused], visible=visible) if fused else {}
    hits: tuple[Hit, ...] = tuple(
        hit_of(*read[one.id], score=one.score, sightings=one.sightings) for one in fused if one.id in read
    )
    pages = {
        chunk.document_id: Page(source=info.source, path=info.path, permalink=info.metadata.permalink, kind=info.kind)
        for chunk, info in read.values()
    }
    parts = {one.id: one.parts for one in fused}
    if matcher is not None and settings.words and hits:
        relevances = matcher.rerank(question, [_passage(hit) for hit in hits[: settings.considered]])
        hits, added = joined(hits, relevances, arm=Arm.WORDS, weight=settings.words, by=settings.fusion, c=settings.c)
        parts |= {id: {**parts[id], **part} for id, part in added.items()}
    hits = with_documents(hits, parts)
    if settings.boosts:
        hits = boost(hits, intents, subject=content_words(question))
    hits = _expanded(question, hits, cited, store=store, visible=visible, settings=settings, k=k)
    groups = twins(pages)
    translated = one_language(hits, groups, languages=(language_of(question), settings.language))
    distinct = collapse(translated.hits, {})
    capped = cap_per_document(distinct.hits, settings.per_document, groups=groups)
    return _Candidates(hits=capped.hits, spare=capped.removed, removed=(*translated.removed, *distinct.removed))


def _expanded(
    question: str,
    hits: tuple[Hit, ...],
    cited: Sequence[DocumentId],
    *,
    store: Store,
    visible: Filter,
    settings: RetrievalSettings,
    k: int,
) -> tuple[Hit, ...]:
    """Return `hits` with what they embed, what was cited before and, where it is on, their neighbours in the graph."""
    if not hits or not settings.quota:
        return hits
    best = hits[:k]
    extra: tuple[Hit, ...] = ()
    if settings.embeds:
        extra = embedded_hits(best, store=store, visible=visible)
    if cited:
        wanted = frozenset(content_words(question))
        extra += cited_hits(
            cited,
            best=max(hit.score for hit in hits),
            store=store,
            visible=visible,
            matches=lambda chunk: _share(chunk, wanted),
        )
    if settings.expansion:
        terms = frozenset(query_terms(question))
        extra += linked_hits(
            best, store=store, visible=visible, matches=lambda chunk: _overlap(chunk, terms), limit=2 * settings.quota
        )
    if not extra:
        return hits
    have = {hit.chunk.id: hit for hit in hits}
    for hit in extra:
        known = have.get(hit.chunk.id)
        if known is None:
            have[hit.chunk.id] = hit
        elif hit.score > known.score:
            have[hit.chunk.id] = replace(
                known.moved(hit.score, *hit.moves), sightings=(*known.sightings, *hit.sightings)
            )
    return tuple(sorted(have.values(), key=lambda hit: -hit.score))


def _overlap(chunk: Chunk, terms: Collection[str]) -> float:
    return float(len(frozenset(index_terms(chunk.text)) & frozenset(terms)))


def _share(chunk: Chunk, words: Collection[str]) -> float:
    """Return the share of `words` that a chunk holds, what stands above it included."""
    held = frozenset(index_terms(f"{chunk.prelude}\n{chunk.text}"))
    return len(held & frozenset(words)) / len(words) if words else 0.0


def _passage(hit: Hit) -> str:
    """Return what a model reads of a hit. Made of what is shown, so that nothing veiled takes part."""
    names = [hit.title, *hit.chunk.headings]
    above = " > ".join(name for at, name in enumerate(names) if name and (not at or name != names[at - 1]))
    return "\n".join(part for part in (above, hit.chunk.lead, hit.chunk.text) if part)


def _reranked(
    question: str, hits: tuple[Hit, ...], reranker: Reranker | None, settings: RetrievalSettings
) -> tuple[tuple[Hit, ...], str]:
    """Return the hits with the first ones put in order by the reranker, and why it did not run if it did not."""
    head = hits[: settings.rerank_depth]
    if reranker is None or not head:
        return hits, ""
    try:
        relevances = reranker.rerank(question, [_passage(hit) for hit in head])
    except (ModelUnavailable, ModelRefused) as error:
        return hits, str(error)
    if settings.rerank_weight is None:
        return reordered(hits, relevances, arm=Arm.RERANK), ""
    moved, _ = joined(hits, relevances, arm=Arm.RERANK, weight=settings.rerank_weight, by=settings.fusion, c=settings.c)
    return moved, ""
