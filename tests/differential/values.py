"""Random values for the columns of tables: usual ones, and those that break things."""

import random
from collections.abc import Callable
from decimal import Decimal

import kinds

# Days around which calendars and clocks differ: 0001, the Gregorian reform, local mean time, daylight saving, 9999.
DAYS = [-719162, -141428, -141427, -141418, -25568, -25567, -1, 0, 58, 59, 10956, 11016, 18293, 19782, 20088, 2932896]
MICROS_PER_DAY = 86_400_000_000
STRINGS = ["", "a", "A", "abc", "ABC", " pad ", "%", "_a%", "0", "-12", "3.50", "1e3", "2024-02-29", "true", "é"]
STRINGS += ["Straße", "日本語", "\U0001f600", "a\u0301", "1582-10-10 11:12:13", "x" * 300, "longer text", "\0", "\t\n"]
# Spark reads what lies behind a text that ends inside a character, so none does.
INVALID_UTF8 = [b"\xff", b"ab\xc3z", b"\xed\xa0\x80", b"\xf0\x9f\x98z", b"\xc0\x80z"]
DOUBLES = [0.0, -0.0, 1.5, -2.25, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308, 1e15, 0.1]

Make = Callable[[random.Random], object]


def integer(bits: int) -> Make:
    """Returns a maker of integers at and near the ends of their range."""
    most = 2 ** (bits - 1) - 1
    return lambda r: r.choice([-most - 1, -most, most, most - 1, 0, 1, -1, 7, r.randint(-most - 1, most)])


def number(digits: int, scale: int) -> Make:
    """Returns a maker of decimals of any size that fits."""
    most = 10**digits - 1

    def make(r: random.Random) -> Decimal:
        unscaled = r.choice([most, -most, 0, 1, -1, 5, r.randint(-most, most)])
        return Decimal((unscaled < 0, tuple(map(int, str(abs(unscaled)))), -scale))

    return make


def small_number(scale: int) -> Make:
    """Returns a maker of decimals that sums and products will hold."""
    return lambda r: Decimal(r.randint(-9999, 9999)).scaleb(-scale)


def day(r: random.Random) -> int:
    """Returns a day at or near one that matters."""
    return min(max(r.choice(DAYS) + r.choice([0, 0, 0, 1, -1, 15]), DAYS[0]), DAYS[-1])


def usual_day(r: random.Random) -> int:
    """Returns a day of the last decades."""
    return r.randint(8000, 20000)


def micros(r: random.Random) -> int:
    """Returns an instant, often at the edge of a day."""
    return r.choice(DAYS[1:-1]) * MICROS_PER_DAY + r.choice([0, 1, -1, 7_200_000_000, r.randint(0, MICROS_PER_DAY)])


def usual_micros(r: random.Random) -> int:
    """Returns an instant of the last decades."""
    return r.randint(0, 2 * 10**15)


def text(r: random.Random) -> bytes:
    """Returns UTF-8."""
    return r.choice(STRINGS).encode()


def any_bytes(r: random.Random) -> bytes:
    """Returns UTF-8, or what is none."""
    return r.choice([text(r), r.choice(INVALID_UTF8)])


# How parts of nested values are made, by kind: usual ones, and extreme ones.
PARTS: dict[str, tuple[Make, Make]] = {
    "boolean": (lambda r: r.random() < 0.5, lambda r: r.random() < 0.5),
    "int": (lambda r: r.randint(-9, 9), integer(32)),
    "bigint": (lambda r: r.randint(-99, 99), integer(64)),
    "double": (lambda r: r.randint(-99, 99) / 8, lambda r: r.choice(DOUBLES)),
    "decimal(18,4)": (small_number(4), number(18, 4)),
    "string": (text, any_bytes),
    "date": (usual_day, day),
    "timestamp": (usual_micros, micros),
}


def part(kind: str, extreme: bool, r: random.Random) -> object:
    """Makes a value of any kind within a nested one, null now and then; arrays as lists, maps as lists of pairs."""
    if r.random() < 0.12:
        return None
    return value(kind, extreme, r)


def value(kind: str, extreme: bool, r: random.Random) -> object:
    """Makes a value that is not null."""
    if kinds.is_array(kind):
        return [part(kinds.element_of(kind), extreme, r) for _ in range(num_elements(extreme, r))]
    if kinds.is_map(kind):
        key, held = kinds.entry_of(kind)
        keys = dict.fromkeys(value(key, extreme, r) for _ in range(num_elements(extreme, r)))
        return [(each, part(held, extreme, r)) for each in keys]
    if kinds.is_struct(kind):
        return {name: part(member, extreme, r) for name, member in kinds.members_of(kind).items()}
    return PARTS[kind][extreme](r)


def num_elements(extreme: bool, r: random.Random) -> int:
    """Returns how many elements a collection has: often none, seldom many."""
    return r.choice([0, 0, 1, 1, 2, 2, 3, 4, 17 if extreme else 5])


def nested(kind: str, extreme: bool) -> Make:
    """Returns a maker of values of a nested kind."""
    return lambda r: value(kind, extreme, r)
