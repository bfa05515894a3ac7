"""Identifiers: how columns that name things rather than measure them are told by their name and by their cells.

A subject's id says which patient, user or animal a row comes from. It is told by its name ("patient", "Patienten-ID",
"id_cliente", "machine no"), or by cells such as "P017", which have one beginning and a number.
"""

import re
import unicodedata
from functools import lru_cache

import numpy as np

from tsk_core.data.cell_text import number_span, sample
from tsk_core.data.clean.cells import Cells

BIRTHS = frozenset({  # words of names of columns that say when somebody was born
    "birth", "born", "birthday", "birthdate", "dob", "geburt", "geburtsdatum", "geburtstag", "geburtsjahr", "geboren", "geb",
    "birthyear", "yob", "naissance", "nacimiento", "nascita", "nascimento", "geboortedatum", "urodzenia",
})  # fmt: skip
_HUMPS = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])")
_WORD = re.compile(r"[^\W\d_]+|#")
_LONGEST_NAME = 200  # characters that are looked at


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words without accents. English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Turkish, Russian,
# Chinese, Japanese and Korean.
_NUMBERS = _words("# nr no num number nbr nummer numero numer номер 编号 号 番号 번호")
_IDS = _words("""
    id ids uid uuid guid identifier identifiant identificador identificativo identificatie identyfikator kennung kennzeichen
    pseudonym pseudonyme kimlik идентификатор ид 标识 식별자
""")
_KEYS = _words("code key hash name nom nome naam kod kode codigo codice schlussel код 代码 コード")
_ALONE = (_IDS - {"ids", "kennzeichen"}) | {"pid", "sid", "ptid", "usubjid", "subjid", "mrn", "ssn"}
_SUBJECTS = _words("""
    patient subject participant respondent user customer client person individual student pupil donor volunteer subj
    patientin proband probandin versuchsperson kunde kundin sujet utilisateur utilisatrice participante etudiant eleve
    donneur paciente sujeto usuario usuaria cliente alumno persona paziente soggetto utente partecipante sujeito utilizador
    aluno pessoa deelnemer proefpersoon gebruiker klant pacjent pacjentka uzytkownik uczestnik klient anvandare bruger
    deltagare deltager kund hasta kullanici musteri katilimci пациент пользователь клиент участник испытуемый 患者 病人 被试
    受试者 用户 客户 学生 ユーザー 被験者 顧客 参加者 환자 사용자 고객 참가자
""")  # a single one; their plurals are counts
_SUBJECTS_WITH_ID = _words("""
    animal member visitor employee worker pat pt cust child infant player athlete resident citizen applicant voter passenger guest
    tenant borrower subscriber consumer mother owner driver teacher instructor author writer speaker operator mouse rat
    patienten probanden kunden versuchspersonen teilnehmer teilnehmerin nutzer benutzer mitarbeiter mitglied mitglieds
    besucher schuler sprecher lehrer fahrer personen personal tier vp tn empleado empleada employe impiegato werknemer
    pracownik pacjenta klienta uczestnika пациента клиента пользователя 员工 会员 社員 직원 회원
""")  # alone, they may be a count or a category
_THINGS = _words("""
    account batch bearing case charge device job lot machine plot sensor station vehicle household family order konto fall
    gerat gerate geraet geraete maschine maschinen fahrzeug haushalt haushalts familie familien auftrag auftrags chargen
    equipo maquina appareil compte cuenta conto conta macchina apparaat 设备 机器 装置 장비
""")
_THINGS_WITH_ID = _THINGS | {"session", "sitzung", "sitzungs", "recording", "experiment", "visit", "fahrt"}
_ENTITIES = frozenset({  # with digits in the cells, rows may come from one of these
    *_SUBJECTS, *_SUBJECTS_WITH_ID, *_THINGS_WITH_ID, "course", "house", "unit", "kind",
})  # fmt: skip
_FILLERS = _words("""
    de du des la le del della di do da der the study test unique anon anonymous anonymised anonymized hashed pseudo internal
    original orig raw
""")
_COUNTS = _words("of per n count how many mean total anzahl pro nombre cantidad liczba aantal antal")
_ENDINGS = ("nummer", "number", "kennung", "kennzeichen", "nr", "no", "id", "编号", "番号", "번호")  # as in "Patientennummer"
_CODE = re.compile(r"[\w#/.:-]*\d[\w#/.:-]*")  # one word with a digit
_NUMBERED = re.compile(r"^([^\W\d_]{1,12})[-_ ./#:]?\d{1,9}$")  # P017, user_3, PAT-0001
_TOKEN = re.compile(r"[0-9A-Fa-f]{8,40}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")  # a hash, a UUID
_OTHER_CODES = _words("""
    area article batch cabin category class cluster code district gate gene grade group icd item level line model modell plz
    postcode product produkt region room route shop site size sku store type typ version zip zone
""")  # of which cells may look like a subject's id
_SHARE = 0.9  # of words that are codes
_SHORT = 4  # letters of a beginning that need not be a word for a subject
_MOST_SPACES = 3  # in a word on average, of a name and not of a text
_ALONE_ID, _WITH_ID = "alone", "with a word for an id"
_UNACCENTED = {"ø": "o", "ł": "l", "ı": "i", "đ": "d"}
_FEWEST, _FEWEST_WORDS, _FEWEST_SHAPED = 8, 15, 20  # values of whole numbers or codes, of words without digits, of cells alone
_REPEATED = 1.5  # least mean number of rows with a value, of words without digits and where the cells alone tell
_LARGEST = 0.2  # largest share of rows with one value, where the cells alone tell


