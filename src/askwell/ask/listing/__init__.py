"""Counting and listing: whether a question asks the index itself, and the query it then becomes.

question ─▶ lead ("how many", "list", "which") ─▶ noun ("notes", "YAML files") ─▶ criteria ─▶ end of the question
              └────────────── anything that is left over ─▶ None: an ordinary question ──────────────┘

A question is taken only if every word of it is accounted for. "How many gigabytes must be free" has no noun of ours,
"which scripts stop at night" has a remainder: both are about what the documents say, not about the documents.
"""

from askwell.ask.listing.query import (
    Criterion,
    Dated,
    DefinedIn,
    Defines,
    Form,
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
)
from askwell.ask.listing.rules import listing_query

__all__ = [
    "Criterion",
    "Dated",
    "DefinedIn",
    "Defines",
    "Form",
    "FromSource",
    "InFolder",
    "ListingQuery",
    "Mentions",
    "OfClass",
    "PointedFrom",
    "PointsTo",
    "Tagged",
    "Takes",
    "Titled",
    "Untagged",
    "listing_query",
]
