"""Random queries over the tables of `tables`: every operator, nested several deep, the same for the same seed."""

from dataclasses import replace

import kinds
from aggregates import UNSORTED, Aggregate, aggregates
from forms import Expression
from queries import Derived, Item, Query, Select, SetOperation, Source
from scopes import Scope
from sizes import MOST_LISTED, MOST_ROWS, most_rows
from sources import Found, Sources

from accelerant.functions import aggregate_signatures

SET_OPERATIONS = ["union all", "union all", "union", "intersect", "except", "intersect all", "except all"]
DIRECTIONS = ["", "asc", "desc", "asc nulls last", "desc nulls first"]
# What queries are united by, the nested ones seldom.
UNITED = ["bigint", "string", "decimal", "date", "double", "int"] * 2
UNITED += ["array<int>", "map<string,int>", "struct<x:int,y:string,z:double>", "array<array<bigint>>"]
AGGREGATES = aggregates(aggregate_signatures())
# Half of all calls are of these.
COMMON = ["count", "count", "sum", "avg", "min", "max"]
SUBQUERIES = [
    "{{}} in (select {0}.i32 from {1} as {0})",
    "{{}} not in (select {0}.k from {1} as {0} where {0}.id > 3)",
    "exists (select 1 from {1} as {0} where {0}.k = {{}})",
    "not exists (select 1 from {1} as {0} where {0}.k = {{}} and {0}.b)",
    "exists (select 1 from {1} as {0} where array_contains({0}.xs, try_cast({{}} as int)))",
    "{{}} < (select max({0}.i32) from {1} as {0})",
    "{{}} > (select size(max_by({0}.ws, {0}.id)) from {1} as {0})",
]


