"""What sort of value a question asks for, and whether a text has one: a number, a date, a path, a setting, a reason."""

from __future__ import annotations

import re
from enum import StrEnum


class Asked(StrEnum):
    """A kind of value, or a form of answer."""

    NUMBER = "number"
    DATE = "date"
    VERSION = "version"
    PATH = "path"
    ADDRESS = "address"
    SETTING = "setting"
    FLAG = "flag"
    COMMAND = "command"
    NAME = "name"
    LOGIN = "login"
    LIST = "list"
    STEPS = "steps"
    REASON = "reason"
    DEFINITION = "definition"


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts))


# Matched against the casefolded question; English, German, Turkish, Swedish. Fixed phrases, one bounded gap: linear.
_WORDING: dict[Asked, re.Pattern[str]] = {
    Asked.NUMBER: _any(
        r"\bhow (?:many|much|long|often|big|large|old|fast|far|soon)\b|\bhow .{1,20}\b(?:seconds|minutes|days|hours)\b",
        r"\b(?:number|amount|size|limit|count|share|percent\w*) of\b|\bnumber\b|\bport\b",
        r"\b(?:limit|maximum|minimum|max|min|biggest|smallest|largest|timeout|interval|quota|retention)\b",
        r"\bwie ?(?:viele?|lange|oft|groß|hoch)\b|\banzahl\b|\bgrenze\b",
        r"\bkaç\b|\bne kadar\b|\bsüre\w*\b|\bsınır\w*\b",
        r"\bhur (?:många|mycket|länge|ofta|stor)\b|\bantal\b|\bgräns\w*\b",
    ),
    Asked.DATE: _any(
        r"\bwhen\b|\bwhat (?:date|day|time|hour|year)\b|\bat what\b|\bhow often\b|\bschedule\w*\b",
        r"\bwann\b|\buhrzeit\b|\bne zaman\b|\bsaat kaçta\b|\bnär\b",
    ),
    Asked.VERSION: _any(r"\bversion\w*\b|\brelease\b|\bpinned\b|\bsürüm\w*\b|\bausgabe\b|\btag\b"),
    Asked.PATH: _any(
        r"\bwhere\b|\b(?:path|folder|directory|file ?name|device|location|mount)\b|\bwhich files?\b",
        r"\bwo\b|\bwohin\b|\bordner\b|\bpfad\b|\bverzeichnis\b|\bnerede\b|\bhangi klasör\b|\bvar\b|\bmapp\w*\b",
    ),
    Asked.ADDRESS: _any(r"\b(?:url|address|ip|host ?name|vip|subnet|pool|domain|endpoint)\b|\badresse?\b|\badres\w*\b"),
    Asked.SETTING: _any(
        r"\b(?:variable|setting|option|parameter|env|key|knob|switch|configur\w*)\b|\bset to\b|\bdo i set\b",
        r"\b(?:disable|enable|turn (?:on|off)|switch(?:ed)? (?:on|off)|skip|force|stop|prevent)\b|\bdefault\b",
        r"\b[a-z0-9]+_[a-z0-9_]{2,}\b|\beinstellung\b|\bvariable\b|\bstandard\b|\bayar\w*\b|\binställning\w*\b",
    ),
    Asked.FLAG: _any(r"(?:^|\s)--?[a-z][\w-]*|\bflags?\b|\bswitch\b|\bargument\b|\bcommand[- ]line\b|\bdry[- ]?run\b"),
    Asked.COMMAND: _any(r"\bcommand\b|\brun\b|\bscript\b|\bhow (?:do|to|can)\b|\bexecute\b|\bbefehl\b|\bkomut\b"),
    Asked.NAME: _any(
        r"\bwho\b|\bwhose\b|\bname of\b|\bcalled\b|\bauthor\b|\bdeveloper\b|\bwer\b|\bwem\b|\bkim\b|\bvem\b"
    ),
    Asked.LOGIN: _any(
        r"\b(?:login|password|credential\w*|username|user name)\b|\bkennwort\b|\bpasswort\b|\bparola\b|\blösenord\b"
    ),
    Asked.LIST: _any(
        r"\blist\b|\b(?:which|what) (?:\w+ ){0,3}?\w{3,}s\b|\bwhich of\b|\ball (?:the )?\w+s\b|\bin which \w+s\b",
        r"\bwhat are\b|\bkinds? of\b|\btypes? of\b|\bwelche\b|\bhangileri\b|\bvilka\b",
    ),
    Asked.STEPS: _any(
        r"\bhow (?:do|to|can|should|did)\b|\bsteps?\b|\bset ?up\b|\binstall\b|\bnasıl\b|\bcómo\b",
        r"\bwie (?:kann|mache|geht|lässt|richte)\b|\bhur (?:gör|kan)\b",
        r"^(?:\w+ )?(?:make|move|use|find|import|re-?download|restrict|run|separate|redirect|rebuild|pick|list|pin)\b",
        r"^(?:\w+ )?(?:restore|add|create|change|remove|delete|switch|configure|install|export|share|connect)\b",
    ),
    Asked.REASON: _any(
        r"\bwhy\b|\breasons?\b|\bhow come\b|\bpurpose\b|\bdanger\b|\bwarum\b|\bwieso\b|\bneden\b|\bniye\b|\bvarför\b"
    ),
    Asked.DEFINITION: _any(
        r"^\W*what does \S{1,80} do\b",
        r"^\W*what(?:'s| is| are)\b|\bmean(?:s|ing|t)?\b|\bstands? for\b|\bdefinition\b|\b(?:vs|versus|difference)\b",
        r"^\W*was (?:ist|sind|bedeutet)\b|\bnedir\b|\bne demek\b|\bvad (?:är|betyder)\b",
    ),
}

