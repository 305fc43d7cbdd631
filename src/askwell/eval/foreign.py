"""Questions that hardly any collection of notes answers, and words that hardly any holds: asked to calibrate."""

from __future__ import annotations

OFF_TOPIC = tuple(
    line.strip()
    for line in """
    who won the chess olympiad in 1978
    how do I fold a paper crane with a moving tail
    what is the gestation period of a giraffe
    which king signed the treaty of Utrecht
    how many moons does Saturn have
    what does a bassoon reed cost
    how is sherry aged in a solera
    why do flamingos stand on one leg
    what are the rules of curling when a stone touches the hog line
    how long does it take to sail around Cape Horn
    which pigments did Vermeer use for blue
    what is the penalty for handball in the area
    how do glaciers calve
    what did Seneca write about anger
    how is a kimono obi tied
    which enzyme breaks down lactose
    what is the capital of Burkina Faso
    how do I get a visa for Mongolia
    who composed the opera Nabucco
    what is the boiling point of mercury
    how do tailors measure an inseam
    when was the first metro line in Budapest opened
    what causes the northern lights
    how many players are on a lacrosse team
    which tree does cork come from
    how is a sonnet built
    what is the dowry custom in ancient Athens
    why is the sky on Mars red
    how do I change the clutch cable of a moped
    what is a good opening against the Sicilian defence
    wie viele Zähne hat ein Haifisch
    wann wurde die Berliner Mauer gebaut
    wie wird Emmentaler gereift
    welche Steuerklasse gilt für Witwer
    was frisst ein Ameisenbär
    wer schrieb den Roman Effi Briest
    wie knotet man eine Fliege
    warum ist das Tote Meer so salzig
    hur många riksdagsledamöter har Island
    när grundades Uppsala universitet
    hur spelar man padel
    vilken färg har en pingvins näbb
    vem målade Midvinterblot
    hur lång är Göta kanal
    Osmanlı donanmasını kim kurdu
    zeytinyağlı enginar nasıl pişirilir
    voleybolda kaç oyuncu var
    Van Gölü ne kadar derin
    ney nasıl çalınır
    bozkurt destanı hangi yüzyılda yazıldı
    """.strip().splitlines()
)

STRANGERS = tuple(
    """
    harpsichord lacquer giraffe trebuchet sextant marzipan bassoon parliament kimono glacier saffron cathedral falcon
    viscount chandelier monsoon platypus gondola tapestry oboe dowry solstice quarry sherry lagoon minaret trombone
    caramel bishop volcano tundra ostrich velvet corset buttermilk anchovy pheasant regatta zeppelin obelisk
    """.split()  # noqa: SIM905 - a list of words is read as one
)
"""Put in place of a question's rarest word. Those that the index holds are left out."""
