"""In what form a query meets a table: as Parquet, or, by what stands before its name, in other files, or as rows of a
program's. The engine reads some of these itself, others are islands.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import kinds
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import cloudpickle
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from tables import COLUMNS, FLAT_COLUMNS

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have no modules of tests

# Spark's default of an option that the engine does not know leaves ORC files to Spark.
ORC_OPTION = ("orc.tolerate.missing.schema", "true")

Columns = list[tuple[str, str]]
# A session of plain Spark's, and the Parquet file of a table: makes what the form needs, and returns where it lies.
Write = Callable[[SparkSession, Path], Path]
Read = Callable[[SparkSession, Path], DataFrame]


@dataclass(frozen=True)
class Stored:
    """A form of tables: the columns that it holds, how it is made and read, and whether it holds usual values alone."""

    prefix: str
    names: Columns
    write: Write
    read: Read
    only_usual: bool = False


def is_text_key(kind: str) -> bool:
    """Says whether maps in it have keys as JSON's objects have them."""
    return not kinds.has(kind, lambda part: kinds.is_map(part) and kinds.entry_of(part)[0] != "string")


def names_of(columns: list) -> Columns:
    """Returns columns with the unique one."""
    return [("id", "bigint"), *((column.name, column.kind) for column in columns)]


ALL = names_of(COLUMNS)
IN_LINES = [column for column in FLAT_COLUMNS if column.kind != "binary"]
IN_OBJECTS = [column for column in COLUMNS if is_text_key(column.kind)]
OF_PYTHON = [column for column in FLAT_COLUMNS if column.name in ("k", "g", "b", "i32", "i64", "f64", "d18", "s", "dt")]


def same(_: SparkSession, path: Path) -> Path:
    """Needs no other file."""
    return path


def as_orc(plain: SparkSession, path: Path, suffix: str = ".orc") -> Path:
    """Writes ORC, each form its own: readers of another one would miss what is overwritten."""
    plain.read.parquet(str(path)).write.mode("overwrite").orc(str(path.with_suffix(suffix)))
    return path.with_suffix(suffix)


def as_csv(plain: SparkSession, path: Path) -> Path:
    """Writes CSV, a row a line."""
    df = plain.read.parquet(str(path))
    held = [name for name, _ in names_of(IN_LINES) if name in df.columns]
    lines = [f"translate({name}, '\\n\\r\\\\\"', '  /') as {name}" if name in ("s", "g") else name for name in held]
    df.selectExpr(*lines).write.mode("overwrite").csv(str(path.with_suffix(".csv")))
    return path.with_suffix(".csv")


def as_json(plain: SparkSession, path: Path) -> Path:
    """Writes JSON, an object a line."""
    df = plain.read.parquet(str(path))
    held = [name for name, _ in names_of(IN_OBJECTS) if name in df.columns]
    df.select(*held).write.mode("overwrite").json(str(path.with_suffix(".json")))
    return path.with_suffix(".json")


def schema_of(path: Path, columns: list) -> str:
    """Returns the types of those columns that a table has, in its order."""
    types = {"id": "bigint"} | {column.name: column.type for column in columns}
    return ", ".join(
        f"{name} {types[name]}" for name in pq.read_schema(path.with_suffix(".parquet")).names if name in types
    )


def rows_of_python(path: Path) -> pa.Table:
    """Returns a table's columns that Python has values of, texts without bytes that are no UTF-8."""
    table = pq.read_table(path)
    table = table.select([name for name, _ in names_of(OF_PYTHON) if name in table.column_names])
    for i, column in enumerate(table.columns):
        if pa.types.is_string(column.type):
            texts = [
                None if text is None else text.decode(errors="replace") for text in column.cast(pa.binary()).to_pylist()
            ]
            table = table.set_column(i, table.column_names[i], pa.array(texts, pa.string()))
    return table


def made(session: SparkSession, path: Path) -> DataFrame:
    """Returns a data frame of Python's rows, which Spark takes for an RDD."""
    rows = [tuple(row.values()) for row in rows_of_python(path).to_pylist()]
    return session.createDataFrame(rows, schema_of(path, OF_PYTHON))


def framed(session: SparkSession, path: Path) -> DataFrame:
    """Returns a data frame of an Arrow table."""
    return session.createDataFrame(rows_of_python(path))


def passed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def mapped(session: SparkSession, path: Path) -> DataFrame:
    """Returns the rows that a Python worker passes on."""
    df = reader(session, path, OF_PYTHON).parquet(str(path))
    return df.mapInArrow(passed, df.schema)


def reader(session: SparkSession, path: Path, columns: list = COLUMNS) -> DataFrameReader:
    """Returns a reader that need not look at files for their columns."""
    return session.read.schema(schema_of(path, columns))


STORED = {
    form.prefix: form
    for form in [
        Stored("", ALL, same, lambda session, path: reader(session, path).parquet(str(path))),
        Stored("orc_", ALL, as_orc, lambda session, path: reader(session, path).option(*ORC_OPTION).orc(str(path))),
        Stored(
            "own_orc_",
            ALL,
            partial(as_orc, suffix=".own_orc"),
            lambda session, path: reader(session, path).orc(str(path)),
        ),
        Stored(
            "csv_", names_of(IN_LINES), as_csv, lambda session, path: reader(session, path, IN_LINES).csv(str(path))
        ),
        Stored(
            "json_",
            names_of(IN_OBJECTS),
            as_json,
            lambda session, path: reader(session, path, IN_OBJECTS).json(str(path)),
        ),
        Stored("made_", names_of(OF_PYTHON), same, made, only_usual=True),
        Stored("framed_", names_of(OF_PYTHON), same, framed, only_usual=True),
        Stored("mapped_", names_of(OF_PYTHON), same, mapped, only_usual=True),
    ]
}
PREFIX = re.compile(rf"\b(?:{'|'.join(sorted(filter(None, STORED), key=len, reverse=True))})")


def form_of(name: str) -> Stored:
    """Returns the form that a table's name says."""
    found = PREFIX.match(name)
    return STORED[found.group() if found else ""]


def table_of(name: str) -> str:
    """Returns a table's name without its form."""
    return PREFIX.sub("", name)
