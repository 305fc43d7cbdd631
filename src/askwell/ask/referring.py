"""The words by which a follow-up is told, folded, in the languages that are read: English, German, Turkish, Swedish."""

from __future__ import annotations

from askwell.ask.phrases import BE, DO, PREPOSITIONS


def phrase_set(*phrases: str) -> frozenset[str]:
    """Return the phrases of lists that are written as texts, `|` between two."""
    return frozenset(phrase for line in phrases for phrase in line.split("|"))


# Whole questions, folded and without punctuation.
BARE = phrase_set(
    "why|why so|why not|why is that|why that|and why|but why|how come|how|how so|how exactly|and how|when|since when",
    "until when|and when|where|where exactly|and where|who|and who|which|which one|which ones|by how much|how many",
    "how many are there|how many of them|how much|how often|how long|what for|really|are you sure|is that so|what "
    "next|what then|and then|then what",
    "warum|wieso|weshalb|warum das|und warum|warum nicht|wie|wie genau|und wie|wann|seit wann|und wann|wo|und wo",
    "wer|und wer|welche|welcher|welches|wie viele|wie oft|wie lange|wirklich|und dann|wozu",
    "neden|niye|nicin|neden peki|peki neden|nasil|peki nasil|ne zaman|nerede|kim|hangisi|kac tane|gercekten mi|sonra",
    "varfor|varfor det|och varfor|varfor inte|hur|hur da|och hur|nar|och nar|var|vem|vilken|vilka|hur manga|hur ofta",
    "hur lange|verkligen|och sen|och sedan",
)
YES = phrase_set(
    "yes|yeah|yep|yes please|sure|ok|okay|please do|please|go ahead|do it|do that|of course|right|correct|y",
    "ja|ja bitte|klar|gerne|ja gerne|bitte|genau|mach das|evet|evet lutfen|tamam|olur|lutfen|tabii",
    "ja tack|garna|ja garna|visst|okej|gor det",
)
MORE = phrase_set(
    "more|more please|tell me more|go on|continue|and|more details|more detail|in more detail|in detail|details",
    "explain|please explain|can you explain|elaborate|can you elaborate|an example|for example|example|examples",
    "show me|show me an example|say more|anything else|what else|anything more|is that all|and what else|give me more",
    "mehr|mehr dazu|weiter|mehr details|genauer|erzahl mehr|ein beispiel|beispiel|zum beispiel|was noch|sonst noch was",
    "und sonst|erklar das|kannst du das erklaren|devam|devam et|daha fazla|daha fazlasi|detay|ornek|ornek ver|acikla",
    "baska|baska ne var|mer|mer om det|beratta mer|fortsatt|ett exempel|exempel|till exempel|vad mer|nagot mer",
)
COURTESY = phrase_set("please|bitte|lutfen|tack|thanks|pls")
LEADS = sorted(
    (
        tuple(lead.split())
        for lead in phrase_set(
            "what about|how about|and what about|and how about|but what about|what if it is|same for|the same for",
            "same question for|and the same for|and also|and|or|but|also|or rather|i mean|i meant|no i mean|no i meant",
            "was ist mit|und was ist mit|wie sieht es mit|und|oder|aber|und bei|wie ist es mit|wie ist es bei|auch",
            "dasselbe fur|ich meine|peki|ya|peki ya|vad sags om|hur ar det med|och hur ar det med|och|eller|men",
            "samma for|jag menar|vad galler for",
        )
    ),
    key=len,
    reverse=True,
)
WEAK = phrase_set("and|or|but|also|und|oder|aber|auch|peki|ya|och|eller|men")
"""Openings that a full question may have too."""

ORDINALS = (
    {
        word: place
        for place, words in enumerate(
            (
                "first 1st erste ersten erstes ilk birinci ilkini forsta",
                "second 2nd zweite zweiten zweites ikinci ikincisi ikincisini andra",
                "third 3rd dritte dritten drittes ucuncu ucuncusu tredje",
                "fourth 4th vierte vierten dorduncu fjarde",
                "fifth 5th funfte funften besinci femte",
            )
        )
        for word in words.split()
    }
    | dict.fromkeys(("last", "latter", "letzte", "letzten", "son", "sonuncu", "sista"), -1)
    | {"former": 0}
)
ONE = phrase_set(
    "one|ones|option|point|item|step|suggestion|eine|punkt|schritt|en|ett|alternativet|olani|tanesi|secenek"
)
CHOOSES = phrase_set("about|what|show|me|open|give|take|tell|pick|choose|i|mean|zeig|mir|nimm|visa|mig|oppna")
OTHER = phrase_set("other|others|andere|anderen|digeri|andra")

IT = phrase_set("it|its|it's|itself|he|she|him|his|her|er|es|ihn|ihm|onu|ona|onun|den|det|dess|honom|henne|han|hon")
THEY = phrase_set("they|them|their|theirs|onlar|onlari|onlara|onlarin|dem|de|deras")
THERE = phrase_set("there|dort|dorthin|orada|oraya|oradan|dar|dit")
THAT_ALONE = phrase_set("that|this|these|those|das|dies|bunu|buna|bunun|bundan|sunu|bunlar|bunlari|detta|det har")
DAFUR = phrase_set("damit|dafur|davon|darin|darauf|danach|dazu|dagegen|daran")
POINTERS = phrase_set("this|that|these|those|dieser|dieses|diese|diesen|diesem|bu|su|denna|detta|dessa")
OPENS = phrase_set(
    "if|when|because|while|since|after|before|and|but|so|although|that|what|where|how|which|who|wenn|weil|und|aber",
    "nachdem|bevor|om|nar|och",
)
HERE = phrase_set(
    "machine|server|system|week|month|year|repo|repository|vault|folder|house|time|way|place|network|computer|host",
    "morning|evening|night|project|question|box|directory|weekend|summer|winter|setup|homelab|site|mean|means",
    "rechner|woche|monat|jahr|system|netz|ordner|mal|makine|sunucu|sistem|hafta|ay|yil|klasor|dator|vecka|manad|ar",
)
"""What `this` may point at without a conversation."""

CLAUSE_VERBS = phrase_set(
    "know|sure|say|says|check|verify|ensure|so|such|think|see|show|shows|found|guarantee|assume|tell|told|prove",
    "confirm|notice|means|mean|now|given|provided|all|everything|one|ones|those|anything|something|hear|remember",
)
"""Before `that`, these open a clause."""

TAKES = phrase_set(
    "undo|do|does|did|is|was|are|like|with|for|about|from|after|before|fix|change|disable|enable|why|than|use|run"
    "|revert",
    "stop|start|restart|remove|delete|into|to|in|on|at|by|of|prevent|avoid|explain|see|set|configure|test|try|would",
    "should|could|can|will|has|have|had|without|if|and|when|how|what",
)
"""Before a `that` which stands for something."""

AFTER_THAT = (
    BE
    | DO
    | PREPOSITIONS
    | phrase_set(
        "work|works|mean|happen|happens|happened|and|or|but|again|too|then|if|when|safe|true|possible|normal|one|so"
        "|change"
    )
)
EXPLETIVE = phrase_set("finns|gibt|geht|gar|ist|dauert|tar|ar|regnet")
TO = phrase_set("to|that|if|for|whether|zu|dass|wenn|ob|att|om|when")
WISHES = phrase_set("need|needs|like|likes|want|wants|prefer|prefers")
GREETING = phrase_set("hi|hello|hey|out|over|up|down")