_HELD: dict[Asked, re.Pattern[str]] = {
    Asked.NUMBER: re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|zwei|drei|iki|üç|två|tre)\b"),
    Asked.DATE: re.compile(
        r"\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}:\d{2}\b|\b(?:19|20)\d{2}\b|\b(?:daily|weekly|monthly|hourly|nightly|every)\b"
        r"|(?:[\d*/,]{1,9} ){4}[\d*]"
    ),
    Asked.VERSION: re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    Asked.PATH: re.compile(
        r"(?:^|[\s`\"'(=:])(?:~|\.{0,2})/[\w.]|\b[\w-]{1,80}\.(?:md|ya?ml|json|toml|conf|cfg|ini|sh|py|php|log|env)\b"
        r"|\b\w{1,80}/\w"
    ),
    Asked.ADDRESS: re.compile(
        r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\w://|\b[\w-]{1,63}\.(?:local|lan|internal|com|org|net|io|dev|md)\b"
    ),
    Asked.SETTING: re.compile(
        r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b\w{1,80}[ \t]{0,9}[=:][ \t]{0,9}\S|\b[a-z]+(?:_[a-z0-9]+)+\b"
        r"|\b[a-z]+[A-Z]\w+\b|`[\w.-]{1,80}`"
    ),
    Asked.FLAG: re.compile(r"(?:^|[\s`\"'(|\[])--?[A-Za-z][\w-]*"),
    Asked.COMMAND: re.compile(
        r"`[^`\n]{3,300}`|^[ \t]{0,12}(?:\$ |sudo |[\w./-]{1,80} (?:--?\w|[\w./-]{1,80} ))|```", re.MULTILINE
    ),
    Asked.NAME: re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z]\w+|\[\[[^\]\n]{1,200}\]\]|@\w+"),
    Asked.LOGIN: re.compile(r"(?i)\b(?:password|username|user|login|admin|credential)\b"),
    Asked.REASON: re.compile(
        r"(?i)\b(?:because|since|as|so that|due to|otherwise|in order to|avoid|prevent\w*|caus\w+|reason|must|cannot"
        r"|can't|not|only|needs?|likely|therefore|weil|damit|sonst|çünkü|eftersom|därför)\b"
    ),
    Asked.DEFINITION: re.compile(
        r"(?i)\b(?:is an?|are|means?|refers to|stands for|is the|ist ein\w*|bedeutet|är en?|denir|dır|dir)\b|[—–:] "
    ),
}


def asked_of(question: str) -> frozenset[Asked]:
    """Return what the question asks for; empty if nothing is recognised. Several may hold."""
    text = question[:2000].casefold()
    return frozenset(kind for kind in Asked if _WORDING[kind].search(text))


def has_value(text: str, asked: frozenset[Asked]) -> float:
    """Return which share of the asked kinds of value `text` has, in [0, 1]; 0.0 if none is asked for.

    A form of answer (a list, steps) is no value and does not count.
    """
    kinds = [kind for kind in asked if kind in _HELD]
    return sum(_HELD[kind].search(text[:4000]) is not None for kind in kinds) / len(kinds) if kinds else 0.0
