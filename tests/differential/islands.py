"""Operators that the engine lacks, over the tables of `tables`: what stands in FROM as an island in a native query."""

import random

# ORC files that Spark reads; each holds what the table of the name after `orc_` does.
ORC = "orc_"
# Spark's default of an option that the engine does not know leaves them to Spark.
ORC_OPTION = ("orc.tolerate.missing.schema", "true")

Columns = list[tuple[str, str]]

# `json_tuple` is a generator of Spark's alone.
GENERATORS = [
    ("string", "json_tuple(concat('{\"a\": \"', g, '\"}'), 'a')"),
    ("string", "json_tuple(to_json(p), 'x')"),
]


def island(r: random.Random, table: str, columns: Columns) -> tuple[str, Columns]:
    """Returns text for FROM that some operator of Spark's own gives, and its columns."""
    kind = r.choice(["orc", "orc", "generator", "generator over orc"])
    if kind == "orc":
        return ORC + table, columns
    result, call = r.choice(GENERATORS)
    source = ORC + table if kind == "generator over orc" else table
    return f"(select * from {source} lateral view {call} made as w)", [*columns, ("w", result)]
