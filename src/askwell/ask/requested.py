"""Whether a text asks for something to be written: a script, a command, a configuration. Anchored on the verb.

"write me a script" asks for one; "what does this script do" and "who wrote the script" do not. English, Swedish and
German imperatives open a clause; German questions and Turkish close with the verb. Text is folded (`terms.fold`).
"""

from __future__ import annotations

import re

_CLAUSE = re.compile(r"[.!?;:,\n]+(?:\s+|\Z)|\s+(?:-|–|—)\s+")

_ARTEFACT = (
    r"(?:(?:bash|shell|python|perl|php|powershell|awk|sed|sql|zsh|posix|ansible|docker|nginx|caddy|cron|systemd|yaml"
    r"|git|udev|logrotate|rsync|restic|jq|makefile|compose|config|unit|timer|backup|cleanup|clean-up|wrapper|test"
    r"|regex|hook|pre-commit|traefik|apache|wireguard|prometheus|grafana|helm|terraform|kubernetes|k8s|home"
    r"|assistant)[ -]){0,4}(?:scripts?|skripts?|skripte|function|funktion|functions|snippets?|one-?liners?|oneliner"
    r"|commands?|command line|program|programs|program{1,2}|cron ?jobs?|crontab(?: entry| line)?|cron (?:entry|line"
    r"|expression)|systemd (?:unit|service|timer)|unit files?|service file|service unit|timer unit|timer|(?:docker"
    r"|container|caddy|just|jenkins|vagrant|proc|brew|tilt|snake)file|compose (?:file|stack|service)"
    r"|docker-compose(?:\.ya?ml| file)?|playbooks?|ansible (?:role|task)|makefile|config(?:uration)?(?: file| block"
    r"| snippet)?|conf file|yaml|json schema|toml|env file|ini file|vhost|server block|reverse proxy (?:config\w*"
    r"|block)|regex|regexp|regular expression|query|sql query|sql|loop|for loop|while loop|pipeline|alias|aliases"
    r"|wrapper|hook|git hook|post-merge hook|udev rules?|firewall rules?|iptables rules?|nft rules?|logrotate (?:rule"
    r"|config|file)|automation|template|manifest|helm chart|parser|unit tests?|test cases?|tests?(?! results?)|code"
    r"|backup job|befehl|befehle|einzeiler|konfiguration|konfigurationsdatei|abfrage|programm|schleife|vorlage|regel"
    r"|automatisierung|kommando|kommandorad|konfigurationsfil|fraga|slinga|mall|rolle|statements?|cron-rad|cron-jobb"
    r"|scraper|crawler|daemon|betik|betigi|komut|fonksiyon|sorgu|yapilandirma|dongu|kod|sablon|otomasyon|playbook'u"
    r"|alias'i)"
)
_GAP = r"(?:[\w'+#./-]+ ){0,5}?"
"""Words between an article and what is to be written: `a small idempotent`."""

_POLITE = (
    r"(?:(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|now|then|and|also|great|thanks|thank you|next|instead|first"
    r"|bitte|jetzt|dann|und|also|nun|snalla|nu|sedan|och|lutfen|simdi) ){0,4}"
)
_CAN_YOU = (
    r"(?:(?:(?:can|could|would|will) you(?: please| kindly| maybe)?|i(?:'d| would) like you to|i want you to"
    r"|i need you to|help me(?: to)?|let's|lets|let us|you (?:should|could|can)|go ahead and|try to"
    r"|could you help me(?: to)?|can you help me(?: to)?|kan du(?: snalla)?|skulle du kunna|would you mind) ){0,2}"
)
_VERB = (
    r"(?:write(?: up| out)?|writing|draft|create|generate|compose|code(?: up)?|script|build|make|implement|produce"
    r"|prepare|come up with|put together|hack together|throw together|whip up|sketch|craft|author|give me|cook up"
    r"|knock up|skriva?|skapa|gor|generera|ge mig|ta fram|bygg|schreib|schreibe|schreibt|erstell|erstelle|generier"
    r"|generiere|mach|mache|bau|baue|gib mir|entwirf|formulier)"
)
_FOR_ME = r"(?: (?:me|us|mir|uns|mig|oss|up|bitte|please|mal|eben|schnell|snabbt|at mig|at oss|for me))*"
_ARTICLE = (
    r"(?: (?:a|an|another|some|the|one|two|three|this|that|my|new|ein|eine|einen|einem|noch ein|das|den|die|en|ett"
    r"|nagra|me a|me an))?"
)

