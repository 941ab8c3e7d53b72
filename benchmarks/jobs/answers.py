"""What a job leaves: what it printed, what it returned, the files it wrote; and how two such are compared.

Rows are compared in their order and, where that differs, in any; floats within TOLERANCE, as sums of them depend on
the order in which they are added.
"""

import math
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.orc

TOLERANCE = 1e-9
NUMBER = re.compile(r"-?\d+\.\d+(?:E-?\d+)?|-?\d+E-?\d+")
READERS = {
    ".parquet": "read_parquet({files}, hive_partitioning = false)",
    ".csv": "read_csv({files}, header = false, all_varchar = true, delim = '\t', quote = '', escape = '')",
    ".json": "read_csv({files}, header = false, all_varchar = true, delim = '\t', quote = '', escape = '')",
    ".orc": "table_of_orc",
}


def as_json(value: object) -> object:
    """Returns an answer as JSON holds it; decimals and moments as text."""
    if isinstance(value, pd.DataFrame):
        names = [f"{name}: {kind}" for name, kind in value.dtypes.items()]
        return [names, *(as_json(list(row)) for row in value.itertuples(index=False, name=None))]
    if isinstance(value, (list, tuple, set)):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return sorted([as_json(key), as_json(item)] for key, item in value.items())
    if isinstance(value, (date, Decimal)):
        return str(value)
    return value.item() if hasattr(value, "item") else value


def equal(mine: object, other: object) -> bool:
    """Compares two values, floats within TOLERANCE."""
    if isinstance(mine, float) and isinstance(other, float):
        return mine == other or (mine != mine and other != other) or math.isclose(mine, other, rel_tol=TOLERANCE)
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(equal, mine, other))
    return type(mine) is type(other) and mine == other


def rank(value: object) -> str:
    """Returns what rows are put in order by: floats count only by their first digits."""
    if isinstance(value, list):
        return " ".join(map(rank, value))
    return f"{value:.4e}" if isinstance(value, float) else repr(value)


def put_in_order(value: object) -> object:
    """Returns an answer with the rows of each list in an order that depends on nothing but their values."""
    if isinstance(value, list) and value and all(isinstance(item, list) for item in value):
        return sorted(map(put_in_order, value), key=rank)
    return value


def cells(text: str) -> list[list[object]]:
    """Returns the lines of a printed text in pieces; numbers with a point are floats."""
    return [[piece(word) for word in re.split(r"[\s|=(),]+", line)] for line in text.splitlines() if rows_in(line)]


def rows_in(line: str) -> bool:
    """Says whether a line is more than a table's border, whose width depends on digits."""
    return bool(line.strip("+- "))


def piece(word: str) -> object:
    """Returns a word, or the float that it is; show() ends a long one in dots."""
    number = word.removesuffix("...")
    return float(number) if NUMBER.fullmatch(number) else word


def differences(mine: dict, other: dict) -> list[str]:
    """Says in which parts two reports of a job differ, and which are equal but for the order of rows."""
    found = []
    pairs = {
        "printed": (cells(mine["text"]), cells(other["text"])),
        "returned": (mine["answer"], other["answer"]),
        "written": (mine["files"], other["files"]),
    }
    for name, (left, right) in pairs.items():
        if not equal(left, right):
            same = equal(put_in_order(left), put_in_order(right))
            found.append(f"{name} in another order" if same else f"{name} differs: {first_difference(left, right)}")
    return found


def first_difference(mine: object, other: object) -> str:
    """Returns the first place at which two answers differ, shortened."""
    if isinstance(mine, list) and isinstance(other, list):
        for left, right in zip(mine, other, strict=False):
            if not equal(left, right):
                return first_difference(left, right)
        return f"{len(mine)} against {len(other)} items"
    return f"{mine!r} against {other!r}"[:300]


def are_equal(found: list[str]) -> bool:
    """Says whether differences are none but of order."""
    return all(difference.endswith("in another order") for difference in found)


def written(out: Path) -> list[list[object]]:
    """Sums up the files below a folder: for each folder that has some its format and what its rows come to."""
    folders = sorted({path.parent for path in out.rglob("part-*") if not path.name.startswith(".")})
    with duckdb.connect() as connection:
        return [summary(connection, out, folder) for folder in folders]


def summary(connection: duckdb.DuckDBPyConnection, out: Path, folder: Path) -> list[object]:
    """Returns a folder's name, format, columns, number of rows, a checksum of what is exact, and of floats the sums."""
    files = sorted(folder.glob("part-*"))
    suffix = files[0].suffix
    if suffix == ".orc":
        connection.register("table_of_orc", pyarrow.concat_tables(pyarrow.orc.read_table(str(path)) for path in files))
    source = READERS[suffix].format(files=[str(path) for path in files])
    if suffix in (".csv", ".json"):
        return [str(folder.relative_to(out)), suffix, sorted(text_lines(files), key=rank)]
    columns = connection.sql(f"describe from {source}").fetchall()
    select = ", ".join(["count(*)", *sums({name: kind for name, kind, *_ in columns})])
    values = connection.sql(f"select {select} from {source}").fetchall()[0]
    names = [f"{name} {kind}" for name, kind, *_ in columns]
    return [str(folder.relative_to(out)), suffix, names, *map(as_json, values)]


def sums(kinds: dict[str, str]) -> Iterator[str]:
    """Yields what sums up columns, in any order of rows."""
    floats = [f'"{name}"' for name, kind in kinds.items() if kind in ("DOUBLE", "FLOAT")]
    exact = [f'"{name}"' for name, kind in kinds.items() if f'"{name}"' not in floats]
    if exact:
        yield f"sum(hash({', '.join(exact)}))::varchar"
    for name in floats:
        yield f"count({name})"
        yield f"sum(isnan({name})::int)::varchar"
        yield f"sum(case when isfinite({name}) then {name} end)"
        yield f"sum(case when isfinite({name}) then abs({name}) end)"


def text_lines(files: list[Path]) -> Iterator[list[object]]:
    """Yields lines of text files in pieces, a header that each file has once."""
    texts = [path.read_text().splitlines() for path in files if path.stat().st_size]
    headers = {lines[0] for lines in texts if lines}
    if len(texts) > 1 and len(headers) == 1:
        texts = [texts[0], *(lines[1:] for lines in texts[1:])]
    for lines in texts:
        for line in lines:
            yield [piece(word) for word in re.split(r"[,:{}]", line)]
