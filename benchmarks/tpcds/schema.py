"""Tables of TPC-DS as statements. Their columns are texts of Spark's schema: `name` TYPE with commas between."""

import re
from collections.abc import Sequence
from pathlib import Path

FILE = "schema.json"
# Below the tables' folder: those that have columns of CHAR once more, with texts as the generator made them.
UNPADDED = "unpadded"
COLUMN = re.compile(r"`(\w+)`\s+(\w+(?:\(\d+(?:,\s*\d+)?\))?)")
TEXT = re.compile(r"(VAR)?CHAR\(\d+\)", re.IGNORECASE)


def columns(ddl: str) -> dict[str, str]:
    """Returns the types of a table's columns by name."""
    return dict(COLUMN.findall(ddl))


def is_padded(ddl: str) -> bool:
    """Says whether a table has columns of CHAR, whose values Spark fills up with blanks."""
    return any(kind.upper().startswith("CHAR") for kind in columns(ddl).values())


def create(table: str, ddl: str, folder: Path) -> str:
    """Returns the statement that makes a table of the Parquet files in a folder."""
    return f"create table {table} ({ddl}) using parquet location '{folder}'"


def select(ddl: str, generated: Sequence[str], source: str) -> str:
    """Returns the query that gives generated rows a table's types; columns go by their places.

    A few of the generator's names differ from Spark's. Raises ValueError where the places do.
    """
    wanted = columns(ddl)
    if len(wanted) != len(generated):
        raise ValueError(f"{source}: {len(generated)} columns were generated, the schema has {len(wanted)}")
    for name, other in zip(wanted, generated, strict=True):
        if name != other and (other in wanted or name in generated):
            raise ValueError(f"{source}: column {other} was generated in the place of {name}")
    pairs = zip(wanted.items(), generated, strict=True)
    casts = (f"cast(`{other}` as {spark_type(kind)}) as `{name}`" for (name, kind), other in pairs)
    return f"select {', '.join(casts)} from {source}"


def spark_type(kind: str) -> str:
    """Returns the type of a value on its way into a column: the table itself makes texts as long as they have to be."""
    return "STRING" if TEXT.fullmatch(kind) else kind


def duckdb_source(table: str, ddl: str, home: Path) -> str:
    """Returns the files in which DuckDB finds a table: those without blanks, which it would compare."""
    return f"{home / UNPADDED if is_padded(ddl) else home}/{table}/*.parquet"
