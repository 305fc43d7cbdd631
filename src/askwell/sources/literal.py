"""Tells a credential written out from what stands in its place: a placeholder, a reference, a word of prose."""

from __future__ import annotations

import re
from functools import lru_cache

from askwell.sources.words import words

# One of these as a part of the value (`your-token`, `changeme`, `example_key`) and it is nobody's credential.
_STAND_INS = words(
    "changeme change changeit example examples placeholder dummy sample redacted replace replaceme insert "
    "todo fixme your yours yourself foobar fake mock removed masked hidden omitted mypass mypassword mysecret "
    "mytoken dummypassword censored snip goes"
)

# A value made of these alone describes a credential, names its type, or is a default that everybody knows.
_WORDS = _STAND_INS | words(
    "a an the my me this that it its here with some any for of in on at to from by and or not no yes is are "
    "be as if token tokens password passwords passwd pass pwd secret secrets key keys api apikey auth "
    "credential credentials passphrase passcode passwort kennwort contraseña contrasena parola şifre lösenord "
    "value values name string str text bool boolean int integer number bytes float char varchar object array "
    "list map dict type any required optional mandatory default defaults none null nil undefined empty blank "
    "unset true false on off enabled disabled enable disable auto automatic random generated generate prompt "
    "ask input stdin env environment variable file path vault keyring keychain external internal files compat "
    "sss nis systemd bearer basic digest plain plaintext hash hashed encrypted bcrypt admin root guest user "
    "username demo test testing public private local readonly see use used using same above below stored set "
    "must should can will only new old current valid invalid wrong incorrect missing unknown forgotten reset "
    "enter sha1 sha256 sha384 sha512 sha md5 base64 base32 hex oauth oauth2 oidc jwt saml ldap hs256 rs256 "
    "es256 ed25519 rsa aes aes256 hmac pbkdf2 argon2 argon2id scrypt utf8 x509 totp hotp otp 2fa mfa u2f "
    "fido2 webauthn"
)
_PIECES = re.compile(r"[\s_./:+-]+")
_MASK = re.compile(r"x{4,}|\*{3,}|•{2,}|\.{3}|…|_{4,}|#{4,}", re.IGNORECASE)

_REFERENCE = re.compile(
    r"""
      [\\'\".>]{0,4}\$\{?[A-Za-z_]\w*(?:[/:}'\"\\,.\[-].*)?   # $HOME/x \$VAR '$x' .$_SESSION[…] $a->b
    | \$(?:\w+|\{.*|\(.*|env:.*|\$.*|\w+\{.*)?   # $VAR ${VAR} $(command)
    | [<\[{(].*                                  # <your token> [redacted: …] {name} (see below)
    | %(?:\w+%|[sdr]|\(.*)                       # %VAR% %s %(name)s
    | [!&*@:]{1,2}[A-Za-z_][\w./-]*              # !secret &anchor *anchor @parameter :parameter
    | (?:~|\.{1,2})/.*                           # ~/file ./file
    | /(?:run|etc|var|home|opt|root|usr|tmp|data|config|secrets?|mnt|srv|app|vault|dev|proc|sys|path|var)(?:/.*)?
    | /(?:[\w@-]+/)*[\w@-]+\.[A-Za-z]{1,5}       # /a/b.ext
    | [A-Za-z]:\\.*                              # C:\file
    | [a-z][a-z0-9+.-]{1,20}://.*                # an address; credentials in it have their own pattern
    | [A-Za-z_$][\w.$:>-]*[(\[{].*               # call(…) name[…] call{…}
    | \.\*.*|\\f[BIR].*                          # of a regular expression, of a manual page
    | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+              # NAME_OF_A_VARIABLE
    | (?:self|this|os|process|env|config|settings|vars?|local|module|data|secrets|steps|inputs|github|params|args|
         opts|options|request|req|ctx|each|values)(?:[.].*|->.*)
    | \.?[A-Za-z_][A-Za-z_]*(?:(?:\.|->|::)[A-Za-z_]+)+     # object.attribute
    | sha(?:1|224|256|384|512)[-:].*
    | (?:ENC|AES256_GCM|vault|op|ssm|arn|ref|file|env|secret|base64)[\[:].*
    | [~^<>=]{0,2}[ ]?v?\d+(?:\.\d+)+(?:[-+][\w.]+)?    # a version
    | \d{4}-\d\d(?:-\d\d.*)?                     # a date
    | \d+[ ]?(?:ms|s|sec|m|min|h|d|w|y|days?|hours?|minutes?|seconds?|[kmgt]i?b|[kmg]|%|chars?|bytes|bits?)
    """,
    re.VERBOSE,
)
_EMBEDDED_REFERENCE = re.compile(r"\$\{|\$\(|\{\{|\}\}|\{%|%\}|<%|#\{")
_CREDENTIAL_WORD = re.compile(r"pass|pwd|secret|token|key|cred|auth", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_.-]*")
_FUNCTION_WORDS = words(
    "is are the a an your you my our their to for of in on at with and or not no must should can cannot has "
    "have be was were this that please enter new old current too again from by if it as does do did will use "
    "see und der die das ist dein ihr bitte le la les votre est su tu el din ditt het uw"
)


