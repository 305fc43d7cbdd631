"""Words that carry no subject, by language: dropped from a question unless nothing else remains.

Lists are short on purpose and spelt as `terms.fold` leaves them. Words that are names of things in a
technical text (Swedish `var` and `man`, English `it` is kept out of no list) stay out where they collide.
"""

from __future__ import annotations

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            a about actually after again all also am an and any anyone are arent as at be because been before being
            between both but by can cannot cant could couldnt did didnt do does doesnt doing dont either else ever
            every few find for from get gets give given go goes going got had has hasnt have havent having he her here
            hers hi him his how hows i id if im in into is isnt it its ive just know let lets like many may me might
            mine more most much must my no nor not now of off on once one only or other our out over own please same say
            says shall she should shouldnt show so some someone something such tell than thanks that thats the their
            them then there theres these they theyre thing things this those through to too under until up us very was
            wasnt we well were werent what whats when where wheres whether which while who whom whos whose why will
            with without wont would wouldnt yes yet you your youre
        """,
        "de": """
            aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den denn der
            des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er
            es etwas euch fur gegen gibt habe haben hat hatte hier ich ihm ihn ihr ihre im in ins ist ja jede jeder
            jedes kann kein keine konnen konnte man mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne
            sehr sein seine seit sich sie sind so soll sollte um und uns unser unter vom von vor wann war waren warum
            was weil welche welchem welchen welcher welches wenn wer werden wie wieder wieso wir wird wo woher wohin
            worden wurde wurden zu zum zur
        """,
        "tr": """
            acaba ama ancak bana bazi belki ben beni benim bile bir biraz biri birkac biz bize bizim bu buna bunda
            bundan bunu bunun burada cok cunku da daha de defa degil diye eger en fakat gibi hangi hangisi hem hep
            hepsi her hic icin ile ise iste kac kadar ki kim kimin mi mu nasil ne neden nedir nerede nereden nereye
            nicin niye o olan olarak oldu olur onu onun orada oysa sana sanki sen senin siz sizin sonra su tum var ve
            veya ya yani yok
        """,
        "sv": """
            alla allt att av bara blev bli blir da dar de dem den denna deras dess dessa det detta dig din dina ditt
            du efter ej eller en er ett finns fran for genom gor ha hade han hans har hon hur i icke inte ja jag kan
            kunde kommer med mellan men mig min mina mitt mot mycket nagon nagot nagra nar ni nu och om oss pa samma
            sedan sig sin sina sitt ska skall skulle som sa sadan till upp ut utan vad varfor vem vi vid vilka vilken
            vilket vill vara ar
        """,
        "fr": """
            a alors au aucun aussi autre aux avec avoir car ce cela ces cet cette chez comme comment dans de des donc
            dont du elle en encore es est et etait etre eux fait ici il ils je la le les leur leurs lors lui mais me
            mes moi mon ne ni nos notre nous on ont ou par pas peu peut plus pour pourquoi quand que quel quelle
            quelles quels qui quoi sa sans se ses si son sont sous sur ta te tes toi ton tous tout tres tu un une vos
            votre vous y
        """,
        "es": """
            a al algo algun alguna ante antes aqui como con contra cual cuales cuando de del desde donde dos el ella
            ellas ellos en entre era es esa ese eso esta estan estas este esto estos fue ha hace hacia han hasta hay
            la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros o otra otro para pero poco por porque
            puede que quien se ser si sin sobre solo son su sus tambien te tiene todo tu tus un una uno unos usted y
            ya yo
        """,
        "nl": """
            aan al alle als altijd andere ben bij daar dan dat de den der deze die dit doch doen door dus een eens en
            er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon
            kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over
            reeds te tegen toch toen tot uit uw van veel voor waar waarom wanneer want waren wat welk welke werd wezen
            wie wil worden wordt ze zelf zich zij zijn zo zonder zou
        """,
    }.items()
}
