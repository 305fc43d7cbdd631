"""Index the bundled homelab and vault and ask them a few questions: what `make demo` shows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
HOMELAB = str(HERE / "homelab")
VAULT = str(HERE / "vault")

STEPS = [
    ("The homelab repository: how it works is written in script headers and manuals.", HOMELAB, [
        ["index"],
        ["ask", "what happens if the USB disk on the replica machine is not plugged in when replication begins?"],
        ["ask", "which variable controls how long the drain waits?"],
        ["ask", "how do I prune the orchids in the greenhouse?"],
    ]),
    ("The vault: notes in several languages, some of them personal.", VAULT, [
        ["index"],
        ["search", "-k", "2", "--open-only", "sourdough starter feeding"],
    ]),
]  # fmt: skip


def main() -> int:
    """Run every step as a person would type it; stop at the first that fails."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (title, source, commands) in enumerate(STEPS):
            print(f"\n== {title}")
            for command in commands:
                where = ["--source", source, "--index", str(Path(folder) / f"{number}.db")]
                shown = " ".join(f'"{word}"' if " " in word else word for word in command)
                print(f"\n$ askwell {shown} --source {Path(source).relative_to(HERE.parent)}", flush=True)
                done = subprocess.run([sys.executable, "-m", "askwell", *command, *where], check=False)
                if done.returncode:
                    return done.returncode
    print("\nYour own files: .venv/bin/askwell ask --source ~/my-notes \"…\"")
    return 0


if __name__ == "__main__":
    sys.exit(main())
