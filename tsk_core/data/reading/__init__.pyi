from .parsed import ReadOptions as ReadOptions  # how a file is read
from .pool import BUSY as BUSY  # what a file reads that waited in vain
from .pool import READERS as READERS  # files that are read at the same time
from .pool import warm as warm  # start a reading process ahead of need
from .table import RawTable as RawTable  # the table of a file, before any choices
from .table import read_csv as read_csv  # bytes or a path -> Dataset
from .table import read_table as read_table  # bytes or a path -> RawTable