_OPENS = re.compile(rf"\A\W*{_POLITE}{_CAN_YOU}{_POLITE}{_VERB}{_FOR_ME}{_ARTICLE} (?P<what>{_GAP}{_ARTEFACT})\b")
_WANTS = re.compile(
    r"\A\W*(?:(?:so|hi|hey|hello|and|now|also|ok|okay|well) ){0,3}(?:i|we)(?:'d|'m|'re| would)? (?:also |just "
    r"|really )?(?:need|looking for|want|like|could use|am looking for|are looking for)(?: you)?(?: to have)? (?:a|an"
    r"|some|another|one) "
    rf"(?P<what>{_GAP}{_ARTEFACT}) (?:that|which|to|for|who|so|doing|with)\b"
)
_IN_LANGUAGE = re.compile(
    rf"\A\W*{_POLITE}{_CAN_YOU}{_POLITE}{_VERB}{_FOR_ME}{_ARTICLE} (?P<what>(?:[\w'+#./-]+ ){{1,8}}?"
    r"(?:in|using|with) (?:python|bash|perl|php|powershell|go|rust|awk|sed|javascript|typescript|ruby|lua|sql"
    r"|pure shell))\b"
)
_OF_LANGUAGE = re.compile(
    rf"\A\W*{_POLITE}{_CAN_YOU}{_POLITE}{_VERB}{_FOR_ME}{_ARTICLE} (?P<what>(?:\w+ ){{0,3}}?"
    r"(?:python|bash|perl|php|powershell|awk|sed|javascript|typescript|ruby|lua|sql|terraform|ansible) \w+)\b"
)
_NAMED = re.compile(
    rf"\A\W*(?:an? )?(?:quick|simple|small|short|little|tiny) (?P<what>{_GAP}{_ARTEFACT}) (?:to|that|which|for)\b"
)
_SHOW = re.compile(
    rf"\A\W*{_POLITE}{_CAN_YOU}(?:show|send|give|get) (?:me|us) (?:a|an|some) (?P<what>{_GAP}{_ARTEFACT})\b"
)
_TURN_INTO = re.compile(
    rf"\A\W*{_POLITE}{_CAN_YOU}{_POLITE}"
    r"(?P<what>(?:convert|turn|port|translate|rewrite|refactor|transform|change) [^\n]{1,120}? (?:in|to|into|as) "
    rf"(?:a |an |some )?{_GAP}(?:{_ARTEFACT}|python|bash|powershell|perl|sh|go|rust|awk|sql|ansible))\b"
)
_GERMAN = re.compile(
    rf"\b(?:kannst|konntest|kannste|wurdest|magst) du\b[^\n]{{0,60}}?\b(?:ein|eine|einen|nen"
    rf"|ne) (?P<what>{_GAP}{_ARTEFACT})\b"
    r"[^\n]{0,160}?\b(?:schreiben|erstellen|bauen|machen|generieren|geben|entwerfen|basteln)\b"
    rf"|\bich (?:brauche|brauch|hatte gern|mochte|will) (?:ein|eine|einen|nen) {_GAP}{_ARTEFACT}\b"
)
_SWEDISH = re.compile(rf"\bjag (?:behover|vill ha|skulle behova) (?:en|ett|nagra) (?P<what>{_GAP}{_ARTEFACT})\b")
_TURKISH_ARTEFACT = (
    r"(?:betik|betigi|script|scripti|skript|komut|komutu|fonksiyon|fonksiyonu|sorgu|sorgusu|sorgusunu|program|programi"
    r"|playbook|dockerfile|compose dosyasi|yapilandirma|yapilandirmasi|yapilandirma dosyasi|ayar dosyasi|regex|dongu"
    r"|kod|cron satiri|cron isi|alias|sablon|unit dosyasi|otomasyon|tek satirlik)"
)
_TURKISH = re.compile(
    rf"\b(?P<what>{_TURKISH_ARTEFACT})\b(?: \w+){{0,3}} "
    r"(?:yaz|yazin|yazsana|yazar misin|yazar misiniz|yazabilir misin|yazabilir misiniz|olustur|olusturur musun"
    r"|olusturabilir misin|hazirla|hazirlar misin|hazirlayabilir misin|uret|ver|verir misin|yapar misin|lazim"
    r"|gerekiyor|istiyorum)\b"
)
_IT = re.compile(
    rf"\A\W*{_POLITE}{_CAN_YOU}{_POLITE}(?:write|create|generate|draft|make|schreib|skriv) (?:it|one|that|this|es|den"
    rf"|det)"
    r"(?: (?:for|up|down|out|as|in) (?:me|us|\w+))?(?: please)?\W*\Z"
)
_THING = re.compile(rf"(?:\A\W*|\b(?:an?|the|en|ett|eine?n?) )(?P<what>{_GAP}{_ARTEFACT})\b")
_ALREADY = re.compile(
    r"\A\W*(?:what|which|why|who|whose|where|when|how|does|did|do|is|are|was|were|has|have|should|was|wer|wie|warum"
    r"|welche\w*|wo|wann|vad|vem|hur|varfor|vilk\w+)\b"
)
_PLAIN = re.compile(
    r"\b(?:poem|story|essay|song|letter|mail|email|joke|haiku|speech|birthday|recipe|summary|zusammenfassung|gedicht"
    r"|note about|toast|blog post|sense|sure|progress|changes? to my life|work for)\b"
)


def asks_to_write(folded: str) -> str:
    """Return what a text asks to be written, in its own words; empty if it asks for nothing of the kind.

    Args:
        folded: The text after `terms.fold`.
    """
    for clause in _CLAUSE.split(folded):
        text = " ".join(clause[:600].split())
        if not text or _ALREADY.match(text):
            continue
        for pattern in (
            _OPENS,
            _WANTS,
            _NAMED,
            _IN_LANGUAGE,
            _OF_LANGUAGE,
            _SHOW,
            _TURN_INTO,
            _GERMAN,
            _SWEDISH,
            _TURKISH,
        ):
            found = pattern.search(text)
            if found and not _PLAIN.search(found[0]):
                return (found.groupdict().get("what") or found[0]).strip()
        if _IT.match(text) and (thing := _THING.search(folded)) and not _PLAIN.search(folded):
            return thing["what"]
    return ""


_REVISES = re.compile(
    r"\A\W*(?:(?:please|now|then|and|also|ok|okay|great|nice|thanks|could you|can you|bitte|jetzt|nu"
    r"|simdi) ){0,4}(?P<what>(?:make (?:it|that|this)|add|remove|drop|change|rename|shorten|simplify|rewrite|use"
    r"|replace|let it|have it|instead|in (?:python|bash|perl|powershell|go|rust|zsh|sh|awk)|with(?:out)? \w+|as a \w+"
    r"|mach es|fuge|ersetze|gor den|lagg till|byt)\b)"
)


def revises(folded: str) -> str:
    """Return by which words a text changes what the turn before has written; empty if it does not."""
    found = _REVISES.match(folded[:200])
    return found["what"] if found else ""
