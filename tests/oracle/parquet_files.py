"""Parquet files in a folder, as readers other than Spark see them."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from oracle import plain
from outcome import raw_values
from pyspark.sql import SparkSession

# Writes a query's rows to a folder.
Write = Callable[[str], None]


def parts(folder: Path) -> list[Path]:
    """Returns the files that Spark would read, in its order."""
    return sorted(path for path in folder.iterdir() if path.suffix == ".parquet")


def footers(folder: Path) -> list[pq.FileMetaData]:
    """Returns the footers of a folder's files, of which there must be some."""
    found = [pq.read_metadata(path) for path in parts(folder)]
    assert found
    return found


def is_native(folder: Path) -> bool:
    """Says whether the engine wrote the files; fails when some are its own and some are not."""
    writers = {footer.created_by.split()[0] for footer in footers(folder)}
    assert len(writers) == 1, writers
    return writers == {"accelerant"}


def schema_of(footer: pq.FileMetaData) -> list[tuple]:
    """Returns what a file says of its columns: names, stored types, annotations, nullability."""
    columns = [footer.schema.column(i) for i in range(footer.num_columns)]
    return [
        (
            column.path,
            column.physical_type,
            str(column.logical_type),
            column.converted_type,
            column.length,
            column.max_definition_level,
        )
        for column in columns
    ]


def described(folder: Path) -> tuple:
    """Returns what must be equal in all files: schema, metadata, codecs."""
    found = [
        (schema_of(footer), footer.metadata, footer.format_version, codecs_of(footer)) for footer in footers(folder)
    ]
    assert all(entry[:3] == found[0][:3] for entry in found)
    codecs = set().union(*(entry[3] for entry in found))
    return (*found[0][:3], codecs)


def codecs_of(footer: pq.FileMetaData) -> set[str]:
    """Returns the codecs of a file's columns."""
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    return {group.column(i).compression for group in groups for i in range(footer.num_columns)}


def table_of(folder: Path) -> pa.Table:
    """Returns all rows as pyarrow reads them, by their first column."""
    table = pa.concat_tables([pq.read_table(path, coerce_int96_timestamp_unit="us") for path in parts(folder)])
    return table.sort_by(table.column_names[0])


def shown(table: pa.Table) -> list[str]:
    """Returns columns as text, in which NaN equals itself."""
    return [
        f"{name} {column.type} {raw_values(column)}"
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]


def write_both(spark: SparkSession, folder: Path, write: Write) -> tuple[Path, Path]:
    """Writes natively and with plain Spark; returns the folders."""
    native, expected = folder / "native", folder / "expected"
    write(str(native))
    assert is_native(native)
    with plain(spark):
        write(str(expected))
    assert not is_native(expected)
    return native, expected


def assert_equal_files(spark: SparkSession, folder: Path, write: Write) -> Path:
    """Fails unless files written natively say and hold what Spark's do; returns their folder."""
    native, expected = write_both(spark, folder, write)
    assert described(native) == described(expected)
    assert shown(table_of(native)) == shown(table_of(expected))
    with plain(spark):
        ours, theirs = (spark.read.parquet(str(path)) for path in (native, expected))
        assert ours.schema == theirs.schema
        assert ours.exceptAll(theirs).isEmpty()
        assert theirs.exceptAll(ours).isEmpty()
    return native
