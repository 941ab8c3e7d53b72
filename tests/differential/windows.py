"""Functions over windows. Where an answer depends on ties, the column that no two rows share is the last order key."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import kinds
from forms import Expression
from scopes import Scope

Make = Callable[[str], Expression]

DIRECTIONS = ["", "", "desc", "asc nulls last", "desc nulls first"]
RANKS = [("int", "rank()"), ("int", "dense_rank()"), ("double", "percent_rank()"), ("double", "cume_dist()")]
NUMBERED = [("int", "row_number()"), ("int", "row_number()"), ("int", "ntile(3)"), ("int", "ntile(40)")]
# What a filter of the first rows of each window partition is about.
LIMITED = ("row_number()", "rank()", "dense_rank()")

# Of another row: template, and how many times the value goes into it.
SHIFTS = ["lag({})", "lag({}, 2)", "lead({}, 3)", "lag({}, -1)", "lag({}, 2) ignore nulls", "lead({}) ignore nulls"]
DEFAULTED = ["lag({0}, 1, {0})", "lead({0}, 2, {1})", "lag({0}, 4, {1})"]
IN_FRAMES = ["first_value({})", "last_value({})", "nth_value({}, 2)", "first({}, true)", "last({}, true)"]
IN_FRAMES += ["nth_value({}, 2) ignore nulls", "last_value({}) ignore nulls", "any_value({})"]
COLLECTED = "collect_list({})"
NARROW = ["rows between 2 preceding and 1 following", "rows between 3 following and 9 following"]

ROWS = [
    "rows between unbounded preceding and current row",
    "rows between 2 preceding and 1 following",
    "rows between 40 preceding and 3 preceding",
    "rows between 1 following and unbounded following",
    "rows between unbounded preceding and 1 preceding",
    "rows between unbounded preceding and unbounded following",
    "rows between 3 following and 9 following",
]
PEERS = [
    "",
    "range between current row and unbounded following",
    "range between unbounded preceding and unbounded following",
    "range between current row and current row",
]
# Frames by how far order keys of a kind lie apart.
APART = {
    "int": ["3 preceding and 5 following", "unbounded preceding and 2 preceding", "1 following and 90 following"],
    "decimal": ["2.5 preceding and 1.25 following", "100 preceding and current row"],
    "double": ["2.5D preceding and current row", "unbounded preceding and 100D following"],
    "date": [
        "20 preceding and 20 following",
        "interval '30' day preceding and current row",
        "interval '1' month preceding and interval '2' month following",
    ],
    "timestamp": [
        "interval '3' day preceding and interval '1' day following",
        "interval '1' year preceding and current row",
        "interval '90' minute preceding and unbounded following",
    ],
}
APART |= {
    "tinyint": APART["int"],
    "smallint": APART["int"],
    "bigint": APART["int"],
    "timestamp_ntz": APART["timestamp"],
}


@dataclass(frozen=True)
class Call:
    """An aggregate over a frame: what it takes and gives.

    `sums` adds numbers, which extreme values overflow; `in_order`: its last digits go by the order of rows.
    """

    template: str
    argument: str
    result: str
    sums: bool = False
    in_order: bool = False


# Of zeros of both signs the greatest is either.
CALLS = [
    *(Call(f"{name}({{}})", "double", "double", in_order=True) for name in ("sum", "avg", "stddev", "var_pop")),
    Call("avg({})", "float", "double", in_order=True),
    Call("corr({0}, {0} / 3)", "double", "double", in_order=True),
    Call("regr_slope({0}, sqrt(abs({0})))", "double", "double", in_order=True),
    *(Call("sum({})", kind, "bigint", True) for kind in ("int", "bigint", "smallint")),
    *(Call("avg({})", kind, "double", True) for kind in ("int", "tinyint")),
    Call("sum({})", "decimal", "decimal", True),
    Call("avg({})", "decimal", "decimal", True),
    Call("count({})", "any", "bigint"),
    Call("count_if({})", "boolean", "bigint"),
    Call("bool_and({})", "boolean", "boolean"),
    Call("bit_xor({})", "bigint", "bigint"),
    *(Call(f"{name}({{}})", kind, kind) for name in ("min", "max") for kind in ("int", "string", "decimal", "date")),
    *(Call(f"{name}({{}})", kind, kind) for name in ("min", "max") for kind in ("timestamp", "bigint", "boolean")),
    *(Call(f"{name}({{}})", kind, kind) for name in ("min", "max") for kind in ("array<int>", "array<string>")),
]


class Windows:
    """Makes calls of functions over windows of a scope; `make` makes a value of a kind, `any` for any.

    `lists_all`: lists may be of all rows of a window partition.
    """

    def __init__(self, r: random.Random, scope: Scope, make: Make, lists_all: bool) -> None:
        self.r = r
        self.scope = scope
        self.make = make
        self.lists_all = lists_all
        self.flat = [column for column in scope.columns if not kinds.is_nested(column.kind)]

    def call(self) -> Expression:
        """Makes a call of any function that the scope allows."""
        ways = [self.rank, self.rank, self.peers, self.apart]
        if self.scope.unique:
            ways += [
                self.numbered,
                self.numbered,
                self.shifted,
                self.shifted,
                self.in_frame,
                self.in_rows,
                self.in_rows,
                self.chosen,
            ]
        return self.r.choice(ways)()

    def rank(self) -> Expression:
        """Makes a rank, which peers share."""
        return self.over(*self.r.choice(RANKS), (), self.partition(), self.keys(1))

    def numbered(self) -> Expression:
        """Makes a number that no peers share."""
        return self.over(*self.r.choice(NUMBERED), (), self.partition(), self.total())

    def shifted(self) -> Expression:
        """Makes the value of a row that lies a number of rows off, nested or not."""
        value = self.make("any")
        # Of nested values the default would have to be of the very same type, down to what may be null.
        if value.kind != "decimal" and not kinds.is_nested(value.kind) and self.r.random() < 0.4:
            values = value, self.make(value.kind)
            return self.over(value.kind, self.r.choice(DEFAULTED), values, self.partition(), self.total())
        return self.over(value.kind, self.r.choice(SHIFTS), (value,), self.partition(), self.total())

    def in_frame(self) -> Expression:
        """Makes the value of one row of a frame, or a list of all."""
        value, template = self.make("any"), self.r.choice([*IN_FRAMES, COLLECTED])
        if value.kind == "decimal" and template == COLLECTED:
            template = IN_FRAMES[0]
        kind = f"array<{value.kind}>" if template == COLLECTED else value.kind
        frames = [*ROWS, "", PEERS[2]] if self.lists_all or template != COLLECTED else NARROW
        return self.over(kind, template, (value,), self.partition(), self.total(), self.r.choice(frames))

    def chosen(self) -> Expression:
        """Makes the value of the row with the greatest or the least key."""
        value = self.make("any")
        template = f"{self.r.choice(['max_by', 'min_by'])}({{}}, {self.scope.unique.template})"
        return self.over(value.kind, template, (value,), self.partition(), self.total(), self.r.choice([*ROWS, ""]))

    def in_rows(self) -> Expression:
        """Makes an aggregate over a frame of rows."""
        return self.aggregate(self.partition(), self.total(), self.r.choice(ROWS), in_order=True)

    def peers(self) -> Expression:
        """Makes an aggregate over whole peers, or over whole window partitions."""
        keys = self.keys(self.r.choice([0, 1, 2]))
        return self.aggregate(self.partition(), keys, self.r.choice(PEERS) if keys else "")

    def apart(self) -> Expression:
        """Makes an aggregate over a frame of values, of usual ones: beyond the ends of a type Spark wraps around."""
        keys = [column for column in self.flat if kinds.generic(column.kind) in APART]
        if not keys or not self.scope.usual:
            return self.peers()
        key = self.r.choice(keys)
        frame = f"range between {self.r.choice(APART[kinds.generic(key.kind)])}"
        return self.aggregate(self.partition(), [(key, self.r.choice(DIRECTIONS))], frame)

    def aggregate(self, partition: list, keys: list, frame: str, in_order: bool = False) -> Expression:
        """Makes an aggregate over a frame, now and then of some of its rows; `in_order`: no two rows share all keys."""
        calls = [call for call in CALLS if (self.scope.usual or not call.sums) and (in_order or not call.in_order)]
        chosen = self.r.choice(calls)
        template, values = chosen.template, (self.make(chosen.argument),)
        if self.r.random() < 0.08:
            template, values = f"{template} filter (where {{}})", (*values, self.make("boolean"))
        return self.over(chosen.result, template, values, partition, keys, frame)

    def partition(self) -> list[Expression]:
        """Chooses what rows are parted by, few columns or none."""
        return self.r.sample(self.flat, min(self.r.choice([0, 1, 1, 1, 2]), len(self.flat)))

    def keys(self, count: int) -> list[tuple[Expression, str]]:
        """Chooses order keys with their directions."""
        chosen = self.r.sample(self.flat, min(count, len(self.flat)))
        return [(key, self.r.choice(DIRECTIONS)) for key in chosen]

    def total(self) -> list[tuple[Expression, str]]:
        """Chooses order keys of which no two rows share all."""
        others = [key for key in self.keys(self.r.choice([0, 0, 1])) if key[0] != self.scope.unique]
        return [*others, (self.scope.unique, self.r.choice(["", "desc"]))]

    def over(
        self,
        kind: str,
        template: str,
        values: tuple[Expression, ...],
        partition: list[Expression],
        keys: list[tuple[Expression, str]],
        frame: str = "",
    ) -> Expression:
        """Puts a call over a window."""
        children = [*values, *partition, *(key for key, _ in keys)]
        slots = iter(f"{{{i}}}" for i in range(len(values), len(children)))
        clauses = [f"partition by {', '.join(next(slots) for _ in partition)}"] if partition else []
        if keys:
            clauses.append("order by " + ", ".join(f"{next(slots)} {direction}".strip() for _, direction in keys))
        clauses += [frame] if frame else []
        text = f"{numbered(template)} over ({' '.join(clauses)})"
        return Expression(kind, text, tuple(children))


def numbered(template: str) -> str:
    """Returns a template whose slots have numbers."""
    parts = template.split("{}")
    return "".join(part + (f"{{{i}}}" if i < len(parts) - 1 else "") for i, part in enumerate(parts))


def is_limited(call: Expression) -> bool:
    """Says whether a filter may be about the first rows of each window partition."""
    return call.template.startswith(LIMITED)
