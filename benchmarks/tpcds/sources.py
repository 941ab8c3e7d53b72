"""The queries of TPC-DS and the classes with its schema, out of the test jar of Spark's SQL module.

Nothing of them is kept in the tree.
"""

import re
import tempfile
import zipfile
from pathlib import Path

from accelerant.benchmark.comet import REPOSITORY, download, pinned
from accelerant.benchmark.workloads import names as listed
from accelerant.generated_data import CHECKOUT

PIN = CHECKOUT / "dependencies" / "spark-sql-tests.txt"
JARS = CHECKOUT / "build" / "spark-tests"
CLASSES = CHECKOUT / "build" / "tpcds" / "classes"

# The files of each version of the benchmark; queries of the later one are called after it, as in Spark's own suite.
FOLDER = "tpcds/"
LATER_FOLDER = "tpcds-v2.7.0/"
LATER = "-v2.7"

# Spark's trait of tables with their columns, and an object that is one.
SCHEMA_CLASSES = (
    "org/apache/spark/sql/TPCDSSchema.class",
    "org/apache/spark/sql/execution/benchmark/TPCDSSchemaHelper$.class",
)
NAME = re.compile(r"q(\d+)(.*)")


def jar() -> Path:
    """Returns Spark's test jar, downloaded when it is not there."""
    path, digest = pinned(PIN)
    return download(f"{REPOSITORY}/{path}", digest, JARS / Path(path).name)


def by_number(name: str) -> tuple[int, str]:
    """Returns what puts queries in the order of their numbers."""
    number, rest = NAME.fullmatch(name).groups()
    return int(number), rest


def queries(path: Path, with_later: bool = False) -> dict[str, str]:
    """Returns the texts of all queries in a jar by name: `q1`, `q14a`, and with the later version `q5a-v2.7`."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for file in archive.namelist():
            folder, slash, name = file.rpartition("/")
            suffix = {FOLDER: "", LATER_FOLDER: LATER}.get(folder + slash)
            if suffix is None or not name.endswith(".sql") or (suffix and not with_later):
                continue
            text = archive.read(file).decode().strip().rstrip(";")
            found[name.removesuffix(".sql") + suffix] = text
    return dict(sorted(found.items(), key=lambda entry: by_number(entry[0])))


def chosen(known: dict[str, str], names: str) -> dict[str, str]:
    """Returns the queries that a list with commas names, all without one; raises UserError for an unknown name."""
    return {name: known[name] for name in listed("--queries", names, known) or known}


def for_duckdb(sql: str) -> str:
    """Returns a query as DuckDB reads it, which quotes names otherwise."""
    return sql.replace("`", '"')


def classes() -> Path:
    """Returns a folder for a class path with no more of the jar than the schema."""
    if not CLASSES.is_dir():
        CLASSES.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix="classes-", dir=CLASSES.parent))
        with zipfile.ZipFile(jar()) as archive:
            archive.extractall(partial, SCHEMA_CLASSES)
        partial.rename(CLASSES)
    return CLASSES
