"""Random sources of a query: tables, joins, queries in FROM, rows of generators, windows."""

import random
from collections.abc import Iterable
from dataclasses import replace

import kinds
from bridged import lacking
from expressions import Expressions
from forms import Expression, Form
from islands import Beyond, island
from queries import Derived, Item, Join, LateralView, Select, Source, Table
from scopes import Scope, columns_of, name_of
from sizes import MOST_LISTED, MOST_ROWS, most_rows
from stored import ALL
from unnests import unnest
from windows import Windows, is_limited

JOINS = ["inner", "inner", "left", "right", "full", "left semi", "left anti", "cross"]
LOCAL = [
    ("range(-3, 40)", [("id", "bigint")]),
    (
        "values (1, 'a', 1.50), (2, 'b', null), (null, 'a', -0.25), (1, null, 7.00) as v(k, g, d9)",
        [("k", "int"), ("g", "string"), ("d9", "decimal")],
    ),
    (
        "values (1, array('a', null), map('k', 1)), (2, null, null), (3, array(), map('z', 0)) as v(k, ws, m)",
        [("k", "int"), ("ws", "array<string>"), ("m", "map<string,int>")],
    ),
]
# What a window or a generator makes is so many times more often named than other columns: Spark drops it otherwise.
MADE_TIMES = 2
Found = tuple[Source, Scope]
WITHIN = Beyond()


