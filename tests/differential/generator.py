"""Random queries over the tables of `tables`: every operator, nested several deep, the same for the same seed."""

import random
from dataclasses import dataclass, field

import islands
import windows
from expressions import Expression, Expressions, Form
from queries import Derived, Item, Join, Query, Select, SetOperation, Source, Table
from tables import COLUMNS

from accelerant.functions import AggregateSignature, aggregate_signatures

# A table's columns in an expression; the alias goes before the dot.
NAMES = [("id", "bigint"), *((column.name, column.kind) for column in COLUMNS)]
JOINS = ["inner", "inner", "left", "right", "full", "left semi", "left anti", "cross"]
SET_OPERATIONS = ["union all", "union all", "union", "intersect", "except", "intersect all", "except all"]
UNSORTED = ("float", "double")
DIRECTIONS = ["", "asc", "desc", "asc nulls last", "desc nulls first"]
COLUMN_KINDS = tuple(dict.fromkeys(kind for _, kind in NAMES))
LOCAL = [
    ("range(-3, 40)", [("id", "bigint")]),
    (
        "values (1, 'a', 1.50), (2, 'b', null), (null, 'a', -0.25), (1, null, 7.00) as v(k, g, d9)",
        [("k", "int"), ("g", "string"), ("d9", "decimal")],
    ),
]


@dataclass(frozen=True)
class Aggregate:
    """An aggregate function: template, argument kinds, result; `sums` adds numbers, which extreme values overflow."""

    template: str
    arguments: tuple[str, ...]
    kind: str
    sums: bool = False
    close: bool = False


# What Spark's parser makes of other functions: the engine has none of these names.
REPLACED = [
    *(Aggregate(f"{name}({{}})", ("boolean",), "boolean") for name in ("bool_and", "bool_or")),
    Aggregate("count_if({})", ("boolean",), "bigint"),
]
COUNTS = [
    Aggregate("count(*)", (), "bigint"),
    Aggregate("count({})", ("any",), "bigint"),
    Aggregate("count(distinct {})", ("any",), "bigint"),
    Aggregate("count({}, {})", ("any", "any"), "bigint"),
]
# How a function is called, where that is not its name with its arguments.
TEMPLATES = {
    "mode": ("mode({}, true)", "mode() within group (order by {} desc)"),
    "percentile": ("percentile({}, 0.25D)", "percentile_cont(0.25D) within group (order by {} desc)"),
    "percentile_disc": tuple(f"percentile_disc(0.25D) within group (order by {{}}{order})" for order in ("", " desc")),
    "regr_sxx": ("regr_sxx(1D, {})", "regr_syy({}, 1D)"),
}


def forms_of(signature: AggregateSignature) -> list[Aggregate]:
    """Returns how an aggregate of the engine is called, if its result depends on nothing but the rows."""
    name = signature.sql.partition("(")[0]
    if name == "count":
        return COUNTS
    arguments, slots = signature.arguments, ["{}"] * len(signature.arguments)
    if "order-sensitive" in signature.words:
        if len(arguments) != 2 or arguments[1] != "bigint":
            return []
        # What chooses by an ordering is asked with one that is unique.
        arguments, slots[1] = arguments[:1], "<id>"
    for word in signature.words:
        if word.startswith("literal-"):
            place = int(word.removeprefix("literal-"))
            if arguments[place] != "double":
                return []
            arguments, slots[place] = arguments[:place] + arguments[place + 1 :], "0.25D"
    if not {signature.result, *arguments} <= {*COLUMN_KINDS, "any"}:
        return []
    sums = "can-fail" in signature.words or ("computed" in signature.words and signature.result in UNSORTED)
    if name in TEMPLATES:
        close = signature.result in UNSORTED
        return [Aggregate(text, arguments, signature.result, sums, close) for text in TEMPLATES[name]]
    distinct = ("", "distinct ") if sums and len(arguments) == 1 else ("",)
    kinds = [(kind, kind) for kind in COLUMN_KINDS] if "any" in arguments else [(arguments[0], signature.result)]
    return [
        Aggregate(f"{name}({word}{', '.join(slots)})", (kind, *arguments[1:]), result, sums, result in UNSORTED)
        for word in distinct
        for kind, result in kinds
    ]


AGGREGATES = [*(form for signature in aggregate_signatures() for form in forms_of(signature)), *REPLACED]


@dataclass
class Scope:
    """The columns a query may name, and whether all values are usual ones."""

    columns: list[Expression] = field(default_factory=list)
    usual: bool = True

    def of_kind(self, kind: str) -> list[Expression]:
        """Returns the columns of a kind."""
        return [column for column in self.columns if column.kind == kind]


