"""Decides by name, and by the first bytes where the name says nothing, how a file's text is parsed.

format     extensions                                          names
markdown   md markdown
text       txt                                                 README LICENSE CHANGELOG AUTHORS … .gitignore
rst        rst
yaml       yaml yml
json       json jsonl ndjson jsonc json5
python     py pyi pyw
script     sh bash zsh ksh fish php pl pm ps1 psm1 sql bat     Makefile Dockerfile Vagrantfile Jenkinsfile
           cmd awk                                             .bashrc .bash_profile .profile .zshrc .envrc …
template   toml ini conf cfg cnf env properties template       crontab fstab hosts Caddyfile .gitconfig .vimrc
           example sample dist service timer socket mount …    .editorconfig, any other `.…rc`
inner      j2 jinja jinja2 template example sample dist over an inner extension: `site.yml.j2` is yaml,
           `app.conf.j2` and `.env.example` are template, `job.sh.sample` is script

Case does not matter. Anything else is taken by its first bytes: a shebang (also under an unknown extension),
and without an extension `<?php`, lines that mostly assign (template), a comment block (script) or plain text.
HTML, CSS and JavaScript are not taken unless they start with a shebang.
"""

from __future__ import annotations

import re

_EXTENSIONS: dict[str, str] = {
    **dict.fromkeys(("md", "markdown"), "markdown"),
    "txt": "text",
    "rst": "rst",
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("json", "jsonl", "ndjson", "jsonc", "json5"), "json"),
    **dict.fromkeys(("py", "pyi", "pyw"), "python"),
    **dict.fromkeys(
        ("sh", "bash", "zsh", "ksh", "fish", "php", "pl", "pm", "ps1", "psm1", "sql", "bat", "cmd", "awk"), "script"
    ),
    **dict.fromkeys(("toml", "ini", "conf", "cfg", "cnf", "env", "properties"), "template"),
    **dict.fromkeys(("service", "timer", "socket", "mount", "automount", "netdev", "network"), "template"),
}
_WRAPPERS = frozenset({"template", "example", "sample", "dist", "j2", "jinja", "jinja2"})
_WEB = frozenset({"html", "htm", "xhtml", "css", "scss", "less", "js", "mjs", "cjs", "ts", "jsx", "tsx", "svg", "xml"})

DEFAULT_EXTENSIONS: frozenset[str] = frozenset(_EXTENSIONS) | _WRAPPERS | {"env.example"}
"""Extensions a folder is searched for, lower case, without the leading dot."""

_NAMES: dict[str, str] = {
    **dict.fromkeys(
        ("makefile", "gnumakefile", "dockerfile", "containerfile", "vagrantfile", "jenkinsfile", "rakefile", "gemfile"),
        "script",
    ),
    **dict.fromkeys(("brewfile", "justfile", "pkgbuild", "apkbuild"), "script"),
    **dict.fromkeys(
        (".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".bash_login", ".profile", ".envrc"), "script"
    ),
    **dict.fromkeys((".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".kshrc", ".xinitrc"), "script"),
    **dict.fromkeys(("crontab", "fstab", "hosts", "caddyfile", "procfile", "pipfile", "sshd_config"), "template"),
    **dict.fromkeys((".gitconfig", ".gitmodules", ".editorconfig", ".htaccess", ".exrc", ".flake8"), "template"),
    **dict.fromkeys((".gitignore", ".gitattributes", ".dockerignore", ".ignore", ".askwellignore"), "text"),
    **dict.fromkeys(
        ("readme", "license", "licence", "copying", "notice", "authors", "contributors", "changelog", "changes"), "text"
    ),
    **dict.fromkeys(("history", "news", "todo", "install", "manual", "contributing", "thanks", "version"), "text"),
}

_INTERPRETERS: dict[str, str] = {"ansible-playbook": "yaml", "uv": "python", "pypy": "python", "pypy3": "python"}
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=")
_COMMENT = re.compile(r"(?:#|//|/\*|--|;)")
_HEAD = 8192  # bytes of a file that decide; a shebang, a header or a binary marker stands in them


def format_of(path: str, head: bytes = b"") -> str | None:
    """Return the format of the file at `path`, or None if its text is not taken.

    Args:
        path: `/`-separated; only the last part counts.
        head: The file's first bytes, at best a few kilobytes. Without them a file that only its content
            can tell is None.

    Returns:
        One of `markdown script template yaml json python text rst`, or None.
    """
    name = path.rsplit("/", 1)[-1].lower()
    by_name = _by_name(name)
    if by_name is not None:
        return by_name
    head = head[:_HEAD]
    if head.startswith((b"#!", b"\xef\xbb\xbf#!")):
        return _by_shebang(head)
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        man_page = len(extension) == 1 and extension in "12345678" and head.startswith((b".", b"'"))
        return "text" if man_page else None
    return _by_first_lines(head)


def _by_name(name: str) -> str | None:
    if name in _NAMES:
        return _NAMES[name]
    stem, dot, extension = name.rpartition(".")
    if not dot:
        return None
    if extension in _EXTENSIONS:
        return _EXTENSIONS[extension]
    if extension in _WRAPPERS:
        return _by_inner_name(stem)
    if "script" in (_NAMES.get(extension), _NAMES.get(f".{extension}")):  # `rear-shell.bashrc`, `web.Dockerfile`
        return "script"
    first = name.split(".", 1)[0]
    if first in ("dockerfile", "containerfile", "makefile", "jenkinsfile", "vagrantfile"):
        return "script"
    if first == "readme" and extension not in _WEB:
        return "text"
    if not stem and extension.endswith("rc"):
        return "template"
    return None


def _by_inner_name(stem: str) -> str | None:
    """Return the format under a template's extension: that of the file it becomes."""
    inner = stem.rpartition(".")[2]
    if inner in _WEB:
        return None
    return _by_name(stem) or "template"


def _by_shebang(head: bytes) -> str | None:
    line = head.split(b"\n", 1)[0].removeprefix(b"\xef\xbb\xbf")[2:]
    if b"\0" in head:
        return None
    words = line.decode("utf-8", "replace").split()
    names = [word.rsplit("/", 1)[-1] for word in words if not word.startswith("-") and "=" not in word]
    if names and names[0] == "env":
        names = names[1:]
    if not names:
        return "script"
    return "python" if names[0].startswith("python") else _INTERPRETERS.get(names[0], "script")


def _by_first_lines(head: bytes) -> str | None:
    text = _plain_text(head)
    if text is None:
        return None
    if text.lstrip().lower().startswith("<?php"):
        return "script"
    lines = [line for line in (raw.strip() for raw in text.splitlines()) if line]
    if not lines:
        return None
    code = [line for line in lines if not _COMMENT.match(line)]
    assigning = sum(1 for line in code if _ASSIGNMENT.match(line) or line.startswith("["))
    if code and assigning * 2 > len(code):
        return "template"
    return "script" if _COMMENT.match(lines[0]) and len(code) < len(lines) else "text"


def _plain_text(head: bytes) -> str | None:
    """Return `head` as text, or None if it is not UTF-8 or holds control characters."""
    for cut in range(4):  # the last character may be cut off by the end of `head`
        try:
            text = head[: len(head) - cut].decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        return None if any(char < " " and char not in "\t\n\r\f\x1b" for char in text) else text
    return None
