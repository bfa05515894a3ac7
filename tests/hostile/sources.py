"""All hostile files, by what makes them hostile."""

from tests.hostile import archives, cells, columnar, encodings, kinds, names, texts, workbooks

SOURCES = {source.__name__: source.FILES for source in (archives, cells, columnar, encodings, kinds, names, texts, workbooks)}
FILES = {name: file for files in SOURCES.values() for name, file in files.items()}
