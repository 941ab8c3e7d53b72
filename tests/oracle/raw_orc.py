"""A writer of small ORC files, byte by byte, which may hold what no writer makes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

KINDS = [
    "boolean",
    "byte",
    "short",
    "int",
    "long",
    "float",
    "double",
    "string",
    "binary",
    "timestamp",
    "list",
    "map",
    "struct",
    "union",
    "decimal",
    "date",
    "varchar",
    "char",
    "instant",
]
STREAMS = {"present": 0, "data": 1, "length": 2, "dictionary": 3, "secondary": 5, "index": 6}
ENCODINGS = ["direct", "dictionary", "direct_v2", "dictionary_v2"]
OLD_CALENDAR, NEW_CALENDAR = 1, 2
UNCOMPRESSED, ZLIB = 0, 1


def varint(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups[-1] |= 0x80
        groups.append(value & 0x7F)
    return bytes(groups)


def signed(value: int) -> bytes:
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def number(place: int, value: int) -> bytes:
    """Returns a field of a message of Protocol Buffers."""
    return varint(place << 3) + varint(value)


def text(place: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(place << 3 | 2) + varint(len(data)) + data


def literals(encoded: Sequence[bytes]) -> bytes:
    """Returns runs without repeats."""
    runs = [encoded[i : i + 128] for i in range(0, len(encoded), 128)]
    return b"".join(bytes([256 - len(run)]) + b"".join(run) for run in runs)


def integers(values: Iterable[int]) -> bytes:
    return literals([signed(value) for value in values])


def lengths(values: Iterable[int]) -> bytes:
    return literals([varint(value) for value in values])


def bits(values: Sequence[int]) -> bytes:
    padded = [*values, *[0] * (-len(values) % 8)]
    bytes_ = [int("".join(map(str, padded[i : i + 8])), 2) for i in range(0, len(padded), 8)]
    return literals([bytes([byte]) for byte in bytes_])


@dataclass
class Type:
    kind: str
    children: Sequence[int] = ()
    names: Sequence[str] = ()
    most_characters: int | None = None
    precision: int | None = None
    scale: int | None = None
    spark_type: str | None = None

    def message(self) -> bytes:
        parts = [number(1, KINDS.index(self.kind)), *(number(2, child) for child in self.children)]
        parts += [text(3, name) for name in self.names]
        for place, value in ((4, self.most_characters), (5, self.precision), (6, self.scale)):
            parts += [] if value is None else [number(place, value)]
        if self.spark_type is not None:
            parts.append(text(7, text(1, "spark.sql.catalyst.type") + text(2, self.spark_type)))
        return b"".join(parts)


def stored_as_it_is(data: bytes) -> bytes:
    return data


@dataclass
class File:
    """A file of one stripe. A stream is a column, a kind and bytes; without encodings all columns are direct."""

    types: Sequence[Type]
    rows: int
    streams: Sequence[tuple[int, str, bytes]]
    encodings: Sequence[tuple[str, int]] = ()
    statistics: Sequence[bytes] | None = None
    calendar: int = OLD_CALENDAR
    compression: int = UNCOMPRESSED
    block_bytes: int | None = None
    stored: Callable[[bytes], bytes] = field(default=stored_as_it_is)

    def bytes(self) -> bytes:
        stored = [self.stored(data) if data else data for _, _, data in self.streams]
        values = b"".join(stored)
        stripe_footer = self.stored(self.stripe_footer([len(data) for data in stored]))
        known = self.statistics
        if known is None:
            known = [number(1, self.rows) + number(10, 1)] * len(self.types)
        statistics = self.stored(text(1, b"".join(text(1, column) for column in known))) if known else b""
        head = b"ORC"
        stripe = number(1, len(head)) + number(2, 0) + number(3, len(values))
        stripe += number(4, len(stripe_footer)) + number(5, self.rows)
        footer = number(1, len(head)) + number(2, len(head + values + stripe_footer)) + text(3, stripe)
        footer += b"".join(text(4, type_.message()) for type_ in self.types) + number(6, self.rows)
        footer += b"".join(text(7, column) for column in known) + number(8, 0) + number(11, self.calendar)
        footer = self.stored(footer)
        return head + values + stripe_footer + statistics + footer + self.post_script(len(footer), len(statistics))

    def stripe_footer(self, sizes: Sequence[int]) -> bytes:
        parts = [
            text(1, number(1, STREAMS[kind]) + number(2, column) + number(3, size))
            for (column, kind, _), size in zip(self.streams, sizes, strict=True)
        ]
        encodings = self.encodings or [("direct", 0)] * len(self.types)
        parts += [text(2, number(1, ENCODINGS.index(name)) + number(2, size)) for name, size in encodings]
        return b"".join(parts) + text(3, "UTC")

    def post_script(self, footer_bytes: int, statistics_bytes: int) -> bytes:
        parts = number(1, footer_bytes) + number(2, self.compression)
        if self.block_bytes is not None:
            parts += number(3, self.block_bytes)
        parts += number(4, 0) + number(4, 12) + number(5, statistics_bytes) + number(6, 9) + text(8000, "ORC")
        return parts + bytes([len(parts)])


def in_chunks(num_bytes: int) -> Callable[[bytes], bytes]:
    """Returns what stores bytes in chunks of so many, each as it is, in a file that is compressed."""

    def stored(data: bytes) -> bytes:
        chunks = [data[i : i + num_bytes] for i in range(0, len(data), num_bytes)]
        return b"".join((len(chunk) << 1 | 1).to_bytes(3, "little") + chunk for chunk in chunks)

    return stored


def columns(types: dict[str, Type]) -> list[Type]:
    """Returns the types of a file of columns that are not nested."""
    return [Type("struct", range(1, len(types) + 1), list(types)), *types.values()]
