"""Functions over windows of the tables of `tables`. Where ties would be any choice, `id` is the last order key."""

import random

Columns = list[tuple[str, str]]

SPECIFICATIONS = [
    "partition by k order by id",
    "partition by g order by i64, id",
    "partition by b, g order by s desc nulls last, id",
    "partition by f64 order by d9 nulls last, id desc",
    "order by id",
]
# Functions of rows and of frames; sums of doubles are equal to some bits only.
FUNCTIONS = [
    ("int", "row_number()"),
    ("int", "rank()"),
    ("int", "ntile(3)"),
    ("string", "lag(s, 2)"),
    ("int", "lead(i32, 1, 0)"),
]
CALLS = [
    ("bigint", "sum(i32)"),
    ("bigint", "count(s)"),
    ("decimal", "max(d18)"),
    ("string", "min(s)"),
    ("string", "last(s, true)"),
    ("int", "nth_value(i32, 2)"),
]
FRAMES = [
    "",
    "rows between unbounded preceding and current row",
    "rows between 2 preceding and 1 following",
    "rows between 40 preceding and 3 preceding",
    "rows between 1 following and unbounded following",
    "range between current row and unbounded following",
]


def windowed(r: random.Random, table: str, columns: Columns) -> tuple[str, Columns]:
    """Returns text for FROM that adds what a window gives to a table, and its columns."""
    specification = r.choice(SPECIFICATIONS)
    if r.random() < 0.4:
        result, call = r.choice(FUNCTIONS)
    else:
        result, call = r.choice(CALLS)
        specification = f"{specification} {r.choice(FRAMES)}"
    return f"(select *, {call} over ({specification}) as w from {table})", [*columns, ("w", result)]
