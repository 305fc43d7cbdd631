"""Whether a text describes a fault that happened, as against one that might. Text is folded (`terms.fold`).

"why did the backup fail" describes one; "what happens if the backup fails" and "how many nights may it fail" ask what
the documents say.
"""

from __future__ import annotations

import re

_SUPPOSED = re.compile(
    r"\bwhat (?:happens|would happen|will happen|should (?:i|we) do|do (?:i|we) do|to do) (?:if|when|in case|after)\b"
    r"|\bwhat if\b|\bhow (?:many|often|much|long)\b[^\n]{0,40}\b(?:may|can|could|must|will|fail|failures|retries"
    r"|errors)\b"
    r"|\b(?:may|might|could|can|should|would|will|must) \w+ (?:fail|crash|break|hang)\b"
    r"|\b(?:is|are) there (?:an? )?\w+(?: \w+){0,3} (?:if|when)\b|\bhow (?:does|do|is|are|should"
    r"|would)\b[^\n]{0,80}\b(?:handle|handled|react|recover|detect|detected|notice|report|prevent|deal)\b"
    r"|\bhow (?:do|can|should) (?:i|we) (?:handle|prevent|avoid|detect|recover|restore|replace|get notified|know)\b"
    r"|\b(?:who|what) (?:is|gets|notifies|tells|warns|alerts|mails)\b[^\n]{0,60}\b(?:if|when)\b"
    r"|\bwhere\b[^\n]{0,60}\b(?:errors?|logs?|failures?)\b[^\n]{0,40}\b(?:go|goes|logged|written|kept|stored"
    r"|documented)\b"
    r"|\A\W*(?:which|who|what|where|does|do)\b[^\n]{0,40}\b(?:reports?|shows?|logs?|throws?|gives?|returns?|prints?)\b"
    r"|\bwhat (?:does|do)\b[^\n]{0,60}\b(?:mean|do)\b|\bmeaning of\b"
    r"|\bwas (?:passiert|ist zu tun|mache ich|tun)\b[^\n]{0,20}\bwenn\b|\bwas bedeutet\b"
    r"|\bne olur\b|\bolursa ne\b|\bvad hander (?:om|nar)\b|\bvad betyder\b"
)

