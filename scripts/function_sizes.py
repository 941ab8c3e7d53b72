"""Measures how long the engine's functions are, in lines of clang-format's text, unit tests apart.

A function is a body in braces at the level of a namespace or a class; lambdas belong to the function around them. Its
lines are those from its opening to its closing brace.
"""

import re
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}

# Text that may hold braces which open nothing, each replaced by its own line ends.
OPAQUE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
INNERMOST = re.compile(r"\([^()]*\)")
SCOPE = re.compile(
    r"(?:(?:public|protected|private)\s*:|inline|typedef|static|const|\s)*(?:namespace|class|struct|union|enum|extern)\b"
)
INITIALISERS = re.compile(r"\(\)[^()]*(?<!:):(?!:)")
NAMESPACE_END = re.compile(r"\bnamespace(?:\s+[\w:]+)?$")
IDENTIFIER_END = re.compile(r"[\w>]$")


@dataclass(frozen=True, order=True)
class Function:
    """A function's body: its lines, and where it begins."""

    lines: int
    path: str
    line: int


def without_template(head: str) -> str:
    """Returns a declaration without `template <...>` before it."""
    while (start := re.search(r"\btemplate\s*<", head)) is not None:
        depth, end = 1, start.end()
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[: start.start()] + head[end:]
    return head


def kind_of(head: str) -> str:
    """Says what a brace after a text opens: a `scope` (a namespace, a class), the `body` of a function, or `values`."""
    head = without_template(head).strip()
    while (shorter := INNERMOST.sub("\0", head)) != head:
        head = shorter
    head = head.replace("\0", "()")
    # A call of a macro may stand before it.
    if SCOPE.match(head) or NAMESPACE_END.search(head):
        return "scope"
    if "()" not in head or ("=" in head and "operator" not in head):
        return "values"
    # A member's values in braces, before the body of a constructor.
    return "values" if INITIALISERS.search(head) and IDENTIFIER_END.search(head) else "body"


def functions(path: str, text: str) -> Iterator[Function]:
    """Yields the functions of a source."""
    text = OPAQUE.sub(lambda found: "\n" * found.group().count("\n"), text)
    opened: list[tuple[str, int]] = []
    line, head = 1, ""
    for letter in text:
        line += letter == "\n"
        outside = all(kind == "scope" for kind, _ in opened)
        if letter == "{":
            kind = kind_of(head) if outside else "values"
            opened.append((kind, line))
            head = f"{head}{{}}" if kind == "values" else ""
        elif letter == "}" and opened:
            kind, first = opened.pop()
            if kind == "body":
                yield Function(line - first + 1, path, first)
            head = head if kind == "values" else ""
        elif outside:
            head = "" if letter == ";" else head + letter


def measured() -> list[Function]:
    """Returns all functions of the engine, the shortest first."""
    paths = (path for path in sorted(ENGINE.rglob("*")) if path.suffix in SUFFIXES and not is_test(path))
    return sorted(found for path in paths for found in functions(str(path.relative_to(ROOT)), path.read_text()))


def is_test(path: Path) -> bool:
    """Says whether a file serves unit tests alone."""
    return path.stem.endswith("_test") or path.name.startswith("test_")


def percentile(found: list[Function], share: int) -> int:
    """Returns the lines that this share of the functions, in percent, keeps to."""
    return round(statistics.quantiles([function.lines for function in found], n=100, method="inclusive")[share - 1])


def main() -> int:
    """Prints the sizes, and the longest functions."""
    found = measured()
    print(
        f"{len(found)} functions: p50 {percentile(found, 50)}, p90 {percentile(found, 90)}, p99 {percentile(found, 99)}"
    )
    for function in reversed(found[-10:]):
        print(f"{function.lines:5} {function.path}:{function.line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
