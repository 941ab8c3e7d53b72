"""Queries as trees: what they print as SQL, and the simpler queries that a failing one may be reduced to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from forms import Expression


@dataclass(frozen=True)
class Table:
    """A table, or text in parentheses that gives one, under an alias."""

    text: str
    alias: str

    @property
    def sql(self) -> str:
        """Returns the text for FROM."""
        return f"{self.text} as {self.alias}"

    def smaller(self) -> Iterator["Source"]:
        """Yields nothing: a table is as simple as it gets."""
        return iter(())


@dataclass(frozen=True)
class Derived:
    """A query in FROM."""

    query: "Query"
    alias: str

    @property
    def sql(self) -> str:
        """Returns the text for FROM."""
        return f"({self.query.sql}) as {self.alias}"

    def smaller(self) -> Iterator["Source"]:
        """Yields the same over a simpler query."""
        yield from (replace(self, query=query) for query in self.query.smaller())


@dataclass(frozen=True)
class Join:
    """Two sources joined; `kind` is SQL's word for it."""

    left: "Source"
    right: "Source"
    kind: str
    condition: Expression | None

    @property
    def sql(self) -> str:
        """Returns the text for FROM."""
        on = f" on {self.condition.sql}" if self.condition else ""
        return f"{self.left.sql} {self.kind} join {self.right.sql}{on}"

    def smaller(self) -> Iterator["Source"]:
        """Yields either side alone, and joins over simpler sides."""
        yield from (self.left, self.right)
        yield from (replace(self, left=left) for left in self.left.smaller())
        yield from (replace(self, right=right) for right in self.right.smaller())
        if self.condition:
            yield from (replace(self, condition=less) for less in self.condition.smaller())


@dataclass(frozen=True)
class LateralView:
    """A source with the rows that a generator makes of each of its rows, as columns `names` of a view."""

    source: "Source"
    call: Expression
    view: str
    names: tuple[str, ...]
    outer: bool = False

    @property
    def sql(self) -> str:
        """Returns the text for FROM."""
        word = "lateral view outer" if self.outer else "lateral view"
        return f"{self.source.sql} {word} {self.call.sql} {self.view} as {', '.join(self.names)}"

    def smaller(self) -> Iterator["Source"]:
        """Yields the source alone, and views over simpler sources and of simpler collections."""
        yield self.source
        yield from (replace(self, source=source) for source in self.source.smaller())
        yield from (replace(self, call=less) for less in self.call.smaller())


Source = Table | Derived | Join | LateralView

# What rows come from in an order that goes by Spark's hashes: joins, and groups of groups.
# A window's or a sort's rows that a Python function gets are dealt out to tasks, batch by batch.
REORDERING = re.compile(
    r"\b(join|distinct|intersect|except|exists|in|union)\b|group by.*group by"
    r"|\b(over \(|order by).*\b(py|pickled|pd|pa)_\w+\(",
    re.DOTALL,
)
# The table of more rows than the engine adds up in Spark's order.
MANY_ROWS = re.compile(r"large\b")


@dataclass(frozen=True)
class Item:
    """An output column. `close`: a sum of floats, which need not be equal to the last bit; `unique`: no two rows share
    its value.
    """

    expression: Expression
    name: str
    close: bool = False
    unique: bool = False


@dataclass(frozen=True)
class Select:
    """SELECT. `order` holds positions in the output with their direction."""

    items: tuple[Item, ...]
    source: Source
    where: Expression | None = None
    groups: tuple[Expression, ...] = ()
    grouping: str = "{}"
    having: Expression | None = None
    distinct: bool = False
    order: tuple[tuple[int, str], ...] = ()
    limit: str = ""

    @property
    def sql(self) -> str:
        """Returns the text."""
        outputs = ", ".join(f"{item.expression.sql} as {item.name}" for item in self.items)
        clauses = [f"select {'distinct ' if self.distinct else ''}{outputs} from {self.source.sql}"]
        if self.where:
            clauses.append(f"where {self.where.sql}")
        if self.groups:
            clauses.append("group by " + self.grouping.format(", ".join(group.sql for group in self.groups)))
        if self.having:
            clauses.append(f"having {self.having.sql}")
        if self.order:
            keys = (f"{self.items[position].name} {direction}" for position, direction in self.order)
            clauses.append("order by " + ", ".join(keys))
        return " ".join([*clauses, self.limit]).strip()

    def smaller(self) -> Iterator["Query"]:
        """Yields queries with a clause, a column or a part of an expression less."""
        if isinstance(self.source, Derived):
            yield self.source.query
        for name, less in (("limit", ""), ("order", ()), ("having", None), ("where", None), ("distinct", False)):
            if getattr(self, name):
                yield replace(self, **{name: less})
        if self.grouping != "{}":
            yield replace(self, grouping="{}")
        if not self.order and len(self.items) > 1:
            yield from (replace(self, items=without(self.items, i)) for i in range(len(self.items)))
        yield from (replace(self, groups=without(self.groups, i)) for i in range(len(self.groups)))
        yield from (replace(self, source=source) for source in self.source.smaller())
        for name in ("where", "having"):
            if expression := getattr(self, name):
                yield from (replace(self, **{name: less}) for less in expression.smaller())
        for i, item in enumerate(self.items):
            for less in item.expression.smaller():
                simpler = replace(item, expression=less)
                yield replace(self, items=(*self.items[:i], simpler, *self.items[i + 1 :]))


@dataclass(frozen=True)
class SetOperation:
    """UNION and its like of two queries with as many columns."""

    left: "Query"
    right: "Query"
    kind: str

    @property
    def sql(self) -> str:
        """Returns the text."""
        return f"({self.left.sql}) {self.kind} ({self.right.sql})"

    @property
    def items(self) -> tuple[Item, ...]:
        """Returns the output columns."""
        return self.left.items

    order = ()

    def smaller(self) -> Iterator["Query"]:
        """Yields either side, and the same of simpler sides."""
        yield from (self.left, self.right)
        yield from (replace(self, left=left) for left in self.left.smaller())
        yield from (replace(self, right=right) for right in self.right.smaller())


Query = Select | SetOperation


def without(items: tuple, i: int) -> tuple:
    """Returns a tuple without one of its members."""
    return (*items[:i], *items[i + 1 :])


def close_columns(query: Query) -> frozenset[int]:
    """Returns the positions of the columns that are compared within a bound.

    Sums are equal to the last digit where rows are few, and their order is Spark's.
    """
    if not REORDERING.search(query.sql) and not MANY_ROWS.search(query.sql):
        return frozenset()
    return frozenset(i for i, item in enumerate(query.items) if item.close)


def is_ordered(query: Query) -> bool:
    """Says whether the order of equal rows does not matter to an answer.

    It is sorted by all its columns, or by one that no two rows share.
    """
    positions = {position for position, _ in query.order}
    return positions == set(range(len(query.items))) or any(query.items[position].unique for position in positions)
