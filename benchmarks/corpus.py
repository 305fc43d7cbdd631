"""Makes a corpus of any size from the example documents: real words and structure, no two files alike."""

from __future__ import annotations

import itertools
import random
import re
import subprocess
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
_WORD = re.compile(r"\b[a-z]{4,}\b")


def make(folder: Path, *, files: int, git: bool = False, seed: int = 7) -> int:
    """Write `files` Markdown files; return their bytes. The same arguments make the same corpus."""
    rng = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / "vault").rglob("*.md"))]
    texts += [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / "homelab").rglob("*.md"))]
    words = sorted({word for text in texts for word in _WORD.findall(text)})
    size = 0
    for number, text in zip(range(files), itertools.cycle(texts), strict=False):
        body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
        varied = _WORD.sub(lambda m: rng.choice(words) if rng.random() < 0.2 else m[0], body)
        path = folder / f"area{number % 23}" / f"note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = f"# Note {number}\n\n{varied}".encode()
        path.write_bytes(raw)
        size += len(raw)
    if git:
        run = ["git", "-C", str(folder), "-c", "user.name=b", "-c", "user.email=b@localhost"]
        subprocess.run([*run, "init", "-q"], check=True)
        subprocess.run([*run, "add", "-A"], check=True)
        subprocess.run([*run, "commit", "-qm", "corpus"], check=True)
    return size
