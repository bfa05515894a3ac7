"""Hostile text: every way to write letters as bytes, and mixtures of them."""

import codecs

from tests.hostile.catalogue import csv_of, either, reads, refused

GERMAN = "Größe;Farbe;Klasse\n" + "".join(f"{k},5;{'grün' if k % 3 else 'weiß'};{'ja' if k % 2 else 'nein'}\n" for k in range(30))
CHINESE = "尺寸,颜色,类别\n" + "".join(f"{k}.5,{'红色' if k % 3 else '蓝色'},{'是的' if k % 2 else '不是'}\n" for k in range(40))
WORDS = [
    "赤い", "りんご", "甘い", "青い", "空", "高い", "海", "深い", "東京", "大阪", "京都", "学校", "先生", "ひらがな", "カタカナ",
]  # fmt: skip
JAPANESE = "サイズ,言葉,クラス\n" + "".join(
    f"{k}.5,{WORDS[k % 15]}の{WORDS[k % 7]}を,{'はい' if k % 2 else 'いいえ'}\n" for k in range(60)
)
RUSSIAN = "Размер;Цвет;Класс\n" + "".join(
    f"{k},5;{'красный' if k % 3 else 'синий'};{'да' if k % 2 else 'нет'}\n" for k in range(40)
)

FILES = {
    "utf 16 without a mark": reads(lambda: GERMAN.encode("utf-16-le"), "Größe", "Farbe", "Klasse"),
    "utf 32 with a mark": reads(lambda: GERMAN.encode("utf-32"), "Größe", "Farbe", "Klasse"),
    "utf 16 that ends in half a letter": refused(lambda: GERMAN.encode("utf-16") + b"\0", "UTF-16|binary"),
    "utf 16 and utf 8 in turn": refused(lambda: (GERMAN.encode("utf-16-le") + GERMAN.encode()) * 3, "binary|UTF-16"),
    "utf 7": either(lambda: GERMAN.encode("utf-7")),
    "ebcdic": either(lambda: GERMAN.encode("cp273")),
    "gb18030": reads(lambda: CHINESE.encode("gb18030"), "尺寸", "颜色", "类别"),
    "shift jis": reads(lambda: JAPANESE.encode("shift_jis"), "サイズ", "クラス"),
    "windows 1251": reads(lambda: RUSSIAN.encode("cp1251"), "Размер", "Цвет", "Класс"),
    "windows 1252": reads(lambda: GERMAN.encode("cp1252"), "Größe", "Farbe", "Klasse"),
    "utf 8 and latin 1 in turn": either(lambda: GERMAN.encode() + GERMAN.split("\n", 1)[1].encode("latin-1")),
    "a mark twice": reads(lambda: codecs.BOM_UTF8 * 2 + GERMAN.encode(), "Größe", "Farbe", "Klasse"),
    "surrogates written as utf 8": either(lambda: csv_of(["\ud800{k}", "\udfff", "\ud83d"])),
    "a utf 8 mark before latin 1": either(lambda: codecs.BOM_UTF8 + GERMAN.encode("latin-1")),
    "a utf 16 mark before utf 8": refused(
        lambda: codecs.BOM_UTF16_LE + GERMAN.encode() + b"\n"[: len(GERMAN.encode()) % 2 == 0], "UTF-16|binary"
    ),
    "every byte there is": either(
        lambda: csv_of() + bytes(range(1, 256)).replace(b"\n", b"").replace(b"\r", b"").replace(b'"', b"") + b",1,y\n"
    ),
}
