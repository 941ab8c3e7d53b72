"""The session in which Spark's SQLQueryTestSuite runs its files: settings, tables and functions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import short_queries
from golden_answer import SUITE
from golden_input import InputFile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RULES = "org.apache.spark.sql.catalyst.optimizer"
EXCLUDED_RULES = "spark.sql.optimizer.excludedRules"

# Spark's suites leave out the rule that computes queries over inline tables while it plans. With it out as well, what
# has only constants is computed by the operators instead of the optimizer.
FOLDINGS = {
    "folding": f"{RULES}.ConvertToLocalRelation",
    "no-folding": f"{RULES}.ConvertToLocalRelation,{RULES}.ConstantFolding",
}

SUITE_SETTINGS = {
    "spark.sql.codegen.fallback": "false",
    "spark.sql.codegen.factoryMode": "CODEGEN_ONLY",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.datetime.java8API.enabled": "true",
    "spark.sql.parquet.fieldId.read.enabled": "true",
    "spark.sql.schemaLevelCollations.enabled": "true",
    "spark.sql.scripting.enabled": "true",
    "spark.sql.testkey": "true",
    "spark.test.noSerdeInExplain": "true",
    "spark.unsafe.exceptionOnMemoryLeak": "true",
}

KIND_SETTINGS = {
    "": {"spark.sql.ansi.enabled": "true"},
    "nonansi": {"spark.sql.ansi.enabled": "false"},
    "postgreSQL": {"spark.sql.ansi.enabled": "true", "spark.sql.legacy.interval.enabled": "true"},
    "timestampNTZ": {"spark.sql.timestampType": "TIMESTAMP_NTZ"},
}

JAVA_OPTIONS = f"-Duser.timezone=America/Los_Angeles -Duser.language=en -Duser.country=US {short_queries.JAVA_OPTIONS}"

NUMBERED = ["unique1", "unique2", "two", "four", "ten", "twenty", "hundred", "thousand", "twothousand", "fivethous"]
NUMBERED += ["tenthous", "odd", "even"]
WIDE = ", ".join(
    [f"{name} int" for name in NUMBERED] + [f"{name} string" for name in ("stringu1", "stringu2", "string4")]
)
TABLES = ("testdata", "arraydata", "mapdata", "aggtest", "onek", "tenk1")

# The file that reads TPC-DS, and what it reads of it; the tables are empty.
TPCDS_FILE = "pipe-operators.sql"
TPCDS = Path(__file__).parent / "tpcds_tables.sql"


def process_settings(work: Path) -> dict[str, str]:
    """Returns the settings of the whole process, whose tables lie in a folder."""
    return SUITE_SETTINGS | {
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.driver.memory": "2g",
        # Tests of Spark's own check each plan after each rule, at a cost; that is not what is tested here.
        "spark.sql.planChangeValidation": "false",
        "spark.sql.ui.retainedExecutions": "5",
        "spark.sql.warehouse.dir": str(work / SUITE),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def make_tables(spark: SparkSession, data: Path) -> None:
    """Makes the tables that the files read, from the data that comes with them."""
    spark.sql("select cast(id as int) key, cast(id as string) value from range(1, 101)").repartition(
        1
    ).write.saveAsTable("testdata")
    spark.sql(
        "select array(id, id + 1, id + 2) arraycol, array(array(id, id + 1, id + 2)) nestedarraycol "
        "from (select cast(id as int) id from range(1, 3))"
    ).write.saveAsTable("arraydata")
    spark.sql(
        "select map_from_entries(transform(sequence(1, 6 - n), i -> struct(i, concat(char(96 + i), n)))) mapcol "
        "from (select cast(id as int) n from range(1, 6))"
    ).write.saveAsTable("mapdata")
    for table, file, schema in (("aggtest", "agg", "a int, b float"), ("onek", "onek", WIDE), ("tenk1", "tenk", WIDE)):
        rows = spark.read.csv(str(data / f"{file}.data"), schema=schema, sep="\t", header=False)
        rows.write.saveAsTable(table)


def tpcds_tables() -> list[tuple[str, str]]:
    """Returns the names of TPC-DS's tables and the statements that make them."""
    statements = [text.strip() for text in TPCDS.read_text().split(";") if text.strip()]
    return [(statement.split("(")[0].split()[-1], statement) for statement in statements]


def new_session(
    spark: SparkSession, file: InputFile, run: tuple[int, str], unset: frozenset[str] = frozenset()
) -> SparkSession:
    """Returns a session for one run of a file: a variant, with or without folding.

    Settings of the suite that `unset` names are left out. Raises what Spark does where a setting of the file is none of
    this version.
    """
    variant, folding = run
    session = spark.newSession()
    session.conf.set(EXCLUDED_RULES, FOLDINGS[folding])
    for name, value in KIND_SETTINGS[file.kind].items():
        if name not in unset:
            session.conf.set(name, value)
    for name, value in file.settings + file.variants[variant]:
        session.sql(f"set {name}={value}")
    runner = spark._jvm.io.accelerant.tests.StatementRunner
    if file.kind == "postgreSQL":
        runner.registerFunctions(session._jsparkSession)
    if file.name == TPCDS_FILE:
        for _, statement in tpcds_tables():
            session.sql(statement)
    return session


def clean(spark: SparkSession) -> None:
    """Removes what a file left in the catalog, which its next run would meet."""
    spark.catalog.clearCache()
    spark.sql("use default")
    for table in spark.sql("show tables in default").collect():
        if not table.isTemporary and table.tableName not in TABLES:
            kind = "view" if is_view(spark, table.tableName) else "table"
            spark.sql(f"drop {kind} if exists default.`{table.tableName}`")
    for database in spark.sql("show databases").collect():
        if database.namespace != "default":
            spark.sql(f"drop database if exists {database.namespace} cascade")
    for function in spark.sql("show user functions").collect():
        spark.sql(f"drop function if exists {function.function.removeprefix('spark_catalog.')}")


def is_view(spark: SparkSession, table: str) -> bool:
    """Says whether a name in the catalog is a view's."""
    return any(row.viewName == table for row in spark.sql("show views in default").collect())
