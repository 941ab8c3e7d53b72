"""Forms of dates and times as texts with patterns, of the letters that the engine takes."""

from collections.abc import Iterator

from forms import Form

# Patterns that print and read an instant to the second, a day, and less.
INSTANTS = ["yyyy-MM-dd HH:mm:ss", "yyyyMMddHHmmss", "dd/MM/yyyy HH:mm:ss", "y-M-d H:m:s", "MMM d, yyyy h:mm:ss a"]
FINE_INSTANTS = ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd'T'HH:mm:ssXXX"]
DAYS = ["yyyy-MM-dd", "dd/MM/yyyy", "yyyyMMdd", "d MMMM yyyy", "yyyy-DDD", "dd MMM yyyy"]
PARTS = ["EEEE", "EEE", "MMM", "LLLL yyyy", "Q", "D", "HH:mm", "h a", "yyyy-MM", "yy G", "yyyy'-W'", "x", "SSS"]


def printing_forms() -> Iterator[Form]:
    """Yields texts of instants and days."""
    for pattern in [*INSTANTS, *FINE_INSTANTS, *DAYS, *PARTS]:
        yield Form("string", f'date_format({{}}, "{pattern}")', ("timestamp",))
    for pattern in [*DAYS, *PARTS[:6]]:
        yield Form("string", f'date_format({{}}, "{pattern}")', ("date",))
    for pattern in [*INSTANTS, *DAYS]:
        yield Form("string", f'from_unixtime(pmod({{}}, 4000000000L), "{pattern}")', ("bigint",))


def reading_forms() -> Iterator[Form]:
    """Yields what texts that fit a pattern are read as; texts that fit none fail in ANSI mode, and are risky."""
    for pattern in [*INSTANTS, *FINE_INSTANTS]:
        printed = f'date_format({{}}, "{pattern}"), "{pattern}"'
        yield Form("timestamp", f"to_timestamp({printed})", ("timestamp",))
        yield Form("timestamp", f"try_to_timestamp({printed})", ("timestamp",))
        yield Form("bigint", f"to_unix_timestamp({printed})", ("timestamp",))
    for pattern in INSTANTS:
        printed = f'date_format({{}}, "{pattern}"), "{pattern}"'
        yield Form("timestamp_ntz", f"to_timestamp_ntz({printed})", ("timestamp",))
        yield Form("bigint", f"unix_timestamp({printed})", ("timestamp",))
    for pattern in DAYS:
        yield Form("date", f'to_date(date_format({{}}, "{pattern}"), "{pattern}")', ("date",))
    for pattern in ("yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "M/d/y", "yyyyMMdd"):
        yield Form("date", f'try_to_date({{}}, "{pattern}")', ("string",))
        yield Form("timestamp", f'try_to_timestamp({{}}, "{pattern}")', ("string",))
        yield Form("timestamp", f'to_timestamp({{}}, "{pattern}")', ("string",), risky=True)


def pattern_forms() -> Iterator[Form]:
    """Yields all forms with patterns."""
    yield from printing_forms()
    yield from reading_forms()
    yield Form("bigint", "unix_timestamp(date_format({}, 'yyyy-MM-dd HH:mm:ss'))", ("timestamp",))
