"""Where Chromium is. `python -m tests.browser.chromium` installs it with apt where that is allowed.

The browser tests drive a real Chromium. `CHROMIUM` names one; else it is looked for by its usual names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from ctypes.util import find_library

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--no-sandbox",  # as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def found() -> str:
    """Return the path of a Chromium, empty if there is none."""
    named = os.environ.get("CHROMIUM", "")
    return shutil.which(named) or "" if named else next(filter(None, map(shutil.which, NAMES)), "")


def demanded() -> bool:
    """Whether a missing browser is a failure, as on CI, and not a reason to skip."""
    return bool(os.environ.get("CI"))


def installed_by_apt(*packages: str) -> None:
    """Install packages of Debian where that is allowed; whether they are there then is the caller's to see."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", "update"], env=quiet, check=False)
    install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *packages]
    subprocess.run(install, env=quiet, check=False, stdout=subprocess.DEVNULL)


def main() -> int:
    """Install Chromium if it is missing and this may be done; say loudly if the browser tests cannot run."""
    if not found() or not find_library("atomic"):
        sys.stderr.write("Chromium, or what drives it, is missing: installing it with apt for the browser tests\n")
        installed_by_apt("chromium", "fonts-dejavu-core", "libatomic1")
    if found():
        return 0
    bar = "!" * 78
    fate = "FAIL" if demanded() else "BE SKIPPED"
    sys.stderr.write(
        f"{bar}\nTHE BROWSER TESTS WILL {fate}: there is no Chromium.\n"
        f"Install one (`apt-get install chromium`), or name it: `make test CHROMIUM=/path/to/chromium`.\n{bar}\n"
    )
    return 1 if demanded() else 0


if __name__ == "__main__":
    sys.exit(main())