class Generator:
    """Makes one query from a seed."""

    def __init__(self, seed: str, forms: list[Form], ansi: bool) -> None:
        self.r = random.Random(seed)
        self.expressions = Expressions(self.r, forms, cautious=ansi)
        self.ansi = ansi
        self.aliases = 0
        self.islands = 0
        self.skewed = False

    def query(self) -> Query:
        """Makes a query, the whole of it."""
        depth = self.r.choice([0, 0, 1, 1, 2])
        if self.r.random() < 0.08:
            return self.set_operation(depth)
        return self.ordered(self.select(depth))

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

    # Sources

    def source(self, depth: int) -> tuple[Source, Scope]:
        """Makes what stands in FROM."""
        if depth > 0 and self.chance(0.5):
            return self.join(depth - 1)
        if depth > 0 and self.chance(0.6):
            return self.derived(depth - 1)
        return self.table()

    def table(self) -> tuple[Source, Scope]:
        """Chooses a table; extreme values fail so often in ANSI mode that they are rarer there."""
        alias = self.alias()
        if self.chance(0.05):
            text, names = self.r.choice(LOCAL)
            return Table(f"(select * from {text})", alias), scope_of(alias, names)
        tables = ["usual"] * 5 + ["usual2"] * 3 + ["extreme", "extreme2"] * (1 if self.ansi else 3)
        tables += ["single", "nothing"]
        if not self.skewed:  # two of them make too many pairs of one key, or of nulls
            tables += ["large", "skewed"]
        name, names = self.r.choice(tables), NAMES
        self.skewed = self.skewed or name in ("skewed", "large")
        usual = not name.startswith("extreme")
        if name != "large" and self.chance(0.1):
            self.islands += 1
            name, names = islands.island(self.r, name, NAMES)
        elif name != "large" and self.chance(0.1):
            name, names = windows.windowed(self.r, name, NAMES)
        return Table(name, alias), Scope(scope_of(alias, names).columns, usual)

    def derived(self, depth: int) -> tuple[Source, Scope]:
        """Puts a query into FROM; what is not equal to the last bit is not seen outside."""
        query = self.set_operation(depth) if self.chance(0.15) else self.select(depth)
        alias = self.alias()
        columns = [Expression(item.expression.kind, f"{alias}.{item.name}") for item in query.items if not item.close]
        return (Derived(query, alias), Scope(columns, usual=False)) if columns else self.table()

    def join(self, depth: int) -> tuple[Source, Scope]:
        """Joins two sources."""
        (left, left_scope), (right, right_scope) = self.source(depth), self.source(0)
        both = Scope(left_scope.columns + right_scope.columns, left_scope.usual and right_scope.usual)
        kind = self.r.choice(JOINS)
        shared = [key for key in left_scope.columns if right_scope.of_kind(key.kind)]
        if kind == "cross" or not shared:
            return self.small_cross(left, left_scope)
        condition = self.equality(shared, right_scope)
        if self.chance(0.3):
            condition = Expression("boolean", "{} and {}", (condition, self.make("boolean", both, 1)))
        only_left = kind in ("left semi", "left anti")
        return Join(left, right, kind, condition), left_scope if only_left else both

    def small_cross(self, left: Source, scope: Scope) -> tuple[Source, Scope]:
        """Joins a few rows to a source."""
        alias = self.alias()
        right = Table("(select id as n, g from usual2 where id < 4)", alias)
        added = [Expression("bigint", f"{alias}.n"), Expression("string", f"{alias}.g")]
        return Join(left, right, "cross", None), Scope(scope.columns + added, scope.usual)

    def equality(self, shared: list[Expression], right: Scope) -> Expression:
        """Makes the keys of a join: mostly few rows to a key."""
        few = [key for key in shared if key.kind not in ("boolean", "tinyint") and not key.template.endswith(".g")]
        left = self.r.choice(few or shared)
        same = [key for key in right.of_kind(left.kind) if key.template.split(".")[1] == left.template.split(".")[1]]
        other = self.r.choice(same or right.of_kind(left.kind))
        return Expression("boolean", self.r.choice(["{} = {}", "{} = {}", "{} <=> {}"]), (left, other))

    # Queries

    def select(self, depth: int) -> Select:
        """Makes a SELECT, with groups or without."""
        source, scope = self.source(depth)
        where = self.condition(scope) if self.chance(0.5) else None
        if self.chance(0.45):
            return self.grouped(source, scope, where)
        expressions = [self.any_item(scope) for _ in range(self.r.randint(1, 4))]
        items = tuple(Item(expression, f"c{i}") for i, expression in enumerate(expressions))
        return Select(items, source, where, distinct=self.chance(0.12))

    def condition(self, scope: Scope) -> Expression:
        """Makes a filter about a column, as Spark would answer others while planning; now and then with a subquery."""
        condition = self.make("boolean", scope, 2)
        while scope.columns and not condition.mentions(scope.columns):
            condition = self.make("boolean", scope, 2)
        numbers = scope.of_kind("int") + scope.of_kind("bigint")
        if not numbers or self.chance(0.75):
            return condition
        column = self.r.choice(numbers)
        alias = self.alias()
        inner = self.r.choice(["usual2", "extreme2", "nothing", "single"])
        template = self.r.choice(
            [
                f"{{}} in (select {alias}.i32 from {inner} as {alias})",
                f"{{}} not in (select {alias}.k from {inner} as {alias} where {alias}.id > 3)",
                f"exists (select 1 from {inner} as {alias} where {alias}.k = {{}})",
                f"not exists (select 1 from {inner} as {alias} where {alias}.k = {{}} and {alias}.b)",
                f"{{}} < (select max({alias}.i32) from {inner} as {alias})",
            ]
        )
        subquery = Expression("boolean", template, (column,))
        return Expression("boolean", self.r.choice(["{} and {}", "{} or {}"]), (subquery, condition))

    def grouped(self, source: Source, scope: Scope, where: Expression | None) -> Select:
        """Makes a SELECT with aggregates."""
        groups = tuple(dict.fromkeys(self.group(scope) for _ in range(self.r.choice([0, 1, 1, 2, 2, 3]))))
        grouping = self.r.choice(["{}"] * 6 + ["rollup({})", "cube({})"]) if len(groups) > 1 else "{}"
        items = [Item(group, f"c{i}") for i, group in enumerate(groups)]
        items += [self.aggregate(scope, f"c{len(groups) + i}") for i in range(self.r.randint(0 if groups else 1, 4))]
        having = None
        if groups and self.chance(0.2):
            having = self.r.choice(
                [
                    Expression("boolean", "count(*) > 1"),
                    Expression("boolean", "min({}) is not null", groups[:1]),
                ]
            )
        return Select(tuple(items), source, where, groups, grouping, having)

    def group(self, scope: Scope) -> Expression:
        """Chooses what to group by: mostly a column."""
        made = self.any_item(scope)
        # A number alone would be the position of an output column.
        return made if made.children and self.chance(0.3) else self.r.choice(scope.columns)

    def aggregate(self, scope: Scope, name: str) -> Item:
        """Makes a call of an aggregate function, sometimes with FILTER."""
        chosen = self.r.choice(AGGREGATES)
        ids = [column for column in scope.columns if column.template.endswith(".id")]
        while (chosen.sums and not scope.usual) or ("<id>" in chosen.template and len(ids) != 1):
            chosen = self.r.choice(AGGREGATES)
        template = chosen.template.replace("<id>", ids[0].template if ids else "")
        arguments = [
            self.any_item(scope)
            if kind == "any"
            else self.make(kind, scope, 0 if chosen.sums and kind in UNSORTED else 1)
            for kind in chosen.arguments
        ]
        if self.chance(0.12):
            template += " filter (where {})"
            arguments.append(self.make("boolean", scope, 1))
        return Item(Expression(chosen.kind, template, tuple(arguments)), name, chosen.close)

    def set_operation(self, depth: int) -> Query:
        """Makes two queries with columns of the same kinds."""
        kinds = [self.r.choice(["bigint", "string", "decimal", "date", "double", "int"]) for _ in range(2)]
        sides = []
        for _ in range(2):
            source, scope = self.source(depth - 1)
            items = tuple(Item(self.make(kind, scope, 1), f"c{i}") for i, kind in enumerate(kinds))
            sides.append(Select(items, source, self.condition(scope) if self.chance(0.4) else None))
        return SetOperation(*sides, self.r.choice(SET_OPERATIONS))

    def ordered(self, query: Select) -> Select:
        """Sorts a query by all its columns, so that a limit has one answer."""
        if self.chance(0.6) or any(item.close or item.expression.kind in UNSORTED for item in query.items):
            return query
        positions = self.r.sample(range(len(query.items)), len(query.items))
        order = tuple((position, self.r.choice(DIRECTIONS)) for position in positions)
        limits = ["", "limit 1", "limit 7", "limit 5 offset 3", "limit 1000"]
        limit = "limit 0" if self.chance(0.02) else self.r.choice(limits)
        return Select(**(vars(query) | {"order": order, "limit": limit}))


def scope_of(alias: str, names: list[tuple[str, str]]) -> Scope:
    """Returns the columns of a table under an alias."""
    return Scope([Expression(kind, f"{alias}.{name}") for name, kind in names])
