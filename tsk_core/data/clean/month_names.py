"""The names of months in some forty languages of Latin, Greek and Cyrillic letters, as the Unicode CLDR has them."""

import unicodedata
from functools import lru_cache

__all__ = ["english_month"]

_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# For each month, the beginnings that tell its names apart from those of the other months, without accents.
_BEGINNINGS = (
    "ean ene gen ian ion jaa jan led oca sau sij sty tam urt xan ιαν сту січ янв яну јан",
    "chw fea feb fev hel lut ots shk sub uno vas vee vel φεβ лют феб фев",
    "bre kov maa mac mae mar maw mrt mrz ozu μαρ бер мар сак",
    "abr aib api apr avr bal dub ebr huh kwi nis pri tra απρ апр кві кра",
    "bea geg kve mag mai maj may mei svi tou μαι маи мая мај тра",
    "bir cerven cervn cvn cze eka giu haz iun juin jun juun kes lipa lipn meh meit qer xun ιουν июн чер чэр юни јун",
    "cervenc cervene cvc gor hei iui iul juil jul juul kor lie lip lug srpa srpnj tem uzt xul ιουλ июл лип ліп юли јул",
    "abu ago agu aou aug avg aws elo gus kol lun ogo rugp sie srp αυγ авг жні сер",
    "eyl ira med mfo rugs ruj sep set sht syy sze wrz zar σεπ вер сен сеп",
    "dfo eki hyd lok oct okt ott out paz rij spa tet urr οκτ жов кас окт",
    "aza kas lap lis marr nen noi nov sam stu tac νοε лис ліс нов ное ноя",
    "abe ara dec des det dez dhj dic dis gru jou nol pro rha δεκ гру дек дец сне",
)
_MONTHS = {begin: month for month, begins in zip(_ENGLISH, _BEGINNINGS, strict=True) for begin in begins.split()}


@lru_cache(maxsize=1024)
def english_month(name: str) -> str:
    """The English name of a month, three small letters, from its name or abbreviation in another language; "" for other words.

    In Croatian only months that have no namesake elsewhere: listopad is November in Czech and Polish.
    """
    plain = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return next((_MONTHS[letters[:k]] for k in range(len(letters), 2, -1) if letters[:k] in _MONTHS), "")
