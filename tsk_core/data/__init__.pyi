from .choices import EVERY as EVERY  # stands for all columns in choices about codes
from .choices import Choices as Choices  # what a person decided about a table
from .clean import CleaningPipeline as CleaningPipeline  # how a table was cleaned; cleans new rows in the same way
from .clean import ColumnReport as ColumnReport  # how one column is used
from .clean import bin_edges as bin_edges  # where a numeric target is cut into classes
from .clean.pipeline import fresh_name as fresh_name  # a column name that no column has
from .clean.target import guess_target as guess_target  # the column that is most likely the class
from .clean.target import likely_target as likely_target  # the column that is most likely the class, and why
from .dataset import Dataset as Dataset  # a named table with its target
from .dataset import make_dataset as make_dataset  # any table -> cleaned and checked Dataset
from .dataset import with_test_rows as with_test_rows  # a second file as the test set
from .encoding import Encoder as Encoder  # table -> float64 columns, imputed and one-hot
from .export import to_csv as to_csv  # a table -> CSV that no spreadsheet runs as code
from .findings import Finding as Finding  # one line of the data check
from .findings import Remedy as Remedy  # what mends a finding at one press
from .gallery import dataset_names as dataset_names  # every name that load_dataset knows
from .gallery import load_dataset as load_dataset  # a gallery table, or a CSV of TSK_DATA_DIR
from .gallery import titles as titles  # display titles of those names
from .reading import RawTable as RawTable  # the table of a file, before any choices
from .reading import ReadOptions as ReadOptions  # how a file is read
from .reading import read_csv as read_csv  # bytes or a path -> Dataset
from .reading import read_table as read_table  # bytes or a path -> RawTable
from .splitting import Split as Split  # indices of training and test rows
from .splitting import SplitColumn as SplitColumn  # a column that decides the split
