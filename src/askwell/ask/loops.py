"""Whether a text has begun to repeat itself without end, as small models do."""

from __future__ import annotations

WINDOW = 1_000
"""Characters at the end of a text that are looked at."""

LONGEST = 200
"""Characters that are repeated at most: a window holds them five times, which no table or list does word for word."""


def repeats(text: str) -> bool:
    """Return whether the last `WINDOW` characters are one piece of at most `LONGEST`, over and over.

    Cost is linear in the window, by the failure function of its characters.

    Source: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", SIAM J. Comput. 6 (1977), section 2: a text of
    length n whose longest proper border has length b has the period n - b.
    """
    if len(text) < WINDOW:
        return False
    tail = text[-WINDOW:]
    border = [0] * WINDOW
    matched = 0
    for at in range(1, WINDOW):
        while matched and tail[at] != tail[matched]:
            matched = border[matched - 1]
        matched += tail[at] == tail[matched]
        border[at] = matched
    return WINDOW - border[-1] <= LONGEST