_FAULTS = re.compile(
    # why did … fail: what happened is asked for
    r"\b(?:why|how come|what caused|what made|what causes)\b[^\n]{0,120}?\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed"
    r"|ing)?|hang(?:s|ing)?|hung|stuck|freez(?:e|es|ing)|froze|broke(?:n)?|breaking|down|dead|died?|dying|slow(?:er"
    r"|ly)?|errors?|erroring|exception|timeouts?|time out|timed out|timing out|missing|empty|corrupt(?:ed)?|full"
    r"|offline|unreachable|unavailable|unhealthy|degraded|red|wrong|restart(?:s|ing|ed)? (?:itself|again|all the time"
    r"|over and over|every|constantly)|keeps?|kept|stop(?:ped)?(?= |\W*\Z)|not (?:work|start|run|mount|boot|connect"
    r"|respond|show|load|find|sync|update|resolv|back|wake|print|index|complet|finish)\w*"
    r"|(?:won't|wont|doesn't|doesnt|didn't|didnt|isn't|isnt|can't|cant|cannot|couldn't|wasn't|hasn't|never)(?= \w"
    r"| *\W*\Z)|reject(?:s|ed|ing)?|denied|disappear(?:s|ed|ing)?|vanish(?:ed|es)?|gone|lost|skip(?:s|ped)?|loop(?:s"
    r"|ing)?|leak(?:s|ing)?|spike[sd]?|100 ?%|overheat\w*|dropp(?:ed|ing)|drops)\b"
    r"|\bwhy (?:won't|doesn't|isn't|can't|couldn't|wasn't|hasn't|cant|wont|doesnt|isnt)\b"
    r"|\bwhy (?:didn't|aren't|don't|didnt)\b(?! (?:we|i|you|they|people)\b)"
    # what is wrong
    r"|\bwhat(?:'s| is| was| went| has gone|s) wrong\b|\bwhat (?:is|'s) (?:the matter|up) with\b|\bwhats wrong\b"
    r"|\A\W*(?:please |can you |could you |help me |let's )?(?:debug|diagnose|troubleshoot|find out why|figure out why"
    r"|fix)\b|\bhelp me (?:debug|diagnose|troubleshoot|find out why|figure out why|fix)\b"
    # something is said to be at fault
    r"|\b(?:is|are|was|were|has|have|keeps?|got|went|seems?|looks|stays) (?:\w+ ){0,2}?(?:broken|down|stuck|failing"
    r"|failed|dead|offline|crashing|crashed|hanging|unreachable|unresponsive|corrupted|corrupt|not working"
    r"|not responding|not starting|not running|not mounted|not mounting|not syncing|timing out|restarting|degraded"
    r"|read-only all of a sudden)\b"
    r"|\b(?:doesn't|doesnt|does not|won't|wont|will not|can't|cant|cannot|couldn't|could not|didn't|did not|don't"
    r"|isn't|aren't|no longer|refuses to|stopped|fails to|failed to|unable to|not able to) (?:even |properly "
    r"|anymore )?(?:work\w*|start\w*|boot\w*|run|running|mount\w*|connect\w*|respond\w*|reach\w*|load\w*|log ?in"
    r"|resolve|resolving|finish\w*|complete|sync\w*|updat\w+|wake|print\w*|open|find|ping|ssh|pull|push|show up"
    r"|come up|coming up|answer\w*|send\w*|receiv\w+|back(?:ing)? up|record\w*|index\w*|play\w*)\b"
    r"|\b(?:crashed|froze|hung|died|failed|broke|timed out|rebooted itself|went down|went offline"
    r"|blew up)\b(?=[^\n]{0,60}(?:\b(?:again|last night|today|yesterday|this morning|tonight|just now|after|since|with"
    r"|at \d)|\Z|[.!?]))"
    r"|\b(?:i|we) (?:get|got|keep getting|am getting|are getting|see|am seeing|keep seeing) (?:an? |the |this |these "
    r"|lots of )?(?:\w+ ){0,3}(?:error|errors|timeout|timeouts|exception|warning|message|failure|failures|502|503|504"
    r"|500|404|403)\b"
    r"|\bdid (?:the|my|our|last) (?:\w+ ){1,4}(?:fail|crash|hang|break|stop|die|finish|complete|run|work)\b"
    r"|\b(?:did|has) [\w.-]+ (?:fail|failed|crash|crashed|died|hang)\b"
    r"|\b(?:reports?|shows?|logs?|throws?|gives?|returns?|prints?|has) (?:\w+ ){0,3}?(?:errors?|failures?"
    r"|exceptions?)\b"
    r"|\b\w+ed nothing\b|\bnothing (?:happens|happened|arrives|arrived|works|shows|was \w+ed)\b"
    r"|\b(?:lost|loses|forgot|dropped|ignored|deleted|duplicated|overwrote|missed)\b(?=[^\n]{0,60}\b(?:after|since"
    r"|tonight|today|last night|this morning|yesterday|suddenly|again|all of a sudden)\b)"
    r"|\bsomething (?:is|seems|looks|went|must be) (?:very |badly )?(?:wrong|off|broken)\b"
    r"|\b(?:is|are|was|were|stays?|looks?|seems?|went) (?:\w+ ){0,2}?(?:empty|missing|gone|full|blank|wrong|red|slow"
    r"|stale|locked)\b(?=[^\n]{0,80}(?:\b(?:since|after|again|today|tonight|suddenly|why|anymore|for (?:hours|days"
    r"|weeks))\b))"
    r"|\b(?:no|not|nothing|never) [^\n]{0,60}\bsince (?:\w+day|yesterday|the|last|this|\d)"
    r"|\bwhy did (?!we\b|i\b|you\b|they\b|he\b|she\b|people\b|so many\b)"
    r"|\A(?!\W*(?:what|which|who|where|when|how|does|do|is|are|can)\b)[^\n?]{8,200}\bwhy\W*\Z"
    r"|\b(?:don't|doesn't|never|not|won't|can't|isn't|aren't|no) [^\n]{0,60}\b(?:anymore|any more)\b|\bno longer\b"
    r"|\bno [^\n]{1,60}\b(?:since yesterday|since last|for (?:hours|days|weeks))\b"
    r"|\A(?!\W*(?:what|which|who|where|when|how|does|do|is|are|can|if)\b)[^\n]{0,120}\b(?:hangs|freezes|crashes)\b"
    r"|\b(?:ends|exits|stops|aborts|dies|quits) with (?:an? )?(?:\w+ )?(?:error|exception|timeout|status|code)\b"
    # pasted
    r"|\b\w{1,40}(?:error|exception): |traceback \(most recent call last\)|\bexit(?:ed with)?(?: status"
    r"| code) [1-9]\d*\b(?=[^\n]{0,60}(?:again|last|today|;|\.|\Z))"
    r"|\b(?:permission denied|connection refused|connection reset|no such file or directory|no space left on device"
    r"|segmentation fault|out of memory|oom-?killed|kernel panic|command not found|broken pipe|i/o error"
    r"|input/output error|connection timed out|host key verification failed|certificate has expired"
    r"|too many open files)\b"
    # German, Turkish, Swedish
    r"|\bbricht (?:\w+ ){0,5}ab\b|\bmit (?:einem |einer )?fehler(?:meldung)?\b|\bnicht mehr\b|\binte langre\b"
    r"|\bhata var\b"
    r"|\b(?:warum|wieso|weshalb)\b(?! \w+ (?:wir|ich|man)\b)[^\n]{0,100}\b(?:fehlgeschlagen|schlug\w* [^\n]{0,40}fehl"
    r"|schlagt [^\n]{0,40}fehl|kaputt|nicht|hangt|abgesturzt|sturzt|langsam|fehler|voll|leer|weg|gescheitert"
    r"|abgebrochen|offline)\b"
    r"|\b(?:geht|startet|lauft|funktioniert|antwortet|verbindet|synchronisiert|reagiert|bootet"
    r"|druckt) (?:\w+ ){0,3}nicht\b"
    r"|\bist (?:\w+ ){0,3}(?:kaputt|abgesturzt|fehlgeschlagen|offline|hangen geblieben)\b|\bwas ist (?:los|falsch"
    r"|kaputt) mit\b"
    r"|\bstimmt (?:\w+ ){0,3}nicht\b"
    r"|\b(?:neden|niye|nicin)\b[^\n]{0,100}\b(?:basarisiz|calismiyor|calismadi|coktu|cokuyor|dondu|hata|baglanmiyor"
    r"|acilmiyor|baslamiyor|durdu|yavas|bozuk|yapilmadi|alinmadi|olmadi|kesildi|doldu|gelmiyor|gorunmuyor)\b"
    r"|\b(?:calismiyor|acilmiyor|baslamiyor|baglanmiyor|yanit vermiyor|coktu|dondu|bozuldu|hata veriyor"
    r"|basarisiz oldu)\b"
    r"|\bvarfor\b(?! \w+ (?:vi|jag|man)\b)[^\n]{0,100}\b(?:misslyckades|misslyckas|kraschade|kraschar|hanger"
    r"|fungerar inte|startar inte|inte|trasig|langsam|fel|nere|full|stannade|tom)\b"
    r"|\b(?:kraschar|kranglar|kraschade|hanger sig|sturzt (?:\w+ ){0,3}ab|hangt sich auf|spinnt)\b"
    r"|\b(?:fungerar|startar|svarar|gar|synkar|laddar) (?:\w+ ){0,2}inte\b|\bar (?:trasig|nere|trasigt|sonder)\b"
    r"|\bvad ar (?:det for )?fel (?:pa|med)\b"
)


