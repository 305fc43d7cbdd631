"""Whether a question is about this system: what was indexed, the machines and files that the documents describe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.phrases import word_set
from askwell.stopwords import STOP_WORDS
from askwell.terms import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from askwell.ports import DocumentInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of this system without searching, within one audience.

    Attributes:
        names: Names of documents, folders and tags, folded words joined by a space: `tier drain`, `lanthorn`.
        words: Words of the question that some document holds.
        frequent: Those that several places hold: what is talked about here.
        listing: Whether the question counts or lists what is indexed.
    """

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    frequent: frozenset[str] = frozenset()
    listing: bool = False


_SPLIT = re.compile(r"[^\w]+|_+")
_NOT_A_NAME = word_set(
    "readme manual index main default config configuration template example notes note doc docs src lib bin "
    "test tests data file files misc new old todo draft inbox archive home list ideas idea work life day "
    "daily log logs tmp temp scripts script tools changelog license contributing roles tasks handlers "
    "defaults templates common base general overview guide setup howto how what why untitled page pages "
    "english deutsch faq about start year month week project projects area areas resources journal people "
    "books blue red green"
)
"""Words that name files everywhere and say nothing about this place."""

_COMMON = word_set(
    "alert alerts architecture automation automations backup backups boot build cache calendar cert certs "
    "compose conf container dashboard decisions deploy design devices dns docker env family finance food "
    "garden glossary hardware health hosts house incidents install inventory kitchen lock mail media meeting "
    "memory monitoring music naming network nodes photos pools ports power recipes restore running schedule "
    "search security send sensors server share shopping site sleep storage support switch sync system "
    "templates time travel trial troubleshooting update users video vpn wake watch web weather wiki writing "
    "yedek sicherung netz"
)
"""Names that are ordinary words too: they count behind `the`, `our`, `my`."""

_LONGEST_NAME = 4
"""Words of a name that a question may be expected to repeat."""


def names_of(infos: Iterable[DocumentInfo]) -> frozenset[str]:
    """Return what the documents, their folders and tags are called: folded, words joined by a space.

    `Manual-Lanthorn.md` gives `lanthorn`, `storage/tier_drain.sh` gives `storage` and `tier drain`.
    """
    found: set[str] = set()
    folders: set[str] = set()
    for info in infos:
        *parents, file = info.path.split("/")
        folders.update(parents)
        stem = file.partition(".")[0] or file.strip(".")
        for text in (stem, info.title, *info.metadata.aliases, *info.metadata.tags):
            _add(text, found)
    for folder in folders:
        _add(folder, found)
    return frozenset(found)


def _add(text: str, found: set[str]) -> None:
    words = [word for word in _SPLIT.split(fold(text[:120])) if word]
    while words and words[0] in _NOT_A_NAME:
        words = words[1:]
    while words and words[-1] in _NOT_A_NAME:
        words = words[:-1]
    if not words or len(words) > _LONGEST_NAME or words[0] in _ENGLISH or words[-1] in _ENGLISH:
        return
    if len(words) == 1 and (len(words[0]) < 3 or words[0].isdigit() or words[0] in _ENGLISH):
        return
    if not all(word in _ENGLISH or word.isdigit() for word in words):
        found.add(" ".join(words))


_ENGLISH = STOP_WORDS["en"]

_SHAPED = re.compile(
    r"(?<![\w/.@-])(?:[\w-]+\.(?:md|sh|bash|py|pl|php|ps1|sql|conf|cfg|ini|toml|ya?ml|json|txt|rst|template|service"
    r"|timer|env|log|mount)\b|[A-Za-z][A-Za-z0-9]*_\w+|~?/(?:[\w.-]+/)+[\w.-]*|(?:[\w-]+/){2,}[\w.-]+"
    r"|[A-Z][A-Z0-9]{2,}_[A-Z0-9_]+)"
)
"""Files, paths and settings by their shape, as typed: `snake_case` may be general knowledge, so it is checked below."""

_GENERAL = re.compile(
    r"\A(?:snake_case|utf_8|x86_64|amd_64|read_me|hello_world|/etc/(?:passwd|hosts|fstab)|/dev/null)\Z"
)

