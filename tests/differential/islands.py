"""What stands in FROM where a query may ask for what the engine lacks: tables in every form, operators of Spark's."""

import random
from dataclasses import dataclass

from scopes import Scope, columns_of
from stored import ALL, STORED, Columns

# The tables whose values Python has as well.
USUAL = ("usual", "usual2", "single", "nothing")
# Forms of tables that are islands, and, less often, those that the engine reads or has at hand.
FORMS = ["orc_"] * 3 + ["made_"] * 2 + ["csv_", "json_", "own_orc_", "framed_"]
FORMS_OF_PYTHON = [*FORMS, *["mapped_"] * 4]

# `json_tuple` is a bridged call.
GENERATORS = [
    ("string", "json_tuple(concat('{\"a\": \"', g, '\"}'), 'a')"),
    ("string", "json_tuple(to_json(p), 'x')"),
]
# Rows with other columns than the tables', one for each `id`.
GROUPS = [
    (
        "select id, any_value(k) as k, any_value(g) as g, hex(count_min_sketch(i32, 0.5D, 0.5D, 1)) as s from {} "
        "group by id",
        [("id", "bigint"), ("k", "int"), ("g", "string"), ("s", "string")],
    ),
    (
        "with recursive r(id, k) as (select 0L, 1 union all select id + 1, (k * 7) % 13 from r where id < 20) "
        "select * from r",
        [("id", "bigint"), ("k", "int")],
    ),
]
GROUPS_OF_PYTHON = [
    (
        "select id, k, i32, py_digits(i64) as i64, pd_turned(make_valid_utf8(s)) as s from {} where not py_odd(i16)",
        [("id", "bigint"), ("k", "int"), ("i32", "int"), ("i64", "bigint"), ("s", "string")],
    ),
    (
        "select id, k, g, pd_tripled(i32) as i64, pickled_negated(cast(d9 as decimal(38,10))) as d9 from {}",
        [("id", "bigint"), ("k", "int"), ("g", "string"), ("i64", "bigint"), ("d9", "decimal")],
    ),
]


@dataclass(frozen=True)
class Beyond:
    """How much of what the engine lacks a query asks for.

    `calls`: how many of the calls that Spark's code could compute it does; `islands`: how many tables are islands;
    `keys`: how many keys of joins and groups are calls; `python`: functions of Python are among all these.
    """

    calls: float = 0.0
    islands: float = 0.0
    keys: float = 0.0
    python: bool = False


def island(r: random.Random, table: str, alias: str, python: bool) -> tuple[str, Scope]:
    """Returns text for FROM, and the columns of it under an alias."""
    kind = r.choice(["stored"] * 4 + ["generator", "rows"])
    usual = not table.startswith("extreme")
    if kind == "rows":
        text, names = r.choice(GROUPS_OF_PYTHON if python else GROUPS)
        return f"({text.format(table)})", scope_of(alias, names, usual)
    if kind == "generator":
        result, call = r.choice(GENERATORS)
        source = r.choice(["orc_", ""]) + table
        columns = columns_of(alias, [*ALL, ("w", result)])
        return f"(select * from {source} lateral view {call} made as w)", Scope(columns, usual)
    forms = FORMS_OF_PYTHON if python else FORMS
    form = STORED[r.choice([form for form in forms if table in USUAL or not STORED[form].only_usual])]
    return form.prefix + table, scope_of(alias, form.names, usual)


def scope_of(alias: str, names: Columns, usual: bool) -> Scope:
    """Returns a table's columns, of which the first one is unique."""
    columns = columns_of(alias, names)
    return Scope(columns, usual, columns[0])
