"""Has Spark write generated tables of TPC-DS with the schema of its own tests; to be run by spark-submit.

Arguments: the folder of generated files, the folder to write to. Spark's schema must be on the class path.
"""

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from tpcds.schema import FILE, UNPADDED, create, is_padded, select

PACKAGE = "org.apache.spark.sql.execution.benchmark"


def schema(spark: SparkSession) -> dict[str, str]:
    """Returns the columns of each table, as Spark's tests declare them."""
    package = spark._jvm
    for name in PACKAGE.split("."):
        package = getattr(package, name)
    helper = getattr(getattr(package, "TPCDSSchemaHelper$"), "MODULE$")
    found, tables = {}, helper.tableColumns().iterator()
    while tables.hasNext():
        table = tables.next()
        found[table._1()] = table._2().strip()
    return found


def write(spark: SparkSession, table: str, ddl: str, generated: Path, home: Path) -> None:
    """Writes a table, and where Spark fills up its texts with blanks once more without."""
    rows = spark.read.parquet(str(generated / f"{table}.parquet"))
    rows.createOrReplaceTempView("generated")
    chosen = select(ddl, rows.columns, "generated")
    spark.sql(create(table, ddl, home / table))
    spark.sql(f"insert into {table} {chosen}")
    if is_padded(ddl):
        spark.sql(chosen).write.parquet(str(home / UNPADDED / table))


def main() -> None:
    """Writes all tables, and what columns they have."""
    generated, home = map(Path, sys.argv[1:])
    spark = SparkSession.builder.appName("tables of TPC-DS").getOrCreate()
    tables = schema(spark)
    for table, ddl in tables.items():
        print(table, flush=True)
        write(spark, table, ddl, generated, home)
    (home / FILE).write_text(json.dumps(tables, indent=1) + "\n")
    spark.stop()


if __name__ == "__main__":
    main()