def name_words(name: str) -> list[str]:
    """The words of a column's name in small letters: "PatientID" and "patient_id" have "patient" and "id"."""
    return [word.lower() for word in _WORD.findall(_HUMPS.sub(" ", name[:_LONGEST_NAME].replace("N°", "No ")))]


def names_a_subject(name: str) -> bool:
    """Whether a column's name is that of a subject's id: "patient", "ID", "job number"; a count ("n patients") is none."""
    return _subject_in(name) != ""


def names_an_entity(name: str) -> bool:
    """Whether a column's name ends as names of what several rows may come from do: "station", "site id"."""
    words = _bare_words(name)
    return bool(words) and not _COUNTS & set(words) and words[-1] in _ENTITIES | _IDS


def names_an_id(name: str) -> bool:
    """Whether a column's name may be that of an id, of rows or of what they come from: "reference no", "Belegnummer"."""
    words = _bare_words(name)
    if not words or _COUNTS & set(words):
        return False
    return names_a_subject(name) or words[-1] in _ENTITIES | _IDS | _NUMBERS or words[-1].endswith(("nummer", "nr"))


def repeated_id(cells: Cells) -> bool:
    """Whether a column is a subject's id that repeats, by its name or by its cells. Such a column is never a feature by itself: a
    rule about one patient says nothing about the next.
    """
    how = _subject_in(cells.name)
    if cells.kind not in ("number", "text") or cells.declared or not (how or cells.kind == "text"):
        return False
    if not 2 <= cells.distinct < cells.filled:
        return False
    if cells.kind == "number":
        return (how == _WITH_ID or cells.distinct >= _FEWEST) and not (cells.values[~cells.missing] % 1).any()
    if not how:
        return _are_shaped(cells)
    if how == _WITH_ID:
        return True
    if are_numbered(cells):
        return cells.distinct >= _FEWEST
    if not _FEWEST_WORDS <= cells.distinct <= cells.filled / _REPEATED:
        return False
    return float(sample(cells.words).str.count(" ").mean()) < _MOST_SPACES


