"""Literals of every kind, the values that break things among them."""

import kinds

LITERALS = {
    "boolean": ["true", "false"],
    "tinyint": ["0Y", "1Y", "-3Y", "127Y"],
    "smallint": ["0S", "12S", "-300S"],
    "int": ["0", "1", "-1", "3", "100", "2147483647"],
    "bigint": ["0L", "7L", "-1000L", "9223372036854775807L"],
    "float": ["cast(0.5 as float)", "cast('-0.0' as float)", "cast('NaN' as float)", "1.5f"],
    "double": ["0.25D", "-1e10D", "double('NaN')", "double('-0.0')", "double('Infinity')"],
    "decimal": ["0.00", "1.5", "-99.99", "1234567890.123456789", "10BD"],
    "string": ["''", "'a'", "'%a%'", "'re%'", "'_'", "' '", "'year'", "'MM'", "'12'", "'-7.25'", "'2024-02-29'", "'é'"],
    "binary": ["X''", "X'61'", "X'FF00'"],
    "date": ["date'1970-01-01'", "date'1582-10-04'", "date'2024-02-29'", "date'1900-01-01'", "date'1998-12-01'"],
    "timestamp": ["timestamp'2024-03-10 02:30:00'", "timestamp'1899-12-31 23:59:59.999999'", "timestamp'1500-01-01'"],
    "interval day to second": [
        "interval '1 02:03:04.5' day to second",
        "interval '-400 00:00:00.000001' day to second",
    ],
    "interval year to month": ["interval '1-1' year to month", "interval '-1-11' year to month"],
    "timestamp_ntz": ["timestamp_ntz'2024-03-10 02:30:00'", "timestamp_ntz'1582-10-10 00:00:00'"],
}

# Intervals are arguments of functions, no columns.
KINDS = tuple(LITERALS)


def type_name(kind: str) -> str:
    """Returns a type of a kind."""
    return "decimal(38,10)" if kind == "decimal" else kind


def null(kind: str) -> str:
    """Returns a null of a kind."""
    return f"cast(null as {type_name(kind)})"


def literals_of(kind: str) -> list[str]:
    """Returns some literals of a kind."""
    if kinds.is_array(kind):
        return array_literals(kind)
    if kinds.is_map(kind):
        return map_literals(kind)
    if kinds.is_struct(kind):
        return struct_literals(kind)
    if kind.startswith("decimal("):
        return [f"cast({text} as {kind})" for text in LITERALS["decimal"][:3]]
    return LITERALS[kind]


def array_literals(kind: str) -> list[str]:
    """Returns arrays of one element, of none, of two, and with a null."""
    element = kinds.element_of(kind)
    first, second = literals_of(element)[:2]
    return [
        f"array({first})",
        f"cast(array() as {kind})",
        f"array({first}, {second})",
        f"array({null(element)}, {second})",
    ]


def map_literals(kind: str) -> list[str]:
    """Returns maps of one entry, of none, and of two, with a null."""
    key, value = kinds.entry_of(kind)
    (one, other), (first, _) = literals_of(key)[:2], literals_of(value)[:2]
    return [
        f"map({one}, {first})",
        f"map_from_arrays(cast(array() as array<{key}>), cast(array() as array<{value}>))",
        f"map({one}, {null(value)}, {other}, {first})",
    ]


def struct_literals(kind: str) -> list[str]:
    """Returns a struct of first literals, and one of nulls."""
    members = kinds.members_of(kind)
    firsts = ", ".join(f"'{name}', {literals_of(member)[0]}" for name, member in members.items())
    nulls = ", ".join(f"'{name}', {null(member)}" for name, member in members.items())
    return [f"named_struct({firsts})", f"named_struct({nulls})"]
