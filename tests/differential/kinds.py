"""Kinds: SQL types as texts without spaces, such as `map<string,array<int>>` or `struct<x:int,y:string>`.

A decimal of its own is `decimal`, of any precision; within a nested kind it has its precision.
"""

from collections.abc import Callable, Iterator

FLOATS = ("float", "double")
INTEGERS = ("tinyint", "smallint", "int", "bigint")


def split(text: str) -> list[str]:
    """Splits a text at the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]] if text else []


def inside(kind: str) -> str:
    """Returns what stands between the outermost angle brackets."""
    return kind[kind.index("<") + 1 : -1]


def is_array(kind: str) -> bool:
    """Says whether it is an array."""
    return kind.startswith("array<")


def is_map(kind: str) -> bool:
    """Says whether it is a map."""
    return kind.startswith("map<")


def is_struct(kind: str) -> bool:
    """Says whether it is a struct."""
    return kind.startswith("struct<")


def is_nested(kind: str) -> bool:
    """Says whether it is made of other kinds."""
    return is_array(kind) or is_map(kind) or is_struct(kind)


def element_of(kind: str) -> str:
    """Returns the kind of an array's elements."""
    return inside(kind)


def entry_of(kind: str) -> tuple[str, str]:
    """Returns the kinds of a map's keys and values."""
    key, value = split(inside(kind))
    return key, value


def members_of(kind: str) -> dict[str, str]:
    """Returns the members of a struct by name."""
    return dict(member.split(":", 1) for member in split(inside(kind)))


def parts_of(kind: str) -> list[str]:
    """Returns the kinds that a kind is directly made of."""
    if is_struct(kind):
        return list(members_of(kind).values())
    return split(inside(kind)) if is_nested(kind) else []


def walk(kind: str) -> Iterator[str]:
    """Yields a kind and all that it is made of."""
    yield kind
    for part in parts_of(kind):
        yield from walk(part)


def has(kind: str, test: Callable[[str], bool]) -> bool:
    """Says whether a kind, or one that it is made of, passes a test."""
    return any(map(test, walk(kind)))


def depth_of(kind: str) -> int:
    """Returns how many nested kinds lie around its deepest flat one."""
    return 1 + max(map(depth_of, parts_of(kind)), default=0) if is_nested(kind) else 0


def is_orderable(kind: str) -> bool:
    """Says whether Spark compares and groups values of a kind, as it does all but maps."""
    return not has(kind, is_map)


def has_floats(kind: str) -> bool:
    """Says whether values may hold zeros that are equal and not the same."""
    return has(kind, FLOATS.__contains__)


def generic(kind: str) -> str:
    """Returns a flat kind without its parameters."""
    return "decimal" if kind.startswith("decimal(") else kind


def fits(kind: str, wanted: str) -> bool:
    """Says whether a value of a kind may stand where another one is wanted."""
    return wanted in (kind, generic(kind))