_THINGS = (
    r"(?:servers?|nas|router|firewall|switch|rack|pi|raspberry|backups?|snapshots?|containers?|disks?|drives?|array"
    r"|pool|dataset|datasets|share|shares|mount|mounts|database|db|vpn|wireguard|tunnel|dns|proxy|reverse proxy|wifi"
    r"|wlan|network|lan|vlan|printer|scanner|cameras?|ups|services?|scripts?|jobs?|cron|crontab|timers?|daemon"
    r"|dashboards?|alerts?|monitoring|replication|sync|exporter|importer|mover|cluster|nodes?|vms?|hypervisor|homelab"
    r"|home lab|setup|stack|deployment|pipeline|repo|repository|vault|notes|note|docs|documentation|manual|readme"
    r"|runbook|wiki|config|configuration|settings?|logs?|index|compose file|media server|plex|jellyfin|nextcloud"
    r"|home assistant|hub|gateway|mail server|web server|website|site|domain|certificates?|certs?|laptop|desktop"
    r"|machine|machines|box|boxes|host|hosts|computer|workstation|phone system|heating|thermostat|boiler|inverter"
    r"|solar)"
)
_OURS = r"(?:my|our|this|these)"
_POINTS = re.compile(
    rf"\b{_OURS} (?:\w+ ){{0,2}}?{_THINGS}\b"
    r"|\b(?:in|from|according to|across|through|search) (?:the|my|our|these) (?:\w+ )?(?:docs|documents|documentation"
    r"|notes|vault|repo|repository|wiki|manual|readme|runbooks?|scripts|files)\b"
    r"|\b(?:do|did|does|should|can|have|are|were) (?:we|our)\b[^\n]{0,120}\b(?:here|use|used|run|keep|store|have|host"
    r"|back up|backup|deploy|configure|monitor|choose|decide|set up|call|handle)\b"
    r"|\bwhere (?:did|do|have|is|are) (?:i|we|my|our)\b|\bwhat (?:did|have|do) (?:i|we) (?:write|written|wrote|note"
    r"|noted|say|said|decide|decided|know|have|use|do) (?:down |about|for|on|when|in|as)"
    r"|\b(?:did|have) (?:i|we) (?:ever |already )?(?:write|written|note|noted|document|documented|set up|configure"
    r"|configured|decide|decided|do|done|make|made|build|built|solve|solved)\b"
    r"|\bhow (?:did|do) we\b|\bwhy (?:did|do|don't|are|have) we\b|\b(?:we|i) (?:documented|wrote down|noted)\b"
    r"|\b(?:list|find|show|search|which|are there|do i have|do we have) (?:me )?(?:all |any |every |the |my )*(?:notes"
    r"|documents|pages|scripts|runbooks|manuals) (?:about|on|for|that|which|mentioning|tagged|with)\b"
    r"|\bis (?:it|this|that) documented\b|\b(?:around|on|over|in) here\b|\bhere\b(?=[^\n]{0,3}\Z)|\bon this (?:machine"
    r"|host|box|system|network)\b"
    # German, Turkish, Swedish
    r"|\b(?:mein|meine|meinem|meinen|meiner|unser|unsere|unserem|unseren|unserer|diese|dieser|dieses"
    r"|diesem) (?:\w+ ){0,1}(?:server|nas|router|backups?|notizen|doku|dokumentation|skripte?|netz|netzwerk|rechner"
    r"|festplatten?|anlage|heizung|container|drucker|konfiguration|einstellungen|vault|repo|system|dienste?|datenbank"
    r"|wlan|sicherung)\b"
    r"|\b(?:in|laut|aus) (?:den|der|meinen|unseren|unserer) (?:notizen|dokumenten|dokumentation|doku|unterlagen)\b"
    r"|\bwo (?:habe|haben|hab) (?:ich|wir)\b|\bbei uns\b|\b(?:haben|nutzen|machen|verwenden|nehmen|betreiben) wir\b"
    r"|\b(?:har|anvander|kor|gor) vi\b|\bwie (?:haben|machen) wir\b|\bwas habe ich\b"
    r"|\b(?:sunucum|sunucumuz|yedegim|yedeklerim|yedeklerimiz|notlarim|notlarimda|agim|agimiz|sistemimiz|betiklerimiz"
    r"|ayarlarim|bizim|belgelerimde|belgelerde|depomuz\w*|makinem|diskim\w*|nasim\w*)\b|\b(?:bu sunucu|bu sistem"
    r"|bu makine)\w*\b"
    r"|\b(?:min|mina|mitt|var|vara|vart) (?:server|servrar|nas|router|backup|backuper|sakerhetskopior|anteckningar"
    r"|natverk|dator|datorer|disk|diskar|skript|installning\w*|skrivare|databas)\b|\bi (?:mina|vara) anteckningar\b"
    r"|\bhos oss\b"
)
_DEFINITE = re.compile(
    rf"\bthe (?:\w+ )?{_THINGS}\b"
    r"|\b(?:das|der|die|dem|den|vom|beim|zum|zur|im) (?:\w+ )?(?:backup|server|nas|router|sicherung|replikation|skript"
    r"|dienst|rechner|netz|drucker|datenbank|festplatten?|container|heizung|proxy|tunnel|pool|laufwerk|wlan|mailserver"
    r"|usv)\b"
    r"|\b(?:yedekleme|yedek|yedegi|yedekler|sunucu(?:da|dan|nun|yu|ya)?|betik|betigi|servis|servisi|kapsayici"
    r"|konteyner|disk|yazici|replikasyon|eslesme|veritabani)\b"
    r"|\b(?:servern|backupen|sakerhetskopian|sakerhetskopieringen|skriptet|natverket|routern|disken|databasen|tjansten"
    r"|containern|skrivaren|tunneln|replikeringen|poolen)\b"
)
_IN_GENERAL = re.compile(
    r"\b(?:the best|the fastest|the cheapest|the difference|in general|generally|usually|typically|in theory"
    r"|history of|in the world|the internet|should i buy|recommend|versus|vs|pros and cons|better than"
    r"|alternatives? to|who (?:invented|discovered|won|composed|directed|painted)|capital of|movie|film|novel|actor"
    r"|actress|president)\b"
)
_SUPPOSED = re.compile(
    rf"\b(?:how (?:many|often|long|much)|what (?:happens|if)|is there"
    rf"|are there)\b[^\n]{{0,60}}?\b{_THINGS}\b[^\n]{{0,40}}"
    r"\b(?:fails?|failed|breaks?|crash(?:es)?|stops?|is down|goes down|full|late|missing)\b"
)
_DEFINED = re.compile(
    r"\W*(?:and |so )?(?:what|who)(?:'s| is| are| was) (\w{3,30})\W*|\W*(?:was|wer|vad|vem) (?:ist|sind"
    r"|ar) (\w{3,30})\W*|(\w{3,30}) (?:nedir|kimdir|ne)\W*"
)
_ATTRIBUTE = re.compile(
    r"\b(?:(?:which|what) (?:files?|scripts?|documents?|notes?|folder|machine|host|node|container|template|variable"
    r"|setting)|ports?|ip|address|hostname|version|schedule|cron|interval|retention|threshold|timeout|path|folder"
    r"|password file|setting|option|variable|flag|mtu|subnet|vlan|volume|user id|uid|quota|limit|default|polling"
    r"|uptime|deployed|installed|configured|running|hosted|backed up|stored|logged|mounted|einstellung|passwort"
    r"|anschluss|ayari|portu|installning)\b"
)


