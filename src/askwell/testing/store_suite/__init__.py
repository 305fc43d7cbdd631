"""What every `Store` promises, as checks that any implementation can be run through.

`CLAIMS` holds them all; each takes an empty store and raises AssertionError where a promise is broken.
Limits bind: what is forbidden outnumbers what is asked for, and is nearer.
"""

from askwell.testing.store_suite import embedding, filtering, keeping, ordering, wording

CLAIMS = (*filtering.CLAIMS, *wording.CLAIMS, *ordering.CLAIMS, *keeping.CLAIMS, *embedding.CLAIMS)

__all__ = ["CLAIMS"]
