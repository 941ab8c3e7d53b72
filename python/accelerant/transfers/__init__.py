"""Transfers: what a short question costs, and what many rows do that leave for Python or a file."""

from pathlib import Path

from accelerant.benchmark.task import PANDAS, WRITE, Query
from accelerant.generated_data import completed, default_folder, make_with_duckdb

ROWS_AT_SCALE_1 = 1_000_000
PACKAGE = Path(__file__).resolve().parent

# The JVM compiles what a small question runs for some thirty runs.
TINY_REPEATS = 30

QUERIES = {
    "tiny": Query(
        "select color, sum(price) as price, count(*) as rows from tiny where number > 1 group by color order by color",
        repeats=TINY_REPEATS,
    ),
    "to_pandas": Query("select * from wide", PANDAS),
    "write": Query("select * from wide", WRITE),
}

# toPandas over Arrow is what everyone sets who has many rows to fetch.
SPARK_SETTINGS = {"spark.sql.execution.arrow.pyspark.enabled": "true", "spark.driver.maxResultSize": "0"}


def generate(scale: float, folder: Path | None = None) -> dict[str, Path]:
    """Returns the Parquet files of the tables, made when they are missing; a million rows of `wide` at scale 1."""
    home = (folder or default_folder()) / f"transfers{scale:g}"
    files = {table: home / f"{table}.parquet" for table in ("tiny", "wide")}
    rows = str(round(scale * ROWS_AT_SCALE_1))
    statements = {table: (PACKAGE / f"{table}.sql").read_text().replace("{rows}", rows) for table in files}
    return completed(files, make_with_duckdb("", statements))