def about_here(text: str, folded: str, around: Known) -> str:
    """Return the sign that a question is about this system; empty if there is none.

    Args:
        text: As typed: names are told by their shape.
        folded: The same after `terms.fold`.
        around: What is known of this system.
    """
    for shaped in _SHAPED.finditer(text):
        if not _GENERAL.match(shaped[0].casefold()):
            return shaped[0]
    if points := _POINTS.search(folded):
        return points[0]
    if _IN_GENERAL.search(folded):
        return ""
    if name := _named(folded, around.names):
        return name
    if definite := _DEFINITE.search(folded):
        return definite[0]
    if (supposed := _SUPPOSED.search(folded)) and (thing := _known(supposed[0], "", around.words)):
        return f"what holds for {thing}"
    if defined := _DEFINED.fullmatch(folded):
        term = str(next(filter(None, defined.groups())))
        if term in around.frequent:
            return term
    if (attribute := _ATTRIBUTE.search(folded)) and (known := _known(folded, attribute[0], around.words)):
        return f"{attribute[0]} of {known}"
    return ""


def here_and_now(folded: str, around: Known) -> str:
    """Return the words by which a fault is one of here although nothing is named.

    They are a time that just passed, a word that the index holds in `what is wrong with …`, or a place that is
    talked about here.
    """
    if found := _NOW.search(folded):
        return found[0]
    if (wrong := _WRONG_WITH.search(folded)) and (known := _known(wrong[1], "", around.words)):
        return known
    return next((place[1] for place in _PLACE.finditer(folded) if place[1] in around.frequent), "")


_NOW = re.compile(
    r"\b(?:last night|this morning|since (?:\w+day|(?:the|last|this) (?:update|reboot|upgrade|power cut|night|week)))\b"
)


_PLACE = re.compile(r"\b(?:on|at|auf|pa) (\w{3,40})\b")
_WRONG_WITH = re.compile(
    r"\b(?:wrong|the matter|up|going on|happening|los|fel) (?:with|on|mit|med|pa) ([^\n,.?!]{1,80})"
)


def _named(folded: str, names: frozenset[str]) -> str:
    """Return the longest name that the question holds as whole words; an ordinary word only behind a determiner."""
    words = [word for word in _SPLIT.split(folded) if word][:200]
    for size in range(_LONGEST_NAME, 0, -1):
        for at in range(len(words) - size + 1):
            name = " ".join(words[at : at + size])
            if size == 1 and (name not in names or (name in _COMMON and words[at - 1 : at] not in _DETERMINED)):
                continue
            if name in names or "".join(words[at : at + size]) in names:
                return name
    return ""


_DETERMINED = [[word] for word in ("the", "our", "my", "unser", "unsere", "das", "mein", "var", "vara")]


def _known(folded: str, attribute: str, words: frozenset[str]) -> str:
    return next((word for word in _SPLIT.split(folded) if word in words and word not in attribute), "")
