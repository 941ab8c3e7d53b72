"""Makes random texts in the manner of CSV, most of which no writer would write."""

from random import Random

PLAIN = [
    "",
    "a",
    "bc",
    "some longer text, no",
    "0",
    "-1",
    "17",
    "3.25",
    "1e3",
    "true",
    "FALSE",
    "2024-02-29",
    "1999-12-31",
]
NUMBERS = [
    "+5",
    "007",
    "-0",
    "127",
    "128",
    "-32768",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775809",
    ".5",
    "1.",
]
NUMBERS += [
    "1e-400",
    "1E+5",
    "1e400",
    "0.1",
    "16777217",
    "12345678901234567890",
    "1d",
    "0x1p3",
    "NaN",
    "Inf",
    "-Inf",
    "nan",
    "1,5",
]
NUMBERS += ["99999.995", "99999999.99", "-0.005", "123456789012345678901234567890.123", "1_0", "٣"]
TIMES = ["2024-1-5", "2024-02-30", "0000-01-01", "0001-01-01", "+12024-01-01", "2024", "2024-01-01 10:11:12", "10:11"]
TIMES += ["2024-01-01T10:11:12.1234567", "2024-03-31 02:30:00", "2024-01-01 10:11:12+05:30", "2024-01-01T00:00:00Z"]
TIMES += [
    "2024-01-01 10:11:12 Europe/Berlin",
    "2024-01-01 ",
    " 2024-01-01",
    "2024-01-01 24:00:00",
    "1500-02-29",
    "epoch",
]
ODD = [
    " ",
    "  x  ",
    "\t",
    "\x00",
    "a\x00b",
    "ü",
    "日本",
    "\ufffd",
    "\u2028",
    "é" * 20,
    "null",
    "NA",
    "\\",
    "\\N",
    "a\\",
    "\x7f",
    "\u00a0",
]
QUOTES = [
    '"',
    '""',
    '"a"',
    '"a',
    'a"',
    '"a""b"',
    '"a\\"b"',
    '"\\"',
    '"a" ',
    ' "a"',
    '"a"b',
    '"a,b"',
    '"a;b"',
    '"\\\\"',
    '"a\\\\"',
    "'",
    "'a,b'",
]
QUOTES += [
    '"1"',
    '" 1"',
    '"2024-01-01"',
    '"true"',
    '"""',
    '""""',
    '"a","b"',
    '"\\n"',
    "''",
    "'a'",
    "'a''b'",
    '"\tx"',
    '"ü"',
]
GROUPS = [PLAIN, PLAIN, NUMBERS, TIMES, ODD, QUOTES]
BYTES = [b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80"]


def value(random: Random) -> bytes:
    if random.random() < 0.02:
        return random.choice(BYTES)
    if random.random() < 0.05:
        return "".join(random.choices("ab1\"'\\, ;\t.-\x00ü", k=random.randrange(12))).encode()
    return random.choice(random.choice(GROUPS)).encode()


def line(random: Random, num_columns: int, separator: bytes) -> bytes:
    """Returns a line, mostly of about as many values as there are columns; one of ten is blank or nearly so."""
    if random.random() < 0.05:
        return random.choice([b"", b" ", b"\t ", b"\x00", b"#", b"# x", b'"', separator, separator * 9])
    count = num_columns if random.random() < 0.7 else random.randrange(num_columns + 3)
    return separator.join(value(random) for _ in range(count))


def text(random: Random, num_lines: int, num_columns: int, separator: str = ",", end: bytes | None = None) -> bytes:
    """Returns lines with ends of all kinds, or of one; the last line may have none."""
    ends = [b"\n", b"\n", b"\r\n", b"\r"] if end is None else [end]
    parts = [line(random, num_columns, separator.encode()) + random.choice(ends) for _ in range(num_lines)]
    parts[-1:] = [parts[-1].rstrip(b"\r\n")] if random.random() < 0.5 else parts[-1:]
    return b"".join(parts)
