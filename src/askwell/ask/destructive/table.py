"""Which simple commands destroy something: a rule for each, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.destructive.rules import (
    aws,
    chmod,
    chown,
    compose,
    copy_over,
    crontab,
    dd,
    device,
    docker,
    find_files,
    git,
    hdparm,
    iptables,
    kill_all,
    kubectl,
    make_file_system,
    mv,
    redis,
    remove_item,
    remove_user,
    rm,
    rsync,
    setfacl,
    tee,
    terraform,
    truncate,
    verbs,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ask.destructive.rules import Found


def destroys(words: Sequence[str]) -> Found:
    """Return the kind of operation and what it would do; None if it destroys nothing that its text tells of."""
    if not words or "--help" in words or words[1:2] == ("--version",):
        return None
    name = words[0].rpartition("/")[2].removeprefix("\\").lower().removesuffix(".exe")
    rest = list(words[1:])
    rule = _RULES.get(name) or (make_file_system if name.startswith(("mkfs", "mke2fs", "newfs")) else None)
    return rule(rest) if rule else None


_LISTS = frozenset(
    {"-l", "--list", "-V", "-v", "-p", "--print", "print", "-x", "--info", "-i", "-d", "--dump", "-n", "--no-act"}
)

_RULES: dict[str, Callable[[Sequence[str]], Found]] = {
    "rm": rm,
    "find": find_files,
    "fd": find_files,
    "rsync": rsync,
    "git": git,
    "dd": dd,
    "dcfldd": dd,
    "chmod": chmod,
    "chown": chown,
    "chgrp": chown,
    "setfacl": setfacl,
    "cp": copy_over,
    "install": copy_over,
    "mv": mv,
    "tee": tee,
    "docker": docker,
    "podman": docker,
    "nerdctl": docker,
    "docker-compose": compose,
    "podman-compose": compose,
    "kubectl": kubectl,
    "oc": kubectl,
    "k3s": lambda rest: kubectl(rest[1:]) if rest[:1] == ["kubectl"] else None,
    "history": lambda rest: ("discards work", "forgets every command that was typed") if "-c" in rest else None,
    "crontab": crontab,
    "userdel": remove_user,
    "deluser": remove_user,
    "truncate": truncate,
    "iptables": iptables,
    "ip6tables": iptables,
    "redis-cli": redis,
    "valkey-cli": redis,
    "terraform": terraform,
    "tofu": terraform,
    "pulumi": terraform,
    "aws": aws,
    "remove-item": remove_item,
    "ri": remove_item,
    "hdparm": hdparm,
    "kill": kill_all,
    "shred": lambda rest: ("recursive delete", "overwrites files so that nothing brings them back") if rest else None,
    "srm": lambda rest: ("recursive delete", "overwrites and deletes files") if rest else None,
    "wipefs": device(
        "erases the signatures of a file system",
        needs=frozenset({"-a", "--all", "-af", "-fa", "-o", "--offset"}),
        harmless=frozenset({"-n", "--no-act"}),
    ),
    "blkdiscard": device("discards every block of a device"),
    "fdisk": device("changes a partition table", harmless=_LISTS),
    "sfdisk": device("writes a partition table", harmless=_LISTS),
    "gdisk": device("changes a partition table", harmless=_LISTS),
    "sgdisk": device("changes a partition table", harmless=frozenset({"-p", "--print", "-i", "-v", "-b", "--backup"})),
    "cfdisk": device("changes a partition table", harmless=_LISTS),
    "parted": device(
        "changes a partition table", needs=frozenset({"mklabel", "mktable", "rm", "mkpart", "resizepart"})
    ),
    "badblocks": device("writes test patterns over a device", needs=frozenset({"-w", "-wsv", "-svw", "-wv", "-ws"})),
    "cryptsetup": device(
        "makes what is on the device unreadable",
        needs=frozenset({"luksFormat", "erase", "luksErase", "luksKillSlot", "reencrypt", "plainOpen"}),
    ),
    "nvme": device("erases a whole disk", needs=frozenset({"format", "sanitize"})),
    "zpool": verbs(
        "disk write", {"destroy": "destroys a pool with its data", "labelclear": "makes a disk's pool unreadable"}
    ),
    "zfs": verbs(
        "disk write",
        {"destroy": "destroys a dataset or snapshot", "rollback": "throws away what came after a snapshot"},
        dry=frozenset({"-n", "-nv", "-nvr", "-nr", "-rnv", "-vn", "-nrv"}),
    ),
    "btrfs": verbs(
        "disk write",
        {
            "subvolume delete": "deletes a subvolume with its data",
            "sub del": "deletes a subvolume",
            "subvolume del": "deletes a subvolume",
        },
    ),
    "lvremove": device("removes a volume with its data", harmless=frozenset({"-t", "--test"})),
    "vgremove": device("removes a volume group", harmless=frozenset({"-t", "--test"})),
    "pvremove": device("removes a physical volume", harmless=frozenset({"-t", "--test"})),
    "mdadm": device("takes a disk out of its array", needs=frozenset({"--zero-superblock", "--stop", "-S"})),
    "dmsetup": device("removes a mapped device", needs=frozenset({"remove", "remove_all", "wipe_table"})),
    "diskutil": device(
        "erases a disk", needs=frozenset({"eraseDisk", "eraseVolume", "secureErase", "zeroDisk", "partitionDisk"})
    ),
    "format-volume": device("formats a volume"),
    "clear-disk": device("erases a disk"),
    "dropdb": lambda rest: ("data-dropping SQL", "drops a whole database") if rest else None,
    "dropuser": lambda rest: ("data-dropping SQL", "drops a database user") if rest else None,
    "mysqladmin": lambda rest: ("data-dropping SQL", "drops a whole database") if "drop" in rest else None,
    "helm": verbs(
        "container prune", {"uninstall": "removes a release with what it made", "delete": "removes a release"}
    ),
    "nft": verbs("discards work", {"flush ruleset": "removes every firewall rule"}),
    "ufw": verbs("discards work", {"reset": "removes every firewall rule"}),
    "borg": verbs("recursive delete", {"delete": "deletes backups"}),
    "virsh": verbs(
        "recursive delete", {"vol-delete": "deletes a disk of a virtual machine", "undefine": "removes a machine"}
    ),
    "vagrant": verbs("container prune", {"destroy": "destroys a virtual machine"}),
    "lxc": verbs("container prune", {"delete": "deletes a container with its data"}),
    "incus": verbs("container prune", {"delete": "deletes a container with its data"}),
    "qm": verbs("container prune", {"destroy": "destroys a virtual machine"}),
    "pct": verbs("container prune", {"destroy": "destroys a container"}),
    "gsutil": lambda rest: (
        ("recursive delete", "deletes everything in a bucket") if "rm" in rest and "-r" in rest else None
    ),
    "rclone": verbs(
        "recursive delete",
        {
            "purge": "deletes a folder with all below it",
            "delete": "deletes files",
            "sync": "deletes at the target what the source does not have",
        },
    ),
}
