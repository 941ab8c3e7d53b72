"""Values of every type that are easily lost on the way from Spark to the engine."""

# Every type, each with a null and the values that are easily lost on the way.
COLUMNS = {
    "b": "true, false, null, true, false",
    "y": "-128Y, 127Y, 0Y, null, 1Y",
    "h": "-32768S, 32767S, null, 0S, 1S",
    "n": "-2147483648, 2147483647, 0, 1, null",
    "l": "-9223372036854775808, 9223372036854775807L, null, 0L, 1L",
    "f": "float('NaN'), float('-0.0'), float('1e-45'), null, float('-Infinity')",
    "x": "double('NaN'), double('-0.0'), double('4.9e-324'), null, double('Infinity')",
    "c": "12.34, -99.99, 0.00, null, 0.01",
    "d": """99999999999999999999999999999999999999, -99999999999999999999999999999999999999, null,
        cast(0 as decimal(38, 0)), cast(-1 as decimal(38, 0))""",
    "w": """cast(1e-18 as decimal(38, 18)), cast(-1e-18 as decimal(38, 18)), null, 1,
        12345678901234567890.123456789012345678""",
    "s": "'', 'é and more than twelve bytes', 'a\\\\0b', null, '\\\\U0001F600'",
    "i": "cast(x'ff41' as string), cast(x'c3' as string), cast(x'eda080' as string), null, 'a'",
    "z": "x'', x'00ff', x'c328', null, x'00112233445566778899aabbccddeeff'",
    "t": "date'0001-01-01', date'1582-10-04', date'9999-12-31', null, date'+20000-01-01'",
    "u": """timestamp'0001-01-01 00:00:00', timestamp'1582-10-14 23:59:59.999999', null,
        timestamp'9999-12-31 23:59:59.999999', timestamp'+20000-01-01 00:00:00.000001'""",
    "v": """timestamp_ntz'0001-01-01 00:00:00', timestamp_ntz'1582-10-14 23:59:59.999999', null,
        timestamp_ntz'9999-12-31 23:59:59.999999', timestamp_ntz'2021-03-28 02:30:00'""",
    "q": "interval '-178956970-8' year to month, interval '1' month, null, interval '0' year, interval '5' year",
    "p": """interval '106751991 04:00:54.775807' day to second, interval '-1' second, null, interval '0' day,
        interval '5' hour""",
    "o": "null, null, null, null, null",
}


def split(values: str) -> list[str]:
    """Cuts a list at the commas outside parentheses and quotes."""
    parts, depth, quoted = [""], 0, False
    for char in values:
        quoted ^= char == "'"
        depth += (not quoted) * ((char == "(") - (char == ")"))
        if char == "," and not quoted and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def values_of(names: list[str]) -> str:
    """Returns a VALUES table of columns, with the number of the row first."""
    columns = [[str(i) for i in range(5)], *(split(COLUMNS[name]) for name in names)]
    rows = ", ".join(f"({', '.join(row)})" for row in zip(*columns, strict=True))
    return f"(values {rows} as t(i0, {', '.join(names)}))"


# How values are shown that Python can't take as they are.
SHOWN = {
    "i": "cast(i as binary)",
    "q": " + ".join(f"{2**i} * int(q <=> {value})" for i, value in enumerate(split(COLUMNS["q"]))),
    **{name: f"cast({name} as string)" for name in "tuv"},
}


def shown() -> str:
    """Returns what to select of all columns."""
    return ", ".join(f"{name} is null as {name}0, {SHOWN.get(name, name)} as {name}" for name in COLUMNS)