@lru_cache(maxsize=4096)  # the same few values stand in a file again and again
def is_placeholder(value: str) -> bool:
    """Return whether `value` stands in for a credential: `changeme`, `<token>`, `${TOKEN}`, `xxxx`, nothing."""
    if len(value) < 3 or len(set(value)) <= 2 or _MASK.search(value):
        return True
    if value.startswith(("<", "[redacted", "{")) or _EMBEDDED_REFERENCE.search(value) or _REFERENCE.fullmatch(value):
        return True
    pieces = [piece for piece in _PIECES.split(value.lower()) if piece]
    if any(piece in _STAND_INS for piece in pieces):
        return True
    return all(piece in _WORDS for piece in pieces)


def is_strong(value: str) -> bool:
    """Return whether `value` can hardly be a word or a name: long, and of mixed characters."""
    if len(value) < 8:
        return False
    lower = any(c.islower() for c in value)
    upper = any(c.isupper() for c in value[1:])
    digit = any(c.isdigit() for c in value)
    symbol = any(not c.isalnum() and c not in "-_./" for c in value)
    kinds = lower + upper + digit + symbol
    return kinds >= 3 or (kinds >= 2 and digit and len(value) >= 16)


def is_loose_literal(value: str) -> bool:
    """Return whether `value` is a credential where only loose words announce it: `--token VALUE`, `Bearer VALUE`."""
    if is_placeholder(value):
        return False
    digit = any(c.isdigit() for c in value)
    return is_strong(value) or (digit and len(value) >= 6 and not value.isdigit()) or (digit and len(value) >= 12)


def is_mixed(value: str, *, run: int = 5, digits: int = 1) -> bool:
    """Return whether `value` is no placeholder and has letters and digits within one piece that is no known word.

    `hunter2` is; `16-byte`, `base64-encoded`, `Ctrl+F12` and `SHA-256` are not.

    Args:
        value: Without quotes and closing punctuation.
        run: How long such a piece is at least.
        digits: How many digits it has at least.
    """
    if is_placeholder(value) or len(value.split()) != 1 or "[redacted" in value:
        return False
    return any(
        len(piece) >= run
        and piece not in _WORDS
        and any(c.isalpha() for c in piece)
        and sum(c.isdigit() for c in piece) >= digits
        for piece in _PIECES.split(value.lower())
    )


def is_literal(value: str, *, password: bool, quoted: bool, alone: bool, prose: bool) -> bool:
    """Return whether the value assigned to a credential's name is the credential itself.

    Args:
        value: Without quotes and closing punctuation.
        password: The name says password; people choose words for these, machines make the others.
        quoted: It stands in quotes.
        alone: The assignment begins its line.
        prose: Words follow on the same line.
    """
    if is_placeholder(value) or (not quoted and _names_a_credential(value)):
        return False
    if " " in value:
        return _is_passphrase(value) if password else False
    if value.isdigit():
        return len(value) >= 12 or (password and len(value) >= 4 and (quoted or not prose))
    if prose and not quoted:
        return is_strong(value)
    if _IDENTIFIER.fullmatch(value) or value.isalpha():
        return _is_word_as_password(value, quoted=quoted, alone=alone) if password else is_strong(value)
    return len(value) >= 4 and (quoted or alone or password or len(value) >= 6)


def _names_a_credential(value: str) -> bool:
    """Return whether `value` is an identifier such as `db_password` or `tokenFromVault`."""
    return _IDENTIFIER.fullmatch(value) is not None and _CREDENTIAL_WORD.search(value) is not None


def _is_word_as_password(value: str, *, quoted: bool, alone: bool) -> bool:
    if not quoted and ("_" in value or "." in value):
        return False  # a variable, in code
    return len(value) >= 4 and (quoted or alone) and not value.isupper()


def _is_passphrase(value: str) -> bool:
    """Return whether words in quotes are a passphrase and not a label or a message."""
    spoken = value.lower().split()
    if len(spoken) < 4 or not all(word.isalpha() and word.islower() for word in value.split()):
        return False
    return not _FUNCTION_WORDS.intersection(spoken)