class Generator(Sources):
    """Makes one query from a seed."""

    def query(self) -> Query:
        """Makes a query, the whole of it."""
        depth = self.r.choice([0, 0, 1, 1, 2])
        if self.chance(0.08):
            return self.set_operation(depth)
        return self.ordered(self.select(depth))

    def derived(self, depth: int) -> Found:
        """Puts a query into FROM; what is not equal to the last bit is not seen outside."""
        query = self.set_operation(depth) if self.chance(0.15) else self.select(depth)
        alias = self.alias()
        columns = [Expression(item.expression.kind, f"{alias}.{item.name}") for item in query.items if not item.close]
        return (Derived(query, alias), Scope(columns, usual=False)) if columns else self.table()

    def select(self, depth: int) -> Select:
        """Makes a SELECT, with groups or without."""
        source, scope = self.source(depth)
        if not self.skewed and self.chance(0.08):
            source, scope = self.unnested(source, scope)
        where = self.condition(scope) if self.chance(0.5) else None
        if self.chance(0.45):
            return self.grouped(source, scope, where)
        expressions = [self.any_item(scope) for _ in range(self.r.randint(1, 4))]
        items = [Item(expression, f"c{i}") for i, expression in enumerate(expressions)]
        if scope.unique and self.chance(0.3):
            items.append(Item(scope.unique, f"c{len(items)}", unique=True))
        distinct = self.chance(0.12) and all(kinds.is_orderable(item.expression.kind) for item in items)
        return Select(tuple(items), source, where, distinct=distinct)

    def condition(self, scope: Scope) -> Expression:
        """Makes a filter about a column, as Spark would answer others while planning; now and then with a subquery."""
        condition = self.make("boolean", scope, 2)
        while scope.columns and not condition.mentions(scope.columns):
            condition = self.make("boolean", scope, 2)
        numbers = scope.of_kind("int") + scope.of_kind("bigint")
        if not numbers or self.chance(0.75):
            return condition
        inner = self.r.choice(["usual2", "extreme2", "nothing", "single"])
        template = self.r.choice(SUBQUERIES).format(self.alias(), inner)
        subquery = Expression("boolean", template, (self.r.choice(numbers),))
        return Expression("boolean", self.r.choice(["{} and {}", "{} or {}"]), (subquery, condition))

    # Groups

    def grouped(self, source: Source, scope: Scope, where: Expression | None) -> Select:
        """Makes a SELECT with aggregates."""
        chosen = [self.group(scope) for _ in range(self.r.choice([0, 1, 1, 2, 2, 3]))]
        groups = tuple(dict.fromkeys(group for group in chosen if group))
        grouping = self.r.choice(["{}"] * 6 + ["rollup({})", "cube({})"]) if len(groups) > 1 else "{}"
        rows = most_rows(source)
        if rows * 2 ** len(groups) > MOST_ROWS:
            grouping = "{}"
        of_one_row = scope.unique in groups and grouping == "{}"
        items = [Item(group, f"c{i}") for i, group in enumerate(groups)]
        for i in range(self.r.randint(0 if groups else 1, 4)):
            items.append(self.aggregate(scope, f"c{len(groups) + i}", of_one_row, gives_long=rows <= MOST_LISTED))
        having = None
        if groups and self.chance(0.2):
            having = self.r.choice(
                [
                    Expression("boolean", "count(*) > 1"),
                    Expression("boolean", "count({}) > 0", groups[:1]),
                ]
            )
        return Select(tuple(items), source, where, groups, grouping, having)

    def group(self, scope: Scope) -> Expression | None:
        """Chooses what to group by: mostly a column, seldom a nested one; None where there is no key."""
        made = self.any_item(scope)
        # A number alone would be the position of an output column.
        if made.children and self.chance(0.3) and kinds.is_orderable(made.kind):
            return made
        if self.beyond.keys and scope.flat() and self.chance(self.beyond.keys):
            return self.called_keys(self.r.choice(scope.flat()))[0]
        if scope.unique and self.chance(0.05):
            return scope.unique
        flat, keys = scope.flat(), scope.key_columns()
        return self.r.choice(flat if flat and self.chance(0.85) else keys) if keys else None

    def aggregate(self, scope: Scope, name: str, of_one_row: bool, gives_long: bool) -> Item:
        """Makes a call of an aggregate function, sometimes with FILTER."""
        chosen = self.chosen_aggregate(scope, of_one_row)
        while chosen.is_long and not gives_long:
            chosen = self.chosen_aggregate(scope, of_one_row)
        arguments = [self.aggregated(kind, chosen, scope) for kind in chosen.arguments]
        is_filtered = self.chance(0.12)
        template = chosen.text(is_filtered)
        if is_filtered:
            arguments.append(self.make("boolean", scope, 1))
        if scope.unique:
            template = template.replace("<id>", scope.unique.template)
        return Item(Expression(chosen.kind, template, tuple(arguments)), name, chosen.close)

    def chosen_aggregate(self, scope: Scope, of_one_row: bool) -> Aggregate:
        """Chooses an aggregate function that a scope allows."""
        while True:
            function = self.r.choice(COMMON if self.chance(0.5) else list(AGGREGATES))
            chosen = self.r.choice(AGGREGATES[function])
            fails = chosen.sums and not scope.usual
            unclear = chosen.ordered and not of_one_row
            is_rare = "distinct" in chosen.template and self.chance(0.6)
            if not (fails or unclear or is_rare) and (scope.unique or "<id>" not in chosen.template):
                return chosen

    def aggregated(self, kind: str, call: Aggregate, scope: Scope) -> Expression:
        """Makes an argument of an aggregate; sums of floats are of columns as they are."""
        if kind == "any":
            return self.any_item(scope)
        if kind == "key":
            made = self.any_item(scope)
            return made if kinds.is_orderable(made.kind) else self.make("int", scope, 1)
        made = self.make(kind, scope, 0 if call.sums and kind in UNSORTED else 1)
        # Sums of hashes and reversed bits leave the type in some order of rows.
        while call.sums and ("xxhash64(" in made.sql or "java_reversed(" in made.sql):
            made = self.make(kind, scope, 1)
        return made

    # Whole queries

    def set_operation(self, depth: int) -> Query:
        """Makes two queries with columns of the same kinds."""
        chosen = [self.r.choice(UNITED) for _ in range(2)]
        operations = SET_OPERATIONS if all(map(kinds.is_orderable, chosen)) else SET_OPERATIONS[:1]
        sides = []
        for _ in range(2):
            source, scope = self.source(depth - 1)
            items = tuple(Item(self.make(kind, scope, 1), f"c{i}") for i, kind in enumerate(chosen))
            sides.append(Select(items, source, self.condition(scope) if self.chance(0.4) else None))
        return SetOperation(*sides, self.r.choice(operations))

    def ordered(self, query: Select) -> Select:
        """Sorts a query by all its columns, or by one that no two rows share, so that a limit has one answer."""
        unique = [i for i, item in enumerate(query.items) if item.unique and not query.groups]
        kept = [i for i, item in enumerate(query.items) if kinds.is_orderable(item.expression.kind) and not item.close]
        if self.chance(0.6) or not (unique or self.is_sortable(query)):
            return query
        positions = self.r.sample(kept, len(kept))
        if unique and self.chance(0.7):
            positions = [*[position for position in positions if position not in unique][:2], *unique]
        order = tuple((position, self.r.choice(DIRECTIONS)) for position in positions)
        limits = ["", "limit 1", "limit 7", "limit 5 offset 3", "limit 1000"]
        limit = "limit 0" if self.chance(0.02) else self.r.choice(limits)
        return replace(query, order=order, limit=limit)

    def is_sortable(self, query: Select) -> bool:
        """Says whether rows that are equal in all columns are the same."""
        of = [item.expression.kind for item in query.items]
        return not any(item.close for item in query.items) and all(
            kinds.is_orderable(kind) and not kinds.has_floats(kind) for kind in of
        )