_ASKS = (
    r"(?:what|which|who|where|when|how|does|do|is|are|can|could|should|has|have|had|was|were|wer|was|wie|wo|wann"
    r"|welche\w*|kann|ist|sind|gibt|hat|vad|vem|hur|var|vilk\w+|finns|kan|har)"
)
_RECENT = (
    r"(?:last night|this morning|today|tonight|yesterday|since (?:\w+day|yesterday|this|last|the)|heute|gestern|seit"
    r"|bu sabah|bugun|dun gece|dunden|i natt|i dag|i morse|sedan)"
)
_STATED = re.compile(
    # a statement, or a why, that denies something, repeats itself or names a time that just passed
    rf"\A(?!\W*{_ASKS}\b)(?=[^\n]{{0,200}}\b{_RECENT}\b)[^\n]{{0,200}}"
    r"\b(?:not|no|nothing|never|didn't|doesn't|isn't|0|zero|nicht|fehl(?:en|t)|kein\w*|nie|inte|inga|ingen|yok"
    r"|so (?:slow|loud|hot|full))\b"
    r"|\bwhat happened (?:to|with|on|last|this|today|yesterday|tonight|in the night)\b|\bwhy (?:is|are) there no\b"
    r"|\bwhy no\b"
    r"|\b(?:all the time|constantly|over and over|every (?:few|couple of|\w+) (?:minutes|seconds|hours)|standig"
    r"|dauernd|surekli|hela tiden|jamt)\b"
    r"|\b\w{2,}(?:madi|medi|miyor|muyor|mamis|memis|mıyor)\b"
)


def describes_fault(folded: str) -> str:
    """Return the words by which a text describes a fault; empty if it describes none, or only a possible one."""
    found = _FAULTS.search(folded) or _STATED.search(folded)
    if found is None or _SUPPOSED.search(folded):
        return ""
    return " ".join(found[0].split())[:80]
