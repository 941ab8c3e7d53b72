"""How many rows the sources of a query have at most, by estimates that are far too high more often than too low."""

import re

import tables
from forms import ROWS, Expression
from queries import Derived, Join, LateralView, Query, SetOperation, Source, Table
from scopes import name_of
from stored import PREFIX

# More rows than these no source has: plain Spark keeps answers on its heap.
MOST_ROWS = 200_000
# Lists of all rows of a frame, and bitmaps, are asked of sources of so many rows; of others lists of narrow frames.
MOST_LISTED = 1000
# Elements that a generator makes rows of, for a row.
MOST_ELEMENTS = 8

ROWS_OF_TABLES = {table.name: table.rows for table in tables.TABLES}
# Where the text of a table names none of them.
ROWS_OF_OTHERS = 43
COLUMN_NAMES = {column.name for column in tables.COLUMNS}
UNEQUAL = ("skewed", "large")
FEW_VALUES = ("k", "g", "b", "i8")


def limited(collection: Expression) -> Expression:
    """Returns an array that is no longer than a generator may take: columns of tables are not."""
    is_of_table = not collection.children and name_of(collection) in COLUMN_NAMES
    return collection if is_of_table else Expression(collection.kind, f"slice({{}}, 1, {MOST_ELEMENTS})", (collection,))


def most_rows(source: Source | Query) -> int:
    """Returns how many rows there are at most."""
    match source:
        case Table(text=text):
            names = [name for name in re.findall(r"\w+", PREFIX.sub("", text)) if name in ROWS_OF_TABLES]
            return max((ROWS_OF_TABLES[name] for name in names), default=ROWS_OF_OTHERS)
        case Derived(query=query):
            return most_rows(query)
        case LateralView(source=below):
            return most_rows(below) * MOST_ELEMENTS
        case Join():
            return rows_of_join(source)
        case SetOperation(left=left, right=right):
            return most_rows(left) + most_rows(right)
    makes_rows = any(item.expression.kind == ROWS for item in source.items)
    grouping_sets = 1 if source.grouping == "{}" else 2 ** len(source.groups)
    return most_rows(source.source) * (MOST_ELEMENTS if makes_rows else grouping_sets)


def rows_of_join(join: Join) -> int:
    """Returns how many rows a join has at most: of two usual tables a row finds few others."""
    left, right = most_rows(join.left), most_rows(join.right)
    if join.kind in ("left semi", "left anti"):
        return left
    if join.condition is None:
        return left * right
    equality = join.condition if "=" in join.condition.template else join.condition.children[0]
    few_values = any(key.children or name_of(key) in FEW_VALUES for key in equality.children)
    is_skewed = any(name in join.sql for name in UNEQUAL)
    share = (0.9 if is_skewed else 0.3) if few_values else 0.02
    if "<=>" in equality.template:
        share += 0.02
    return max(left, right, int(left * right * share))
