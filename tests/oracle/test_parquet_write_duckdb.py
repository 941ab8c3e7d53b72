"""Files that the engine writes, as DuckDB reads them."""

from pathlib import Path

import duckdb
from parquet_files import write_both
from pyspark.sql import DataFrame, SparkSession


def test_duckdb_reads_the_same(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> None:
    native, expected = write_both(spark, tmp_path, numbers.where("id >= 0").write.parquet)
    relations = [duckdb.sql(f"select * from '{folder}/*.parquet' order by id") for folder in (native, expected)]
    assert relations[0].types == relations[1].types
    assert relations[0].columns == relations[1].columns
    rows = [relation.fetchall() for relation in relations]
    assert repr(rows[0]) == repr(rows[1])
    assert len(rows[0]) == 5550