def are_codes(cells: Cells) -> bool:
    """Whether (almost) all words of a column are codes, such as "P017" or "a3-f9", and not numbers, as "007" and "12 kg" are."""
    if cells.kind != "text" or not len(cells.words):
        return False
    words = sample(cells.words)
    codes = words.str.fullmatch(_CODE) & words.str.contains(r"[^\W\d_]") & ~words.map(_is_number).astype(bool)
    return float(codes.mean()) >= _SHARE


def are_numbered(cells: Cells) -> bool:
    """Whether (almost) all words of a column have a digit, such as "17", "P017" or "unit 17"."""
    return float(sample(cells.words).str.contains(r"\d").mean()) >= _SHARE


def whole(values: np.ndarray) -> bool:
    """Whether all numbers are whole and not negative; NaN counts as missing."""
    return bool((np.isnan(values) | ((values >= 0) & (values % 1 == 0))).all())


@lru_cache(maxsize=4096)
def _subject_in(name: str) -> str:
    """How a name is that of a subject's id: alone, with a word for an id, or "" for not."""
    words = [part for word in _bare_words(name) for part in _parts(word)]
    if not words or _COUNTS & set(words):
        return ""
    said = set(words)
    rest = [word for word in words if word not in _NUMBERS | _IDS | _KEYS | _FILLERS]
    if not rest:
        return _ALONE_ID if said & _ALONE and said <= _ALONE | _FILLERS else ""
    of_subject = rest[-1] in _SUBJECTS | _SUBJECTS_WITH_ID
    if said & _IDS:
        return _WITH_ID if of_subject or rest[-1] in _THINGS_WITH_ID else ""
    if said & _NUMBERS:
        return _WITH_ID if of_subject or rest[-1] in _THINGS else ""
    if said & _KEYS:
        return _WITH_ID if rest[-1] in _SUBJECTS else ""
    alone = rest[0] in _ALONE or rest[0] in _SUBJECTS
    return _ALONE_ID if len(rest) == 1 and alone and not any(map(str.isdigit, name)) else ""


def _bare_words(name: str) -> list[str]:
    return [_bare(word) for word in name_words(name)]


def _bare(word: str) -> str:
    """A word without accents: "código" is "codigo"; letters of other scripts stay."""
    if word.isascii():
        return word
    return "".join(_bare_letter(letter) for letter in word)


def _bare_letter(letter: str) -> str:
    first = unicodedata.normalize("NFKD", letter)[0]
    return first if first.isascii() else _UNACCENTED.get(letter, letter)


def _parts(word: str) -> tuple[str, ...]:
    """A word such as "patientennummer" in two, where it begins with a word for a subject or a thing; else the word."""
    for end in _ENDINGS:
        begin = word.removesuffix(end)
        if begin != word and begin in _SUBJECTS | _SUBJECTS_WITH_ID | _THINGS_WITH_ID:
            return begin, end
    return (word,)


def _is_number(word: str) -> bool:
    return number_span(word) is not None


def _are_shaped(cells: Cells) -> bool:
    """Whether words of any column are like the ids of subjects: one beginning and a number, or hashes, and many of them."""
    if cells.distinct < _FEWEST_SHAPED or cells.filled < _REPEATED * cells.distinct:
        return False
    if cells.counts.max() > _LARGEST * cells.filled or _OTHER_CODES & set(_bare_words(cells.name)):
        return False
    words = sample(cells.words)
    begins = words.str.extract(_NUMBERED, expand=False).str.lower().value_counts()
    if len(begins) and begins.iloc[0] >= _SHARE * len(words):
        begin = _bare(str(begins.index[0]))
        known = begin in _SUBJECTS | _SUBJECTS_WITH_ID | _IDS
        return known or (len(begin) <= _SHORT and begin not in _OTHER_CODES | {*_bare_words(cells.name)})
    tokens = words.str.fullmatch(_TOKEN) & words.str.contains("[A-Fa-f]")
    return float(tokens.mean()) >= _SHARE
