"""Random schemas, and lines of JSON that fit them more or less."""

import json
import random

SIMPLE = [
    "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(9,2)", "decimal(38,10)", "string",
    "string", "date", "timestamp", "timestamp_ntz",
]  # fmt: skip

NAMES = ["a", "b", "c", "id", "A", "name with blank", "é", "a_long_name_of_a_member", "x.y", ""]

INTEGERS = ["0", "-0", "7", "-128", "128", "255", "32767", "32768", "2147483647", "-2147483649", "999999999999999999",
            "9223372036854775807", "9223372036854775808", "123456789012345678901234567890"]  # fmt: skip

REALS = ["0.0", "-0.0", "1.5", "1e3", "1E-3", "-2.50", "0.1", "3.4028235e38", "1e39", "1.7976931348623157e308", "1e999",
         "4.9e-324", "16777217", "0.30000001192092896", "123456789.123456789", "1.005", "99999999.995", "-0e0",
         "0.1234567890123456789012345"]  # fmt: skip

WRONG = ["01", "+1", "1.", ".5", "1e", "-", "NaN", "Infinity", "-Infinity", "nul", "TRUE", "'x'", "", "[1,]", "{,}",
         '"open', "/* c */ 1", '"\\x"', '"\\u12"', '"\x01"', "{a:1}", "tru", "1 2", '"\\\n"', "\x00"]  # fmt: skip

DATES = [
    "2024-02-29", "1970-01-01", "0001-01-01", "2023-02-29", "2024-2-9", "2024", "2024-05", "+10000-01-01",
    "1/2/2024", "2024-05-06T10:00:00", "19000", "", " 2024-01-01 ", "1500-01-01",
]  # fmt: skip

TIMES = [
    "2024-07-01T12:30:00", "2024-07-01 12:30:00.123456789", "2024-07-01T12:30:00Z", "2024-07-01T12:30:00.5+05:30",
    "2024-07-01 12:30:00 Europe/Berlin", "12:30:00", "T12:30", "2024-03-31 02:30:00",
    "2024-10-27T02:30:00.000-01:00", "2024-07-01", "2024-07-01T24:00:00", "2024-07-01T12:30", "0001-01-01 00:00:00",
    "294247-01-10T04:00:54.775807Z", "294248-01-01 00:00:00", "x", "", "2024-07-01 12:30:00GMT+1",
]  # fmt: skip

CHARACTERS = [*'aZ é€😀\n\t"\\/\u2028\x7f\x00\ufffd0{,']


