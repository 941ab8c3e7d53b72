"""Footers of Parquet files, taken apart and put together again: structs in Thrift's compact protocol.

A struct is a dict from ids of fields to pairs of a type and a value; a list is a pair of a type and values.
"""

from collections.abc import Callable
from pathlib import Path

MAGIC = b"PAR1"
BYTE, DOUBLE, BINARY, LIST, STRUCT = 3, 7, 8, 9, 12

# Fields of FileMetaData, SchemaElement, RowGroup, ColumnChunk and ColumnMetaData.
SCHEMA, ROW_GROUPS, CREATED_BY = 2, 4, 6
SCHEMA_TYPE = 1
CHUNKS, TOTAL_COMPRESSED_SIZE = 1, 6
CHUNK_METADATA = 3
CHUNK_TYPE, CHUNK_COMPRESSED_SIZE, DICTIONARY_PAGE_OFFSET = 1, 7, 11


class Reader:
    """Reads from the start of some bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def take(self, num_bytes: int) -> bytes:
        self.position += num_bytes
        return self.data[self.position - num_bytes : self.position]

    def varint(self) -> int:
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def value(self, kind: int) -> object:
        if kind < BYTE:
            return None  # The type says whether it is true.
        if kind == BYTE:
            return self.take(1)
        if kind == DOUBLE:
            return self.take(8)
        if kind == BINARY:
            return self.take(self.varint())
        if kind == LIST:
            return self.elements()
        if kind == STRUCT:
            return self.struct()
        return self.varint()

    def elements(self) -> tuple[int, list]:
        head = self.take(1)[0]
        count = head >> 4 if head >> 4 < 15 else self.varint()
        kind = head & 15
        return kind, [self.value(kind if kind > 2 else BYTE) for _ in range(count)]

    def struct(self) -> dict:
        fields: dict = {}
        number = 0
        while head := self.take(1)[0]:
            number = number + (head >> 4) if head >> 4 else unzigzag(self.varint())
            fields[number] = (head & 15, self.value(head & 15))
        return fields


def zigzag(number: int) -> int:
    """Returns a number as integers are stored, before they are cut into sevens of bits."""
    return number * 2 if number >= 0 else -number * 2 - 1


def unzigzag(stored: int) -> int:
    """Returns the number that is stored so."""
    return stored // 2 if stored % 2 == 0 else -(stored + 1) // 2


def varint(number: int) -> bytes:
    """Returns a number that is not negative in sevens of bits."""
    parts = []
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def serialised(kind: int, value: object) -> bytes:
    """Returns a value as it is stored."""
    if kind < BYTE:
        return b""
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == LIST:
        element, values = value
        return (
            bytes([0xF0 | element])
            + varint(len(values))
            + b"".join(serialised(element if element > 2 else BYTE, each) for each in values)
        )
    if kind == STRUCT:
        fields = (
            bytes([kind]) + varint(zigzag(number)) + serialised(kind, each) for number, (kind, each) in value.items()
        )
        return b"".join(fields) + b"\0"
    return value if kind in (BYTE, DOUBLE) else varint(value)


def edit_footer(path: Path, edit: Callable[[dict], None]) -> None:
    """Writes a file again with another footer; `edit` changes the FileMetaData in place."""
    data = path.read_bytes()
    assert data.endswith(MAGIC)
    num_bytes = int.from_bytes(data[-8:-4], "little")
    start = len(data) - 8 - num_bytes
    footer = Reader(data[start:-8]).struct()
    edit(footer)
    edited = serialised(STRUCT, footer)
    path.write_bytes(data[:start] + edited + len(edited).to_bytes(4, "little") + MAGIC)


def row_groups(footer: dict) -> list[dict]:
    """Returns the row groups of a footer."""
    return footer[ROW_GROUPS][1][1]


def chunks(row_group: dict) -> list[dict]:
    """Returns the metadata of a row group's column chunks."""
    return [chunk[CHUNK_METADATA][1] for chunk in row_group[CHUNKS][1][1]]


def columns(footer: dict) -> list[dict]:
    """Returns what the schema says of its columns, none of which has columns of its own."""
    return footer[SCHEMA][1][1][1:]


def integer(number: int, kind: int = 6) -> tuple[int, int]:
    """Returns a field of a number, of 64 bits by default."""
    return kind, zigzag(number)
