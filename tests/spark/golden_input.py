"""Reads input files of Spark's SQLQueryTestSuite: statements, settings, and the variants in which a file is run.

Directives are comments at the beginning of a line:

    --SET name=value,...            settings of the whole file
    --CONFIG_DIM1 name=value,...    one choice of a dimension; a file runs in each combination of choices
    --IMPORT file                   another file's statements come first
    --QUERY-DELIMITER-START, -END   what stands between is one statement, semicolons and all
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Settings = tuple[tuple[str, str], ...]

DELIMITER = "--QUERY-DELIMITER"
SEMICOLON = re.compile(r"(?<=[^\\]);")
DIMENSION = re.compile(r"--CONFIG_DIM(\S*) (.*)")
CODEGEN = "spark.sql.codegen."

# What needs functions that only Spark's test classes have, and the file that Spark's suite ignores itself.
LEFT_OUT = ("udf/", "udaf/", "udtf/", "ignored.sql")


@dataclass(frozen=True)
class InputFile:
    """A file of statements; `name` is its path below the folder of inputs."""

    name: str
    statements: tuple[str, ...]
    settings: Settings
    variants: tuple[Settings, ...]

    @property
    def kind(self) -> str:
        """The folder on which the session's settings depend, empty for other files."""
        folder = self.name.split("/")[0]
        return folder if folder in ("postgreSQL", "nonansi", "timestampNTZ") else ""


def is_comment(line: str) -> bool:
    """Says whether a line is no part of a statement."""
    return line.strip().startswith("--") and not line.strip().startswith(DELIMITER)


def code_of(text: str) -> list[str]:
    """Returns a file's lines without comments."""
    return [line for line in text.split("\n") if not is_comment(line)]


def comments_of(text: str) -> list[str]:
    """Returns a file's comments, directives among them."""
    return [line for line in text.split("\n") if is_comment(line)]


def delimited(lines: list[str]) -> Iterator[str]:
    """Yields pieces of code between semicolons, or between delimiters."""
    piece: list[str] = []
    inside = False
    for line in lines:
        if not line.strip().startswith(DELIMITER):
            piece.append(line)
            continue
        text = "\n".join(piece)
        yield from [text.removesuffix(";")] if inside else SEMICOLON.split(text)
        inside = line.strip().startswith(f"{DELIMITER}-START")
        piece = []
    yield from SEMICOLON.split("\n".join(piece))


def statements_of(lines: list[str]) -> tuple[str, ...]:
    """Returns the statements of a file's code."""
    pieces = (piece.strip() for piece in delimited(lines))
    cleaned = ("\n".join(line for line in piece.split("\n") if not line.startswith("--")) for piece in pieces)
    return tuple(statement.strip() for statement in cleaned if statement.strip())


def pairs(text: str) -> Settings:
    """Reads `name=value,name=value`."""
    parts = (part.partition("=") for part in text.split(","))
    return tuple((name.strip(), value.strip()) for name, _, value in parts)


def settings_of(comments: list[str]) -> Settings:
    """Returns the settings of the whole file."""
    lines = (line.removeprefix("--SET ") for line in comments if line.startswith("--SET "))
    return tuple(pair for line in lines for pair in pairs(line))


def variants_of(comments: list[str]) -> tuple[Settings, ...]:
    """Returns each combination of the dimensions' choices; a single empty one where there is no dimension.

    Of those that differ only in how Spark generates code, which has no bearing on the engine, it returns the first.
    """
    dimensions: dict[str, list[Settings]] = {}
    for match in filter(None, map(DIMENSION.match, comments)):
        dimensions.setdefault(match.group(1), []).append(pairs(match.group(2)))
    variants: dict[Settings, Settings] = {}
    for choices in itertools.product(*dimensions.values()):
        variant = sum(choices, ())
        variants.setdefault(tuple(pair for pair in variant if not pair[0].startswith(CODEGEN)), variant)
    return tuple(variants.values())


def read(folder: Path, name: str) -> InputFile:
    """Reads a file below the folder of inputs, with what it imports."""
    text = (folder / name).read_text()
    comments = comments_of(text)
    imports = (line.removeprefix("--IMPORT ").strip() for line in comments if line.startswith("--IMPORT "))
    code = [line for imported in imports for line in code_of((folder / imported).read_text())] + code_of(text)
    return InputFile(name, statements_of(code), settings_of(comments), variants_of(comments))


def names(folder: Path) -> list[str]:
    """Returns the names of the files that are run."""
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.sql"))
    return [name for name in found if not name.startswith(LEFT_OUT)]
