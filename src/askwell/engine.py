"""Holds the ports; sync, search, read, ask, describe. Every adapter's only door.

What a request may see is an `Audience`, fixed by the caller before it calls; here it becomes the `Filter` that
every read of the index takes. Nothing below this module can widen it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from askwell.errors import BadRequest, ModelUnavailable, PrivacyError, StoreError
from askwell.privacy import EVERYTHING, RULES_NOTE
from askwell.types import Arm, Filter, Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Generator as Stream

    from askwell.answer import AnswerSettings
    from askwell.ids import DocumentId
    from askwell.listing import Listed
    from askwell.planning import Plan
    from askwell.ports import DocumentInfo, Embedder, Fault, Generator, Records, Reranker, Source, SourceInfo, Store
    from askwell.ports.web import WebSearch
    from askwell.privacy import ClassRules
    from askwell.retrieve import RetrievalSettings
    from askwell.rules import Rules
    from askwell.standing import Place, Standing
    from askwell.surroundings import Surroundings, Topic
    from askwell.types import Audience, Document, Event, Kind, Observations, Ranking, Reference, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundSource:
    """A source with the rules that its documents are prepared by."""

    source: Source
    rules: Rules
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question and the hard conditions on what may answer it."""

    question: str
    audience: Audience
    k: int = 8
    sources: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    sections: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    after: str = ""
    before: str = ""
    profile: Profile | None = None  # None for the configured default
    history: tuple[Turn, ...] = ()  # earlier turns of the conversation, oldest first
    log: str = ""  # path of a log that the asker names; it is read if the profile and the audience may

    def visible(self, configured: frozenset[str]) -> Filter:
        """Return the filter for every read of this request; without sources of its own it sees the configured ones."""
        return Filter(
            classes=self.audience.classes,
            sources=self.sources or configured,
            kinds=self.kinds,
            sections=self.sections,
            paths=self.paths,
            tags=self.tags,
            after=self.after,
            before=self.before,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the index holds, within an audience."""

    sources: tuple[SourceInfo, ...]
    faults: tuple[Fault, ...]
    vectors: int
    pending: int
    space: str
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Engine:
    """One index, its sources and its models, opened when first needed.

    Attributes:
        open_store: Opens the index for reading; raises IndexMissing where there is none.
        make_embedder, make_generator: Builds the model, or returns None where vectors are off or answers are extracts.
        clock: Seconds, monotonic.
        vectors, embedding: Whether there is an embedder, and where texts go to be embedded, told without building it.
        make_matcher: Returns what compares words with each candidate; None where that is off.
        make_reranker: Returns the reranker, the same each time, or None; `reranking`: where texts go to be reranked.
        profile: The one that answers where a request names none.
        classes: The rules in force, which may be newer than the index's classes; None trusts the index.
        records: Where each question and what it cost is noted; None notes nothing.
        observe: Reads a named log, or none, with the records and settings that are read at query time; None reads none.
    """

    sources: tuple[BoundSource, ...]
    open_store: Callable[[], Store]
    make_embedder: Callable[[], Embedder | None]
    make_generator: Callable[[], Generator | None]
    retrieval: Callable[[], RetrievalSettings]
    answering: Callable[[], AnswerSettings]
    clock: Callable[[], float]
    allow_cloud: bool = False
    profile: Profile = Profile.DOCS
    known_sources: frozenset[str] = frozenset()
    vectors: bool = True
    embedding: Literal["local", "cloud"] = "local"
    make_matcher: Callable[[], Reranker] | None = None
    make_reranker: Callable[[], Reranker | None] | None = None
    reranking: Literal["local", "cloud"] = "local"
    classes: ClassRules | None = None
    records: Records | None = None
    web: WebSearch | None = None  # asked where a question allows it and the documents do not suffice
    observe: Callable[[str, frozenset[Reference]], Observations] | None = None
    _store: Store | None = None
    _embedder: list[Embedder | None] = field(default_factory=list)  # empty until it was built
    _generator: list[Generator | None] = field(default_factory=list)
    _space_checked: str | None = None  # the space that the embedder was compared with; another run may change it
    _rules_checked: str | None = None  # the index's note of its rules, once it was found to be harmless

    @property
    def store(self) -> Store:
        """The open index.

        Raises:
            IndexMissing, StoreError: it cannot be opened.
        """
        if self._store is None:
            from askwell.veil import VeiledStore

            self._store = VeiledStore(self.open_store())
        return self._store

    def close(self) -> None:
        """Release the index. Idempotent."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def embedder(self) -> Embedder | None:
        """Return the embedder, built once."""
        if not self._embedder:
            self._embedder.append(self.make_embedder())
        return self._embedder[0]

    def generator(self) -> Generator | None:
        """Return the chat model, built once."""
        if not self._generator:
            self._generator.append(self.make_generator())
        return self._generator[0]

    def destination(self, *, answering: bool = True) -> Literal["local", "cloud"]:
        """Return where a request's texts go, to any of the models: decides the audience before retrieval.

        Args:
            answering: Whether passages are shown to the chat model; a search shows it none.
        """
        if "cloud" in (self.embedding, self.reranking):
            return "cloud"
        generator = self.generator() if answering else None
        return generator.trust if generator is not None else "local"

    def admitted(self, audience: Audience) -> Filter:
        """Return what an audience may read of the sources in force.

        Raises:
            StoreError: rules were added since the index was made, under which an open document is personal.
        """
        if self.classes is not None and not audience.include_personal:
            from askwell.privacy import stale_classes

            given_by = self.store.note(RULES_NOTE)
            if given_by not in (self.classes.key, self._rules_checked) and stale_classes(
                self.store.states().values(), rules=self.classes
            ):
                raise StoreError(
                    "the privacy rules are newer than the index: it still holds as open what they make personal",
                    hint="run `askwell index`",
                )
            self._rules_checked = given_by
        return Filter(classes=audience.classes, sources=self.known_sources)

    def search(self, request: Request, *, expected: str | None = None, cited: Sequence[DocumentId] = ()) -> Ranking:
        """Return the ranking for a question: verbatim text, nothing generated, no chat model called.

        Args:
            request: The question and its filters.
            expected: A path whose absence the ranking should be able to explain.
            cited: Documents that the turn before cited, which stay candidates.

        Raises:
            BadRequest: nothing to search for, or a number out of range.
            EmbeddingSpaceChanged: the index holds vectors of another model than the configured one.
        """
        from askwell.arms import withheld
        from askwell.ports import carrying
        from askwell.retrieve import retrieve

        self.admitted(request.audience)
        with carrying(request.audience.classes):
            embedder, missing = self._query_embedder(request.audience)
            reranker = self.make_reranker() if self.make_reranker else None
            unused = withheld(self.reranking, request.audience, allow_cloud=self.allow_cloud) if reranker else ""
            ranking = retrieve(
                request.question,
                store=self.store,
                embedder=embedder,
                visible=request.visible(self.known_sources),
                settings=self.retrieval(),
                k=request.k,
                clock=self.clock,
                expected=expected,
                cited=cited,
                matcher=self.make_matcher() if embedder is not None and self.make_matcher else None,
                reranker=None if unused else reranker,
            )
        reasons = {Arm.VECTOR: missing, Arm.RERANK: unused}
        if away := {arm: why for arm, why in reasons.items() if why}:
            from dataclasses import replace

            ranking = replace(ranking, missing_arms={**ranking.missing_arms, **away})
        return ranking

    def ask(self, request: Request) -> Stream[Event, None, None]:
        """Yield an answer as it is made: deltas, then exactly one `Answer` or `Abstention`.

        Raises:
            PrivacyError: the request's audience is wider than the model's trust allows.
        """
        from askwell.recording import recorded

        return recorded(self, request, self._asked(request))

    def _asked(self, request: Request) -> Stream[Event, None, None]:
        """Plan an answer and yield its events, with the plan in the outcome."""
        from askwell.planning import carried_out, needs_no_other_model, stamped, with_web

        generator = self.generator()
        if (
            generator is not None
            and generator.trust == "cloud"
            and request.audience.include_personal
            and not self.allow_cloud
        ):
            raise PrivacyError("this request may not be sent to a model that is not local")
        plan = needs_no_other_model(self.plan(request), generator)
        events = stamped(carried_out(self, request, plan), question=request.question, plan=plan)
        yield from with_web(self, plan, events) if request.audience.allow_web else events

    def plan(self, request: Request, *, explain: bool = False) -> Plan:
        """Return how a question will be answered: by which profile, with which query, from which evidence.

        Args:
            request: The question, its history and its filters.
            explain: Leave the chat model out even where it could complete a follow-up.
        """
        from askwell.planning import made

        return made(self, request, explain=explain)

    def openers(self, *, audience: Audience, limit: int) -> tuple[str, ...]:
        """Return at most `limit` questions to begin with, which the visible documents answer."""
        from askwell.planning import openers

        return openers(self, audience=audience, limit=limit)

    def listing(self, request: Request) -> Listed | None:
        """Return the answer to a counting or listing question, None if the question is another one.

        It comes from the index itself, whole: no ranking, no gate and no model take part.
        """
        from askwell.listing import listed

        self.admitted(request.audience)
        return listed(request.question, store=self.store, visible=request.visible(self.known_sources))

    def evidence(self, request: Request, *, cited: Sequence[DocumentId] = ()) -> tuple[Ranking, str | None]:
        """Return the ranking and why it cannot carry an answer, or None."""
        ranking = self.search(request, cited=cited)
        return ranking, self.gate(ranking)

    def gate(self, ranking: Ranking) -> str | None:
        """Return why a ranking's evidence is too weak to answer from, or None."""
        from askwell.calibrating import in_force
        from askwell.rank.gate import uncovered

        cuts = in_force(self.store)
        return uncovered(ranking.signals, cuts, space=cuts.space)

    def covered(self, ranking: Ranking) -> float:
        """Return what the gate weighs as one number, higher for better covered."""
        from askwell.calibrating import in_force
        from askwell.rank.gate import evidence

        return evidence(ranking.signals, in_force(self.store))

    def known_sections(self, wanted: Sequence[str], *, audience: Audience) -> frozenset[str]:
        """Return section names as the index spells them.

        Raises:
            BadRequest: no visible chunk stands in such a section; the nearest name is the hint.
        """
        visible = self.admitted(audience)
        return named_values(wanted, self.store.sections(visible=visible), what="section")

    def calibration(self) -> str:
        """Return the record that the gate's numbers come from."""
        from askwell.calibrating import in_force

        return in_force(self.store).measured

    def read(self, source: str, path: str, *, audience: Audience) -> Document | None:
        """Return an indexed document; None if it is not visible or does not exist, which are the same."""
        return self.store.document(source, path, visible=self.admitted(audience))

    def standings(self, places: Iterable[Place], *, audience: Audience) -> dict[Place, Standing]:
        """Return how files stand to what was indexed of them; see `standing`."""
        from askwell.standing import standings

        by_name = {bound.source.name: bound.source for bound in self.sources}
        return standings(places, sources=by_name, store=self.store, visible=self.admitted(audience))

    def surroundings(self, source: str, path: str, *, audience: Audience) -> Surroundings | None:
        """Return what stands around a document; None if it is not visible or does not exist, which are the same."""
        from askwell.surroundings import surroundings

        return surroundings(self.store, source, path, visible=self.admitted(audience))

    def topics(self, *, audience: Audience) -> tuple[Topic, ...]:
        """Return the visible topic notes, the one with most members first."""
        from askwell.surroundings import topics

        return topics(self.store, visible=self.admitted(audience))

    def documents(self, *, audience: Audience) -> Sequence[DocumentInfo]:
        """Return the visible documents by source and path."""
        return self.store.documents(visible=self.admitted(audience))

    def status(self, *, audience: Audience) -> Status:
        """Return what the index holds, counted within an audience."""
        visible = self.admitted(audience)
        vectors, pending = self.store.vector_counts(visible=visible)
        space = self.store.space()
        kept = self.store.note("warnings") if audience.classes == EVERYTHING else ""
        return Status(
            sources=tuple(self.store.sources(visible=visible)),
            faults=tuple(self.store.faults(visible=visible)),
            vectors=vectors,
            pending=pending if self.vectors else 0,
            space=space[0] if space else "",
            warnings=tuple(line for line in kept.split("\n") if line),
        )

    def _query_embedder(self, audience: Audience) -> tuple[Embedder | None, str]:
        """Return the embedder to search with after its space was checked, or None and why there is none."""
        from askwell.embedding import check_space

        if not self.vectors:
            return None, "vectors are off (`models.embedding` is `none`)"
        if self.embedding == "cloud" and audience.include_personal and not self.allow_cloud:
            return None, "the embedding model is not local, and this question may hold personal text"
        space = self.store.space()
        if space is None:
            return None, "no vectors yet: run `askwell index`"
        try:
            embedder = self.embedder()
            if embedder is None:
                return None, "there is no embedder"
            if self._space_checked != space[0]:
                check_space(self.store, embedder)
                self._space_checked = space[0]
        except ModelUnavailable as error:
            return None, str(error)
        return embedder, ""


def named_values(wanted: Sequence[str], known: Sequence[str], *, what: str) -> frozenset[str]:
    """Return `wanted` if each is among `known` (compared without case), in the known spelling.

    Raises:
        BadRequest: one is not; the nearest known value is the hint.
    """
    import difflib

    spelling = {name.casefold(): name for name in known}
    for value in wanted:
        if value.casefold() not in spelling:
            near = difflib.get_close_matches(value.casefold(), spelling, n=1, cutoff=0.5)
            hint = f"did you mean `{spelling[near[0]]}`?" if near else f"known: {', '.join(sorted(known)) or 'none'}"
            raise BadRequest(f"unknown {what} {value!r}", hint=hint)
    return frozenset(spelling[value.casefold()] for value in wanted)
