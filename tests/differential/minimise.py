"""Reduces a query that fails, and the tables it reads, and writes both as a file of the corpus."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import kinds
import pyarrow as pa
import pyarrow.parquet as pq
from comparison import Comparison, Configuration
from outcome import raw_values
from queries import Query
from stored import ORC_OPTION, form_of
from tables import COLUMNS

MAX_TRIES = 300
# Files that hold what tables of these forms do; a file of the corpus has no rows of programs.
FORMATS = {"orc_": "orc options {}", "own_orc_": "orc", "csv_": "csv", "json_": "json"}
TYPES = {"id": "bigint"} | {column.name: column.type for column in COLUMNS}

Fails = Callable[[Query], bool]


def smaller_query(query: Query, fails: Fails) -> Query:
    """Drops clauses, columns and parts of expressions while the query still fails."""
    tries = 0
    again = True
    while again:
        again = False
        for candidate in query.smaller():
            if len(candidate.sql) >= len(query.sql):
                continue
            tries += 1
            if tries > MAX_TRIES:
                return query
            if fails(candidate):
                query, again = candidate, True
                break
    return query


def smaller_tables(
    query: Query, files: dict[str, Path], folder: Path, comparison: Comparison, configuration: Configuration
) -> dict[str, pa.Table]:
    """Drops columns and rows of the tables a query reads while it still fails, and returns what is left."""
    used = {name: pq.read_table(path) for name, path in files.items() if re.search(rf"\b{name}\b", query.sql)}
    tries = 0

    def fails(tables: dict[str, pa.Table]) -> bool:
        nonlocal tries
        tries += 1
        written = {}
        for name, table in tables.items():
            written[name] = folder / f"{name}-{tries}.parquet"
            pq.write_table(table, written[name])
        comparison.use(written, [configuration])
        return comparison.compare(query, configuration).difference is not None

    for name, table in list(used.items()):
        named = [column for column in table.column_names if re.search(rf"\b{column}\b", query.sql)]
        less = table.select(named or ["id"])
        less = less if fails(used | {name: less}) else table
        others = {other: used[other] for other in used if other != name}
        used[name] = fewer_rows(less, lambda rows, name=name, others=others: fails(others | {name: rows}))
    comparison.use(files, [configuration])
    return used


def fewer_rows(table: pa.Table, fails: Callable[[pa.Table], bool]) -> pa.Table:
    """Drops rows, half of them first, then ever smaller parts, while what is left still fails."""
    part = table.num_rows // 2
    while part > 0:
        start = 0
        while start < table.num_rows:
            rest = pa.concat_tables([table.slice(0, start), table.slice(start + part)]).combine_chunks()
            if fails(rest):
                table = rest
            else:
                start += part
        part //= 2
    return table


def literal(value: object, type_name: str) -> str:
    """Returns a raw value as SQL."""
    if value is None:
        return "null"
    if kinds.is_nested(type_name):
        return nested_literal(value, type_name)
    if type_name in ("string", "binary"):
        return f"X'{value.hex()}'" if type_name == "binary" else f"cast(X'{value.hex()}' as string)"
    if type_name in ("float", "double"):
        return f"cast('{value!r}' as {type_name})"
    if type_name == "timestamp_ntz":
        return f"timestamp_ntz'{datetime(1970, 1, 1) + timedelta(microseconds=value)}'"
    made = {"date": "date_from_unix_date({})", "timestamp": "timestamp_micros({})"}
    return made.get(type_name, "cast('{}' as " + type_name + ")").format(value)


def nested_literal(value: list | dict, type_name: str) -> str:
    """Returns a nested value as SQL; parts that are null have their types."""

    def part(held: object, kind: str) -> str:
        return f"cast(null as {kind})" if held is None else literal(held, kind)

    if kinds.is_struct(type_name):
        members = (f"'{name}', {part(value[name], kind)}" for name, kind in kinds.members_of(type_name).items())
        return f"named_struct({', '.join(members)})"
    if kinds.is_array(type_name):
        elements = ", ".join(part(each, kinds.element_of(type_name)) for each in value)
        return f"array({elements})" if value else f"cast(array() as {type_name})"
    lists = (
        nested_literal([entry[i] for entry in value], f"array<{kind}>")
        for i, kind in enumerate(kinds.entry_of(type_name))
    )
    return f"map_from_arrays({', '.join(lists)})"


def create_table(name: str, table: pa.Table) -> str:
    """Returns the statement that makes a table with these rows."""
    types = [TYPES[column] for column in table.column_names]
    columns = [raw_values(column) for column in table.columns]
    rows = ["(" + ", ".join(map(literal, row, types)) + ")" for row in zip(*columns, strict=True)]
    casts = ", ".join(
        f"cast({column} as {kind}) as {column}" for column, kind in zip(table.column_names, types, strict=True)
    )
    empty = "(" + ", ".join(["null"] * len(types)) + ")"
    values = ",\n  ".join(rows) or empty
    names = ", ".join(table.column_names)
    where = "" if rows else "\nwhere false"
    option = "('{}' '{}')".format(*ORC_OPTION)
    form = FORMATS.get(form_of(name).prefix, "parquet").format(option)
    return f"create table {name} using {form} as select {casts} from values\n  {values}\nas t({names}){where};"


def corpus_file(query: Query, tables: dict[str, pa.Table], notes: list[str]) -> str:
    """Returns the text of a corpus file."""
    comments = "\n".join(f"-- {note}" for note in notes)
    setup = "\n\n".join(create_table(name, table) for name, table in tables.items())
    return f"{comments}\n\n{setup}\n\n{query.sql};\n"
