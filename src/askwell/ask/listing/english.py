"""Counting and listing questions in English."""

from __future__ import annotations

from functools import cache

from askwell.ask.listing import arguments as read
from askwell.ask.listing.grammar import (
    Grammar,
    dated,
    mentions,
    mentions_word,
    nouns,
    of,
    pattern,
    points,
    tagged,
)
from askwell.ask.listing.query import (
    DefinedIn,
    Defines,
    FromSource,
    InFolder,
    PointedFrom,
    Takes,
    Titled,
    Untagged,
)

_THE = "(?: the| an?| my| our)?"
_WORD = "(?: (?:words?|phrase|term|string|text))"
_KNOB = "(?: (?:flag|option|switch|setting|variable|environment variable|parameter|argument|key))"
_PAGE = "(?: (?:note|document|page|file|script))?"
_HOLD = "mentions?|contains?|containing|includes?|including|uses?|using|has|have|with|references?"
_MENTION = "mentions?|mentioning|refers? to|referring to|references?|referencing"
_FLAGGED = "takes?|taking|accepts?|accepting|supports?|supporting|has|have|having|knows?|understands?|offers?|with"
_IN = "in|under|inside|within|below|from"


@cache
def english() -> Grammar:
    """Return the language."""
    return Grammar(
        determiners=r"of|in|(?P<every>all|every|each|any)(?: of)?|the|my|our|your|these|those|different|distinct|"
        r"indexed|existing",
        adjectives={
            "personal": "personal",
            "private": "personal",
            "open": "open",
            "public": "open",
            "untagged": "untagged",
        },
        nouns=nouns(
            note="note;notes",
            document="document|doc;documents|docs",
            file="file;files",
            page="page;pages",
            script="script;scripts",
            readme="readme;readmes|readme files",
            manual="manual;manuals",
            template="template;templates",
            setting="setting|variable;settings|variables|environment variables|config settings",
            tag="tag;tags",
        ),
        criteria=(
            pattern(f"(?:tagged|labell?ed)(?: (?:with|as))?{_THE}(?: tags?)?", read.tag, tagged),
            pattern(f"(?:with|have|has|having|carry|carries|carrying|bear|under|use){_THE} tags?", read.tag, tagged),
            pattern("(?:with|have|has|having|carry|carries|carrying|under)(?= #)", read.tag, tagged),
            pattern(f"(?:with|have|has|carry|carries){_THE}", read.tag, tagged, "tag"),
            pattern(
                "(?:without|with no|have no|has no|having no|lacking)(?: any| a)? tags?",
                read.nothing,
                lambda *_: Untagged(),
            ),
            pattern(f"(?:{_FLAGGED}){_THE}{_KNOB}?", read.flag, of(lambda v: Takes(flag=v)), "flag|option|switch"),
            pattern(f"(?:{_FLAGGED}){_THE}{_KNOB}?", read.flag, of(lambda v: Takes(flag=v))),
            pattern(f"(?:{_MENTION}){_THE}(?:{_WORD}|{_KNOB})?", read.phrase, mentions),
            pattern(f"(?:{_HOLD}){_THE}(?:{_WORD}|{_KNOB})", read.word, mentions_word),
            pattern(f"(?:{_HOLD}){_THE}", read.identifier, mentions),
            pattern(
                f"(?:is|are|does|do){_THE}(?:{_WORD}|{_KNOB})?",
                read.phrase,
                mentions,
                "(?:mentioned|referenced|appear|occur)(?: in)?",
            ),
            pattern(
                f"(?:is|are){_THE}{_KNOB}?",
                read.setting,
                of(lambda v: Defines(name=v)),
                "(?:defined|set|declared)(?: in)?",
            ),
            pattern(
                f"(?:defines?|defining|sets?|setting|declares?){_THE}{_KNOB}?",
                read.setting,
                of(lambda v: Defines(name=v)),
            ),
            pattern(f"(?:links?|linking|linked|points?|pointing)(?: back)? to{_THE}{_PAGE}", read.name, points("link")),
            pattern(f"(?:embeds?|embedding){_THE}{_PAGE}", read.name, points("embed")),
            pattern(f"(?:calls?|calling|invokes?){_THE}{_PAGE}", read.file, points("call")),
            pattern(f"linked (?:from|by|in){_THE}{_PAGE}", read.name, of(lambda v: PointedFrom(name=v))),
            pattern(
                f"(?:does|do|that|which){_THE}{_PAGE}", read.name, of(lambda v: PointedFrom(name=v)), "links?(?: to)?"
            ),
            pattern("(?:created|written|made|started)", read.period, dated("created")),
            pattern("(?:updated|modified|changed|edited|touched)", read.period, dated("updated")),
            pattern("(?:write|create|start)", read.period, dated("created")),
            pattern("(?:update|modify|change|edit|touch)", read.period, dated("updated")),
            pattern("dated", read.period, dated("dated")),
            pattern(
                f"(?:with|having){_THE}{_WORD}?",
                read.phrase,
                of(lambda v: Titled(text=v, of="title")),
                "in (?:the|its|their) titles?",
            ),
            pattern(
                f"(?:with|having){_THE}{_WORD}?",
                read.phrase,
                of(lambda v: Titled(text=v, of="name")),
                "in (?:the|its|their) (?:file ?)?names?",
            ),
            pattern(
                f"(?:whose|with a) titles?(?: that)? (?:contains?|containing|includes?|has|have){_WORD}?",
                read.phrase,
                of(lambda v: Titled(text=v, of="title")),
            ),
            pattern(
                f"(?:whose|with a) (?:file ?)?names?(?: that)? (?:contains?|containing|includes?|has|have){_WORD}?",
                read.phrase,
                of(lambda v: Titled(text=v, of="name")),
            ),
            pattern(f"(?:in|from){_THE} source", read.name, of(lambda v: FromSource(name=v))),
            pattern(f"(?:in|from){_THE}", read.name, of(lambda v: FromSource(name=v)), "source"),
            pattern(
                f"(?:{_IN}){_THE} (?:folder|directory|subfolder)(?: (?:named|called))?",
                read.folder,
                of(lambda v: InFolder(folder=v)),
            ),
            pattern(f"(?:{_IN}){_THE}", read.folder, of(lambda v: InFolder(folder=v)), "(?:sub)?folder|directory"),
            pattern(f"(?:{_IN}){_THE}", read.folder, of(lambda v: InFolder(folder=v))),
            pattern(
                f"(?:(?:are |is )?(?:defined|set|declared|listed) )?(?:in|by|of|from){_THE}{_PAGE}",
                read.file,
                of(lambda v: DefinedIn(name=v)),
                of_settings=True,
            ),
            pattern(
                f"(?:does|do){_THE}{_PAGE}",
                read.file,
                of(lambda v: DefinedIn(name=v)),
                "define|set|have|declare|contain",
                of_settings=True,
            ),
        ),
        conjunction="and",
        scope=r"in (?:the|my|our|this) (?:index|corpus|vault|repo|repository|project|collection|knowledge base)|"
        r"in total|in all|in use|altogether|overall|and which(?: (?:ones|are they|are those))?",
        fillers=r"(?:are|is|were|was|do|does|did) (?:there|i|we|you)(?: have| exist)?|have (?:i|we|you)|"
        r"there (?:are|is)|are|is|were|was|been|be|have|has|exist|existing|indexed|used|"
        r"and|that|which|also|but|please|by name|do|did|does|both",
    )
