"""Hostile text: every way to write letters as bytes, and mixtures of them."""

import codecs

from tests.hostile.catalogue import csv_of, either, reads, refused

GERMAN = "Größe;Farbe;Klasse\n" + "".join(f"{k},5;{'grün' if k % 3 else 'weiß'};{'ja' if k % 2 else 'nein'}\n" for k in range(30))
CHINESE = "尺寸,颜色,类别\n" + "".join(f"{k}.5,{'红色' if k % 3 else '蓝色'},{'是的' if k % 2 else '不是'}\n" for k in range(40))
WORDS = [
    "赤い",
    "りんご",
    "甘い",
    "青い",
    "空",
    "高い",
    "海",
    "深い",
    "東京",
    "大阪",
    "京都",
    "学校",
    "先生",
    "ひらがな",
    "カタカナ",
]
JAPANESE = "サイズ,言葉,クラス\n" + "".join(
    f"{k}.5,{WORDS[k % 15]}の{WORDS[k % 7]}を,{'はい' if k % 2 else 'いいえ'}\n" for k in range(60)
)
RUSSIAN = "Размер;Цвет;Класс\n" + "".join(
    f"{k},5;{'красный' if k % 3 else 'синий'};{'да' if k % 2 else 'нет'}\n" for k in range(40)
)


@reads("Größe", "Farbe", "Klasse")
def utf_16_without_a_mark():
    return GERMAN.encode("utf-16-le")


@reads("Größe", "Farbe", "Klasse")
def utf_32_with_a_mark():
    return GERMAN.encode("utf-32")


@refused("UTF-16|binary")
def utf_16_that_ends_in_half_a_letter():
    return GERMAN.encode("utf-16") + b"\0"


@refused("binary|UTF-16")
def utf_16_and_utf_8_in_turn():
    return (GERMAN.encode("utf-16-le") + GERMAN.encode()) * 3


@either()
def utf_7():
    return GERMAN.encode("utf-7")


@either()
def ebcdic():
    return GERMAN.encode("cp273")


@reads("尺寸", "颜色", "类别")
def gb18030():
    return CHINESE.encode("gb18030")


@reads("サイズ", "クラス")
def shift_jis():
    return JAPANESE.encode("shift_jis")


@reads("Размер", "Цвет", "Класс")
def windows_1251():
    return RUSSIAN.encode("cp1251")


@reads("Größe", "Farbe", "Klasse")
def windows_1252():
    return GERMAN.encode("cp1252")


@either()
def utf_8_and_latin_1_in_turn():
    return GERMAN.encode() + GERMAN.split("\n", 1)[1].encode("latin-1")


@reads("Größe", "Farbe", "Klasse")
def a_mark_twice():
    return codecs.BOM_UTF8 * 2 + GERMAN.encode()


@either()
def surrogates_written_as_utf_8():
    return csv_of(["\ud800{k}", "\udfff", "\ud83d"])


@either()
def a_utf_8_mark_before_latin_1():
    return codecs.BOM_UTF8 + GERMAN.encode("latin-1")


@refused("UTF-16|binary")
def a_utf_16_mark_before_utf_8():
    return codecs.BOM_UTF16_LE + GERMAN.encode() + b"\n"[: len(GERMAN.encode()) % 2 == 0]


@either()
def every_byte_there_is():
    return csv_of() + bytes(range(1, 256)).replace(b"\n", b"").replace(b"\r", b"").replace(b'"', b"") + b",1,y\n"
