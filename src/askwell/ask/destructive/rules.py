"""What the arguments of a simple command destroy, a rule a command. Dry runs and lists destroy nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Found = tuple[str, str] | None  # kind and reason

_SYSTEM = re.compile(
    r"(?:/|/\*|~|~/\*?|\$\{?HOME\}?(?:/\*?)?|/root/?|\.\.?/?\*?|\*"
    r"|/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|sbin|srv|sys|usr|var|Users|System|Library)(?:/\*?)?"
    r"|/(?:etc|usr|home|var|Users)/[\w.-]+/?\*?)\Z"
)
_DISK = re.compile(
    r"/dev/(?!null\b|zero\b|stdout\b|stderr\b|tty|fd/|shm\b|pts|random|urandom|loop)[\w/.-]+|\\\\\.\\PhysicalDrive\d",
    re.I,
)
_UNKNOWN_START = re.compile(r"\$\{?\w+[^/]*\}?/")
_OPEN_MODES = re.compile(
    r"0?[0-7]?(?:777|666|000)\Z|(?:[ugo]*a|[ug]*o)?\+[rx]*w[rwxX]*\Z|a=rwx\Z|[ugoa]*=\Z|o\+w\Z|\+w\Z"
)


def overwrites(target: str) -> Found:
    """Return what writing over a file or device destroys."""
    if _DISK.match(target):
        return "disk write", f"writes over the device {target}"
    if re.match(r"/(?:etc|boot)/|/var/(?:log|lib)/|/proc/sysrq-trigger", target):
        return "overwrites a file", f"empties or replaces {target}"
    return None


def _flags(rest: Sequence[str]) -> tuple[str, set[str], list[str]]:
    """Return the letters of short options, the long options, and the operands."""
    letters, longs, operands = "", set(), []
    ended = False
    for word in rest:
        if ended or not word.startswith("-") or word == "-":
            operands.append(word)
        elif word == "--":
            ended = True
        elif word.startswith("--"):
            longs.add(word.partition("=")[0])
        else:
            letters += word[1:]
    return letters, longs, operands


def rm(rest: Sequence[str]) -> Found:
    letters, longs, operands = _flags(rest)
    recursive = bool({"r", "R"} & set(letters)) or any(long.startswith("--rec") for long in longs)
    if recursive and operands and all("mktemp" in one for one in operands):
        return None  # a folder of its own that the script made
    if recursive:
        where = next((one for one in operands if _SYSTEM.match(one) or _UNKNOWN_START.match(one)), "")
        deep = f"; {where} is the whole system, a home or depends on a variable that may be empty" if where else ""
        return "recursive delete", f"deletes {' '.join(operands[:3]) or 'what it is given'} with all below it{deep}"
    swept = [one for one in operands if _SYSTEM.match(one) and one.endswith("*")]
    return ("recursive delete", f"deletes everything in {swept[0]}") if swept else None


def find_files(rest: Sequence[str]) -> Found:
    if "-delete" in rest:
        return "recursive delete", "deletes every file that is found"
    return None


def rsync(rest: Sequence[str]) -> Found:
    letters, longs, _ = _flags(rest)
    if "n" in letters or "--dry-run" in longs:
        return None
    if any(long.startswith("--delete") for long in longs) or "--remove-source-files" in longs:
        return "recursive delete", "deletes at the target what the source does not have"
    return None


def git(rest: Sequence[str]) -> Found:
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace") else 1
    if at >= len(rest):
        return None
    verb, given = rest[at], rest[at + 1 :]
    letters, longs, operands = _flags(given)
    if verb == "push":
        if "n" in letters or "--dry-run" in longs:
            return None
        forced = (
            "f" in letters or {"--force", "--force-with-lease", "--force-if-includes", "--mirror", "--prune"} & longs
        )
        if forced or any(one.startswith("+") for one in operands[1:]):
            return "forced push", "replaces the history that others have"
        if "d" in letters or "--delete" in longs or any(one.startswith(":") and len(one) > 1 for one in operands[1:]):
            return "forced push", "deletes a branch or tag at the remote"
    if verb == "clean" and ("f" in letters or "--force" in longs) and not ("n" in letters or "--dry-run" in longs):
        return "recursive delete", "deletes every file that git does not track"
    if verb == "reset" and "--hard" in longs:
        return "discards work", "throws away all changes that are not committed"
    if verb in ("filter-branch", "filter-repo"):
        return "history rewrite", "rewrites every commit"
    if verb == "reflog" and "expire" in operands and {"--expire", "--all"} & longs:
        return "history rewrite", "forgets where lost commits are"
    if verb == "stash" and "clear" in operands:
        return "discards work", "throws away every stash"
    return None


def dd(rest: Sequence[str]) -> Found:
    target = next((word.partition("=")[2] for word in rest if word.startswith("of=")), "")
    return ("disk write", f"writes over the device {target}") if _DISK.match(target) or target.startswith("$") else None


def make_file_system(rest: Sequence[str]) -> Found:
    letters, longs, operands = _flags(rest)
    if "n" in letters or "--dry-run" in longs or "V" in letters:
        return None
    return "disk write", f"makes a new file system over {operands[-1] if operands else 'a device'}"


def device(
    what: str, *, harmless: frozenset[str] = frozenset(), needs: frozenset[str] = frozenset()
) -> Callable[[Sequence[str]], Found]:
    def rule(rest: Sequence[str]) -> Found:
        given = set(rest)
        if not rest or given & harmless or (needs and not any(word.partition("=")[0] in needs for word in rest)):
            return None
        return "disk write", what

    return rule


def verbs(
    kind: str, table: dict[str, str], *, dry: frozenset[str] = frozenset({"-n", "--dry-run"})
) -> Callable[[Sequence[str]], Found]:
    """Return a rule by the first operands, such as `volume prune`; `dry` are options of a dry run."""

    def rule(rest: Sequence[str]) -> Found:
        if any(word.partition("=")[0] in dry and word != "--dry-run=none" for word in rest):
            return None
        said = " ".join(word for word in rest if not word.startswith("-"))
        return next(((kind, why) for verbs, why in table.items() if f" {said} ".startswith(f" {verbs} ")), None)

    return rule


def chmod(rest: Sequence[str]) -> Found:
    letters, longs, operands = _flags([word for word in rest if not re.fullmatch(r"-[rwxXst]+", word)])
    recursive = "R" in letters or "--recursive" in longs
    if not operands:
        return None
    mode, targets = operands[0], operands[1:]
    swept = next((one for one in targets if _SYSTEM.match(one)), "")
    if recursive and (swept or _OPEN_MODES.match(mode)):
        return "permission sweep", f"changes the permissions of {swept or ' '.join(targets[:2])} and all below it"
    if _OPEN_MODES.match(mode) and swept and swept not in (".", "*", "./*"):
        return "permission sweep", f"opens {swept} to everybody"
    return None


def chown(rest: Sequence[str]) -> Found:
    letters, longs, operands = _flags(rest)
    swept = next((one for one in operands[1:] if _SYSTEM.match(one)), "")
    if swept and ("R" in letters or "--recursive" in longs):
        return "permission sweep", f"changes the owner of {swept} and all below it"
    return None


def setfacl(rest: Sequence[str]) -> Found:
    letters, _, operands = _flags(rest)
    if "R" in letters and any(_SYSTEM.match(one) for one in operands):
        return "permission sweep", "changes access to a whole tree of the system"
    return None


def copy_over(rest: Sequence[str]) -> Found:
    _, _, operands = _flags(rest)
    if operands and _DISK.match(operands[-1]):
        return "disk write", f"writes over the device {operands[-1]}"
    return None


def mv(rest: Sequence[str]) -> Found:
    _, _, operands = _flags(rest)
    if operands and operands[-1] == "/dev/null":
        return "recursive delete", "moves files to where nothing is kept"
    if any(re.fullmatch(r"/(?:|\*|etc|usr|bin|sbin|lib|boot|var|home)/?", one) for one in operands[:-1]):
        return "recursive delete", "moves a part of the system away"
    return copy_over(rest)


def tee(rest: Sequence[str]) -> Found:
    letters, _, operands = _flags(rest)
    found = next((one for one in operands if _DISK.match(one) or one == "/proc/sysrq-trigger"), "")
    return ("disk write", f"writes over the device {found}") if found and "a" not in letters else None


_CONTAINERS = {
    "system prune": "removes all containers, networks and images that are not in use",
    "volume prune": "removes volumes with their data",
    "volume rm": "removes a volume with its data",
    "volume remove": "removes a volume with its data",
    "container prune": "removes every stopped container",
    "image prune": "removes images",
    "network prune": "removes networks",
    "builder prune": "removes the build cache",
    "buildx prune": "removes the build cache",
    "pod prune": "removes every stopped pod",
    "system reset": "removes everything that the container engine keeps",
    "swarm leave": "leaves the cluster with what it holds",
    "machine rm": "removes a virtual machine with its data",
}


def docker(rest: Sequence[str]) -> Found:
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in ("-H", "--host", "--context", "-c", "--config", "-l", "--log-level") else 1
    rest = rest[at:]
    if rest[:1] == ["compose"] or rest[:1] == ["stack"]:
        return compose(rest[1:])
    found = verbs("container prune", _CONTAINERS, dry=frozenset())(rest)
    if found:
        return found
    letters, longs, operands = _flags(rest)
    if operands[:1] == ["rm"] or operands[:2] == ["container", "rm"]:
        if "v" in letters or "--volumes" in longs or "-a" in rest or "--all" in longs:
            return "container prune", "removes containers with their volumes"
        if any(one.startswith(("$(", "`")) for one in operands):
            return "container prune", "removes every container that is listed"
    if operands[:1] == ["rmi"] and any(one.startswith(("$(", "`")) for one in operands):
        return "container prune", "removes every image that is listed"
    return None


def compose(rest: Sequence[str]) -> Found:
    letters, longs, operands = _flags(rest)
    if "down" in operands and ("v" in letters or "--volumes" in longs):
        return "container prune", "removes the volumes with their data"
    if "rm" in operands and "v" in letters:
        return "container prune", "removes containers with their volumes"
    return None


_KINDS = re.compile(
    r"(?:ns|namespaces?|pvc|persistentvolumeclaims?|pv|persistentvolumes?|nodes?|crds?|all|statefulsets?|sts)(?:/|\Z)"
)


def kubectl(rest: Sequence[str]) -> Found:
    _, longs, operands = _flags(rest)
    if any(word.startswith("--dry-run") and not word.endswith("none") for word in rest):
        return None
    if "delete" in operands:
        what = operands[operands.index("delete") + 1 :]
        if (
            "--all" in longs
            or "-A" in rest
            or "--all-namespaces" in longs
            or any(_KINDS.match(one) for one in what[:1])
        ):
            return "container prune", f"deletes {' '.join(what[:2]) or 'all'} and what it holds"
    return None


def crontab(rest: Sequence[str]) -> Found:
    return ("discards work", "removes every scheduled job") if "-r" in rest else None


def remove_user(rest: Sequence[str]) -> Found:
    letters, longs, _ = _flags(rest)
    if "r" in letters or {"--remove", "--remove-home", "--remove-all-files"} & longs:
        return "recursive delete", "deletes a user with the home folder"
    return None


def truncate(rest: Sequence[str]) -> Found:
    said = " ".join(rest)
    if re.search(r"-s\s*0\b|--size[= ]0\b", said):
        return "overwrites a file", "empties a file"
    return None


def iptables(rest: Sequence[str]) -> Found:
    return ("discards work", "removes every firewall rule") if {"-F", "--flush", "-X"} & set(rest) else None


def redis(rest: Sequence[str]) -> Found:
    verbs = {word.lower() for word in rest}
    return ("data-dropping SQL", "empties the database") if verbs & {"flushall", "flushdb"} else None


def terraform(rest: Sequence[str]) -> Found:
    if "destroy" in rest or "-destroy" in rest:
        return None if rest[:1] == ["plan"] else ("container prune", "destroys everything that is managed")
    return None


def aws(rest: Sequence[str]) -> Found:
    if "--dryrun" in rest:
        return None
    if ("s3" in rest and "rm" in rest and "--recursive" in rest) or ("rb" in rest and "--force" in rest):
        return "recursive delete", "deletes everything in a bucket"
    if "sync" in rest and "--delete" in rest:
        return "recursive delete", "deletes at the target what the source does not have"
    return None


def remove_item(rest: Sequence[str]) -> Found:
    options = [word.lower() for word in rest if word.startswith("-")]
    if any(len(option) > 2 and "-recurse".startswith(option) for option in options) and "-whatif" not in options:
        return "recursive delete", "deletes a folder with all below it"
    return None


def hdparm(rest: Sequence[str]) -> Found:
    erased = any(word.startswith(("--security-erase", "--trim-sector")) for word in rest)
    return ("disk write", "erases a whole disk") if erased else None


def kill_all(rest: Sequence[str]) -> Found:
    return ("stops everything", "ends every process") if rest[-1:] == ["-1"] and len(rest) > 1 else None
