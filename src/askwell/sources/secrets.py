r"""Keeps credentials out: files that hold them by name are not read, strings shaped like them are replaced.

What a name says, in this order:

1. A template (`.env.example`, `secrets.yaml.dist`, `secrets.example.yaml`) shows the form without the values: fine.
2. Stores of credentials by convention, wherever they lie: `.netrc`, `.npmrc`, `.kube/config`, `id_ed25519`,
   `terraform.tfstate`, `*.pem`, `*.key`, `*.kdbx`, `.env`, `prod.env`.
3. Data files (`yaml json toml ini conf txt csv …` or no extension) whose name is or begins or ends with a word for
   credentials: `secrets.yaml`, `secret.yaml`, `credentials-prod.json`, `admin-secret.yaml`, `passwords.txt`.

A note or a program under such a word (`secrets.md`, `credentials.rst`, `rotate_secrets.sh`, `secrets.py`) is *about*
credentials: it is read, and what it quotes is replaced string by string like anywhere else.
"""

from __future__ import annotations

from askwell.sources.words import words

REDACTION_VERSION = "2"
"""Changes whenever `redact` replaces other strings than before."""

_STORES = words(
    ".netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd htpasswd .htdigest .npmrc .yarnrc.yml "
    ".pypirc .dockercfg .dockerconfigjson .git-credentials .boto .s3cfg .passwd-s3fs rclone.conf .rclone.conf "
    ".vault-token .smbcredentials smbcredentials .msmtprc .esmtprc .fetchmailrc .authinfo .authinfo.gpg "
    "shadow shadow- gshadow gshadow- terraform.tfstate wpa_supplicant.conf chap-secrets pap-secrets auth.json "
    "service-account.json service_account.json .env .terraformrc terraform.rc .databrickscfg secring.gpg "
    "keys.txt"
)
_KEY_EXTENSIONS = words(
    "pem key p12 pfx p8 pkcs12 jks jceks bks keystore kdbx kdb ppk keytab agekey psafe3 opvault tfvars "
    "tfstate env ovpn kubeconfig mobileconfig"
)
_PLACES = (
    (".aws", "credentials"),
    (".kube", "config"),
    (".docker", "config.json"),
    (".cargo", "credentials"),
    (".cargo", "credentials.toml"),
    (".gem", "credentials"),
    (".m2", "settings.xml"),
    ("gh", "hosts.yml"),
)
_FOLDERS = frozenset({".gnupg", ".password-store"})
_KEY_ALGORITHMS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss")
_TEMPLATE_MARKS = words("example sample template tmpl tpl dist defaults stub skel j2 jinja jinja2 erb gotmpl")
_TEMPLATE_STEMS = frozenset({"example", "sample", "template"})

_DATA = words("yaml yml json jsonl toml ini conf cfg cnf env properties txt text csv tsv xml plist bak old")
_WORDS = words(
    "secret secrets credential credentials creds password passwords passphrase apikey apikeys api_key "
    "api_keys client_secret client_secrets vault_pass vault_password"
)
_HOLDERS = frozenset({"secret", "secrets", "credentials", "creds", "passwords"})
_STAGES = words("prod production dev development stage staging test local live backup old new enc sops 1 2 3")
_PUBLIC_WORDS = frozenset({"sealed", "external", "encrypted", "no", "without"})


def secret_name(path: str) -> str | None:
    """Return why the file at `path` (an identity path) is taken to hold credentials, or None if it is not.

    Judged by name alone, case-insensitively; the rules are the module's.
    """
    parts = path.lower().split("/")
    name = parts[-1]
    pieces = name.split(".")
    if pieces[-1] in _TEMPLATE_MARKS and len(pieces) > 1:
        return None
    kind = _convention(name, pieces, parts) or _word(name, pieces)
    return f"holds credentials by its name ({kind})" if kind else None


def redact(text: str) -> str:
    """Return `text` with credential-shaped strings replaced by `[redacted: KIND]`.

    The number of line breaks stays: a key over many lines becomes the marker and as many breaks. Placeholders,
    references, prose, hashes and commit ids stay. Redacting twice changes nothing more. Linear in the text.
    """
    from askwell.sources.shapes import redact as redact_shapes

    return redact_shapes(text)


def _convention(name: str, pieces: list[str], parts: list[str]) -> str:
    """Return the convention that makes a name a store of credentials, empty if none does."""
    extension = pieces[-1] if len(pieces) > 1 else ""
    if name in _STORES:
        return f"`{name}`"
    if name.startswith(".env.") and not _TEMPLATE_MARKS.intersection(pieces):
        return "`.env.*`"
    if extension in _KEY_EXTENSIONS:
        of_template = extension in ("env", "tfvars") and (
            pieces[0] in _TEMPLATE_STEMS or (len(pieces) > 2 and pieces[-2] in _TEMPLATE_MARKS)
        )
        return "" if of_template else f"`*.{extension}`"
    if name.endswith((".tfvars.json", ".tfstate.backup")):
        return "Terraform state or variables"
    if extension == "asc" and ("private" in name or "secret" in name):
        return "a private key"
    if name.startswith("id_") and extension != "pub" and (name.startswith(_KEY_ALGORITHMS) or not extension):
        return "`id_*`"
    if "kubeconfig" in name and extension in ("", "yaml", "yml", "json", "conf", "bak", "kubeconfig"):
        return "kubeconfig"
    if name.startswith(("service-account", "service_account", "client_secret", "gha-creds")) and extension == "json":
        return "a service account"
    if len(parts) > 1 and ((parts[-2], name) in _PLACES or not _FOLDERS.isdisjoint(parts[:-1])):
        return f"`{parts[-2]}/{name}`"
    return ""


def _word(name: str, pieces: list[str]) -> str:
    """Return the word in a data file's name that says that it holds credentials, empty if there is none."""
    bare = [piece for piece in pieces if piece]
    extension = bare[-1] if len(bare) > 1 else ""
    stems = bare[:-1] if extension else bare
    if (extension and extension not in _DATA) or _TEMPLATE_MARKS.intersection(stems):
        return ""
    stem = "_".join(stems).replace("-", "_").replace(" ", "_").removesuffix("_file")
    parts = stem.split("_")
    if stem in _WORDS or stem.endswith(("vault_pass", "vault_password")):
        return f"`{name}`"
    if parts[0] == "credentials" or (parts[0] in _HOLDERS and _STAGES.issuperset(parts[1:])):
        return f"`{parts[0]}*`"
    if extension and len(parts) > 1 and parts[-1] in _HOLDERS and parts[-2] not in _PUBLIC_WORDS:
        return f"`*{parts[-1]}.{extension}`"
    return ""