class Sources:
    """Makes sources from a seed, what the engine lacks among them as `beyond` says."""

    def __init__(self, seed: str, forms: Iterable[Form], ansi: bool, beyond: Beyond = WITHIN) -> None:
        self.r = random.Random(seed)
        self.expressions = Expressions(self.r, forms, ansi, lacking(beyond.calls, beyond.python))
        self.ansi = ansi
        self.beyond = beyond
        self.aliases = 0
        self.skewed = False

    def chance(self, share: float) -> bool:
        """Says yes in that share of cases."""
        return self.r.random() < share

    def alias(self) -> str:
        """Returns a fresh alias."""
        self.aliases += 1
        return f"t{self.aliases}"

    def make(self, kind: str, scope: Scope, depth: int = 2) -> Expression:
        """Makes an expression over a scope."""
        return self.expressions.make(kind, scope.columns, depth)

    def any_item(self, scope: Scope) -> Expression:
        """Makes an expression of a kind that the scope has."""
        return self.make(self.expressions.any_kind(scope.columns), scope, self.r.choice([0, 1, 2, 3]))

    def source(self, depth: int) -> Found:
        """Makes what stands in FROM."""
        if depth > 0 and self.chance(0.5):
            return self.join(depth - 1)
        if depth > 0 and self.chance(0.6):
            found = self.derived(depth - 1)
            return self.windowed(*found) if self.chance(0.12) and not self.skewed else found
        found = self.table()
        if found[0].text == "large":
            return found
        if self.chance(0.12):
            return self.windowed(*found)
        return self.generated(*found) if self.chance(0.05) else found

    def derived(self, depth: int) -> Found:
        """Puts a query into FROM."""
        raise NotImplementedError

    def table(self) -> Found:
        """Chooses a table; extreme values fail so often in ANSI mode that they are rarer there."""
        alias = self.alias()
        if self.chance(0.05):
            text, names = self.r.choice(LOCAL)
            return Table(f"(select * from {text})", alias), Scope(columns_of(alias, names))
        tables = ["usual"] * 5 + ["usual2"] * 3 + ["extreme", "extreme2"] * (1 if self.ansi else 3)
        tables += ["single", "nothing"]
        if not self.skewed:  # two of them make too many pairs of one key, or of nulls
            tables += ["large" if self.chance(0.5) else "usual", "skewed"]
        name = self.r.choice(tables)
        self.skewed = self.skewed or name in ("skewed", "large")
        usual = not name.startswith("extreme")
        if name != "large" and self.chance(self.beyond.islands):
            name, scope = island(self.r, name, alias, self.beyond.python)
            return Table(name, alias), scope
        columns = columns_of(alias, ALL)
        return Table(name, alias), Scope(columns, usual, columns[0])

    def passed(self, scope: Scope) -> list[Item]:
        """Returns some columns of a scope as they are, that which no two rows share among them."""
        kept = self.r.sample(scope.columns, min(self.r.randint(2, 7), len(scope.columns)))
        if scope.unique:
            kept = [scope.unique, *(column for column in kept if column != scope.unique)]
        by_name = {name_of(column): column for column in kept}
        return [Item(column, name) for name, column in by_name.items()]

    def outside(self, alias: str, items: Iterable[Item], scope: Scope) -> Scope:
        """Returns what is seen of a query over a scope that keeps its rows or drops some."""
        items = list(items)
        columns = columns_of(alias, ((item.name, item.expression.kind) for item in items))
        kept = [c for c, item in zip(columns, items, strict=True) if item.expression == scope.unique]
        return replace(scope, columns=columns, unique=kept[0] if kept else None)

    def windowed(self, source: Source, scope: Scope) -> Found:
        """Adds what windows give, up to three of them, now and then the first rows of each window partition alone."""

        def make(kind: str) -> Expression:
            return self.any_item(scope) if kind == "any" else self.make(kind, scope, self.r.choice([0, 0, 1]))

        windows = Windows(self.r, scope, make, lists_all=most_rows(source) <= MOST_LISTED)
        calls = [windows.call() for _ in range(self.r.choice([1, 1, 2, 3]))]
        items = [*self.passed(scope), *(Item(call, f"w{i}") for i, call in enumerate(calls))]
        alias = self.alias()
        seen = self.outside(alias, items, scope)
        seen = replace(seen, columns=seen.columns + seen.columns[-len(calls) :] * MADE_TIMES)
        inner: Found = Derived(Select(tuple(items), source), alias), seen
        limited = [f"{alias}.w{i}" for i, call in enumerate(calls) if is_limited(call)]
        return self.first_rows(*inner, limited) if limited and self.chance(0.6) else inner

    def first_rows(self, source: Source, scope: Scope, ranks: list[str]) -> Found:
        """Keeps the rows of the lowest ranks."""
        rank = Expression("int", self.r.choice(ranks))
        where = Expression("boolean", self.r.choice(["{} <= 3", "{} = 1", "{} < 10"]), (rank,))
        items = tuple(Item(column, name_of(column)) for column in dict.fromkeys(scope.columns))
        alias = self.alias()
        return Derived(Select(items, source, where), alias), self.outside(alias, items, scope)

    def generated(self, source: Source, scope: Scope) -> Found:
        """Puts a generator into a select list."""
        call, names = unnest(self.r, scope, lambda kind: self.make(kind, scope, self.r.choice([0, 0, 1])))
        if self.chance(0.3) and not call.template.startswith("stack"):
            call = replace(call, template=call.template.replace("(", "_outer(", 1))
        items = self.passed(scope)
        texts = [name for name, _ in names]
        text = f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
        alias = self.alias()
        columns = columns_of(alias, [*((item.name, item.expression.kind) for item in items), *names])
        made = Derived(Select((*items, Item(call, text)), source), alias)
        if most_rows(made) > MOST_ROWS:
            return source, scope
        return made, Scope(columns + columns[-len(names) :] * MADE_TIMES, scope.usual)

    def unnested(self, source: Source, scope: Scope) -> Found:
        """Adds the rows of a generator as a lateral view."""
        call, names = unnest(self.r, scope, lambda kind: self.make(kind, scope, self.r.choice([0, 0, 1])))
        view = self.alias()
        made = LateralView(source, call, view, tuple(name for name, _ in names), outer=self.chance(0.3))
        if most_rows(made) > MOST_ROWS:
            return source, scope
        return made, Scope(scope.columns + columns_of(view, names) * (1 + MADE_TIMES), scope.usual)

    def join(self, depth: int) -> Found:
        """Joins two sources."""
        (left, left_scope), (right, right_scope) = self.source(depth), self.source(0)
        both = Scope(left_scope.columns + right_scope.columns, left_scope.usual and right_scope.usual)
        kind = self.r.choice(JOINS)
        shared = [key for key in left_scope.key_columns() if right_scope.of_kind(key.kind)]
        if kind == "cross" or not shared:
            return self.small_cross(left, left_scope)
        condition = self.equality(shared, right_scope)
        if self.chance(0.3):
            condition = Expression("boolean", "{} and {}", (condition, self.make("boolean", both, 1)))
        made = Join(left, right, kind, condition)
        if most_rows(made) > MOST_ROWS:
            made = replace(made, kind="left semi")
        only_left = made.kind in ("left semi", "left anti")
        return made, left_scope if only_left else both

    def small_cross(self, left: Source, scope: Scope) -> Found:
        """Joins a few rows to a source."""
        alias = self.alias()
        right = Table("(select id as n, g from usual2 where id < 4)", alias)
        added = [Expression("bigint", f"{alias}.n"), Expression("string", f"{alias}.g")]
        made = Join(left, right, "cross", None)
        if most_rows(made) > MOST_ROWS:
            return left, scope
        return made, Scope(scope.columns + added, scope.usual)

    def equality(self, shared: list[Expression], right: Scope) -> Expression:
        """Makes the keys of a join: mostly few rows to a key, seldom nested."""
        nested = [key for key in shared if kinds.is_nested(key.kind)]
        few = [key for key in shared if is_selective(key)]
        left = self.r.choice(nested) if nested and self.chance(0.12) else self.r.choice(few or shared)
        same = [key for key in right.of_kind(left.kind) if name_of(key) == name_of(left)]
        other = self.r.choice(same or right.of_kind(left.kind))
        if self.beyond.keys and self.chance(self.beyond.keys):
            left, other = self.called_keys(left, other)
        return Expression("boolean", self.r.choice(["{} = {}", "{} = {}", "{} <=> {}"]), (left, other))

    def called_keys(self, *columns: Expression) -> tuple[Expression, ...]:
        """Puts columns of one kind into the same call that the engine lacks, where one takes them."""
        called = self.expressions.lacking_over(columns[0].kind)
        return tuple(Expression(called.kind, called.template, (column,)) for column in columns) if called else columns


def is_selective(key: Expression) -> bool:
    """Says whether few rows share a value of a column."""
    return not kinds.is_nested(key.kind) and key.kind not in ("boolean", "tinyint") and name_of(key) != "g"