class Texts:
    """Makes schemas and lines by a seed."""

    def __init__(self, seed: int, wrong: float = 0.02) -> None:
        self.random = random.Random(seed)
        self.wrong = wrong

    def schema(self, depth: int = 3, columns: int | None = None) -> list[tuple[str, object]]:
        """Returns members: names, each unique in any case, and types, nested ones as tuples."""
        count = self.random.randint(1, 8) if columns is None else columns
        names = {name.lower(): name for name in self.random.sample(NAMES[:-1], min(count, len(NAMES) - 1))}
        return [(name, self.type(depth)) for name in names.values()]

    def type(self, depth: int) -> object:
        if depth == 0 or self.random.random() < 0.7:
            return self.random.choice(SIMPLE)
        kind = self.random.choice(["array", "map", "struct"])
        if kind == "struct":
            return (kind, self.schema(depth - 1, self.random.randint(1, 3)))
        return (kind, self.type(depth - 1))

    def line(self, schema: list[tuple[str, object]]) -> bytes:
        """Returns a line, damaged at times."""
        text = self.object(schema).encode("utf-8", "surrogatepass")
        while self.random.random() < 3 * self.wrong:
            text = self.damaged(text)
        if self.random.random() < self.wrong:
            text = self.random.choice([b"", b" ", b"[]", b"[" + text + b"," + text + b"]", b"null", text + b" x", b"1",
                                       b"\xef\xbb\xbf" + text, b"[1]", b'"x"', b"\t" + text + b" "])  # fmt: skip
        return text.replace(b"\n", b" ").replace(b"\r", b" ")

    def damaged(self, text: bytes) -> bytes:
        at = self.random.randrange(len(text) + 1)
        byte = bytes([self.random.choice([*b'{}[]",:\\u019.-e \t', self.random.randrange(256)])])
        return self.random.choice(
            [text[:at], text[:at] + byte + text[at + 1 :], text[:at] + byte + text[at:], text[:at] + text[at + 1 :]]
        )

    def blank(self) -> str:
        return self.random.choice(["", "", "", "", " ", "\t", "  "])

    def text(self) -> str:
        choice = self.random.random()
        if choice < 0.05:
            return self.random.choice(
                ['"\\ud83d"', '"\\ud83d\\ude00"', '"\\ude00x"', '"\\/\\b\\f"', '"\\u0000"', '"\\uD83Dx"']
            )
        if choice < 0.1:
            return json.dumps("x" * self.random.randint(1, 300))
        text = "".join(self.random.choices(CHARACTERS, k=self.random.randint(0, 20)))
        return json.dumps(text, ensure_ascii=self.random.random() < 0.5)

    def object(self, schema: list[tuple[str, object]]) -> str:
        members = [(name, self.value(kind)) for name, kind in schema if self.random.random() < 0.85]
        if self.random.random() < 0.2:
            self.random.shuffle(members)
        while self.random.random() < 0.15:
            members.insert(self.random.randint(0, len(members)), (self.random.choice(NAMES), self.any(2)))
        if self.random.random() < 0.9:  # mostly each name once
            members = list({name: (name, value) for name, value in members}.values())
        escape = self.random.random() < 0.05
        b = self.blank
        parts = (f"{b()}{json.dumps(name, ensure_ascii=escape)}{b()}:{b()}{value}{b()}" for name, value in members)
        return f"{b()}{{{','.join(parts)}}}{b()}"

    def any(self, depth: int) -> str:
        """Returns a value of any kind."""
        choice = self.random.random()
        if depth > 0 and choice < 0.2:
            return "[" + ",".join(self.any(depth - 1) for _ in range(self.random.randint(0, 3))) + self.blank() + "]"
        if depth > 0 and choice < 0.4:
            return self.object([(name, self.random.choice(SIMPLE)) for name in self.random.sample(NAMES, 2)])
        return self.random.choice([self.text(), *self.random.sample(INTEGERS + REALS, 2), "true", "null", "{}", "[]"])

    def value(self, kind: object) -> str:
        choice = self.random.random()
        if choice < self.wrong:
            return self.random.choice(WRONG)
        if choice < 2 * self.wrong:
            return self.any(2)
        if choice < 2 * self.wrong + 0.06:
            return "null"
        return self.nested(*kind) if isinstance(kind, tuple) else self.simple(kind)

    def nested(self, kind: str, inner: object) -> str:
        if kind == "struct":
            return self.object(inner)
        values = [self.value(inner) for _ in range(self.random.randint(0, 4))]
        if kind == "array":
            return f"[{self.blank()}{','.join(values)}{self.blank()}]"
        return "{" + ",".join(f"{self.text()}:{value}" for value in values) + "}"

    def simple(self, kind: str) -> str:
        if kind == "boolean":
            return self.random.choice(["true", "false"])
        if kind == "string":
            return self.text() if self.random.random() < 0.9 else self.any(2)
        if kind == "date":
            return json.dumps(self.random.choice(DATES[:3] if self.random.random() < 0.8 else DATES))
        if kind in ("timestamp", "timestamp_ntz"):
            return json.dumps(self.random.choice(TIMES[:2] if self.random.random() < 0.7 else TIMES))
        if kind in ("float", "double") or kind.startswith("decimal"):
            usual = [str(self.random.randint(-999, 999) / 100), *REALS[2:3], *INTEGERS[:3]]
            return self.random.choice(usual if self.random.random() < 0.8 else INTEGERS + REALS)
        return self.random.choice(INTEGERS[2:4] if self.random.random() < 0.9 else INTEGERS)


def ddl(schema: list[tuple[str, object]]) -> str:
    """Returns a schema in SQL's words."""
    return ", ".join(f"`{name}` {type_name(kind)}" for name, kind in schema)


def type_name(kind: object) -> str:
    if not isinstance(kind, tuple):
        return kind
    name, inner = kind
    if name == "struct":
        return "struct<" + ", ".join(f"`{member}`: {type_name(of)}" for member, of in inner) + ">"
    return f"array<{type_name(inner)}>" if name == "array" else f"map<string, {type_name(inner)}>"
