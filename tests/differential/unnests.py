"""Rows out of collections: what generators are called with, and the columns that they give."""

import random
from collections.abc import Callable

import kinds
from forms import ROWS, Expression
from scopes import Scope
from sizes import limited

Columns = list[tuple[str, str]]
Make = Callable[[str], Expression]


def unnest(r: random.Random, scope: Scope, make: Make) -> tuple[Expression, Columns]:
    """Returns a call of a generator, and its columns' names and kinds; `make` makes a value of a kind."""
    nested = [column.kind for column in scope.columns if kinds.is_nested(column.kind)]
    arrays = [kind for kind in nested if kinds.is_array(kind)] or ["array<int>", "array<string>"]
    maps = [kind for kind in nested if kinds.is_map(kind)] or ["map<string,int>"]
    structs = [kind for kind in arrays if kinds.is_struct(kinds.element_of(kind))] or ["array<struct<x:int,y:string>>"]
    way = r.choice(["explode", "explode", "explode", "posexplode", "posexplode", "map", "inline", "stack"])
    if way == "stack":
        return stack(r, scope, make)
    if way == "inline":
        kind = r.choice(structs)
        members = kinds.members_of(kinds.element_of(kind)).values()
        return call("inline", limited(make(kind))), [(f"e{i}", member) for i, member in enumerate(members)]
    kind = r.choice(maps if way == "map" else arrays)
    columns = (
        [*zip(("ek", "ev"), kinds.entry_of(kind), strict=True)] if way == "map" else [("e", kinds.element_of(kind))]
    )
    collection = make(kind) if way == "map" else limited(make(kind))
    if way == "posexplode" or (way == "map" and r.random() < 0.3):
        return call("posexplode", collection), [("ep", "int"), *columns]
    return call("explode", collection), columns


def stack(r: random.Random, scope: Scope, make: Make) -> tuple[Expression, Columns]:
    """Returns a call of `stack`: several rows of given values, the last one filled up with nulls now and then."""
    chosen = [r.choice(exact_kinds(scope)) for _ in range(r.choice([1, 2]))]
    num_rows = r.choice([1, 2, 3])
    values = [make(kind) for _ in range(num_rows) for kind in chosen]
    if len(chosen) > 1 and num_rows > 1 and r.random() < 0.2:
        values.pop()
    slots = ", ".join("{}" for _ in values)
    return Expression(ROWS, f"stack({num_rows}, {slots})", tuple(values)), [
        (f"e{i}", kind) for i, kind in enumerate(chosen)
    ]


def exact_kinds(scope: Scope) -> list[str]:
    """Returns kinds that are one type each, as rows of one column must be."""
    found = {column.kind for column in scope.columns if not kinds.has(column.kind, lambda part: part == "decimal")}
    return sorted(found) or ["int"]


def call(name: str, collection: Expression) -> Expression:
    """Returns a call of a generator."""
    return Expression(ROWS, f"{name}({{}})", (collection,))
