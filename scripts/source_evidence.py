"""What the engine's text shows: who asks what class something is, how long functions are, whether it is clean."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

import function_sizes
from engine_files import ENGINE, ROOT
from evidence import Result
from function_sizes import is_test

MAX_P90 = 16
MAX_FUNCTION_LINES = 60

# What carries operators about, and must know all of them alike.
CARRIERS = ("planner", "runtime")
AGGREGATES = ("functions/aggregate", "aggregates")

CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
ENUMERATION = re.compile(r"\benum class (\w+)")
CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
COMMENT = re.compile(r"//[^\n]*")


def texts(folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yields the name and the text, without comments, of the sources below folders of engine/, unit tests apart."""
    for folder in folders:
        for path in sorted((ENGINE / folder).rglob("*")):
            if path.suffix in function_sizes.SUFFIXES and not is_test(path):
                yield str(path.relative_to(ROOT)), COMMENT.sub("", path.read_text())


def places(pattern: re.Pattern[str], sources: Iterable[tuple[str, str]]) -> list[str]:
    """Returns where a pattern occurs, as `file:line: text`."""
    return [
        f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {found.group()}"
        for name, text in sources
        for found in pattern.finditer(text)
    ]


def class_questions(names: Iterable[str]) -> re.Pattern[str]:
    """Returns what matches a cast to some classes, a question or a function for one of them, and what hides a class."""
    known = sorted(names)
    classes = rf"(?:operators::)?(?:{'|'.join(known)})\b"
    functions = "|".join(CAPITAL.sub("_", name).lower() for name in known)
    return re.compile(
        rf"\b(?:dynamic|static|reinterpret)_(?:pointer_)?cast<(?:const )?{classes}|\b(?:is|as)<(?:const )?{classes}"
        rf"|\bas_(?:{functions})\(|\bstd::any\b|\bstd::visit\b|\b\w*[Vv]isitor\w*"
    )


def shown(found: list[str], what: str) -> Result:
    """Returns a result that holds when nothing was found."""
    return Result("; ".join([f"{len(found)} {what}", *found]), not found)


def operators_unasked() -> Result:
    """Looks for code of the planner and the runtime that finds out what operator it has before it."""
    names = {name for _, text in texts(["operators"]) for name in CLASS.findall(text)}
    return shown(places(class_questions(names), texts(CARRIERS)), f"places, of {len(names)} classes of operators")


def aggregates_untold() -> Result:
    """Looks for code outside the aggregates that tells their kinds apart by a switch."""
    names = {name for _, text in texts(AGGREGATES) for name in ENUMERATION.findall(text)}
    cases = re.compile(rf"\bcase (?:\w+::)*(?:{'|'.join(sorted(names))})::\w+")
    inside = tuple(f"engine/{folder}/" for folder in AGGREGATES)
    outside = [(name, text) for name, text in texts([""]) if not name.startswith(inside)]
    return shown(places(cases, outside), f"cases of {', '.join(sorted(names))}")


def functions_short() -> Result:
    """Measures the engine's functions."""
    found = function_sizes.measured()
    p90, longest = function_sizes.percentile(found, 90), found[-1]
    figure = f"p90 {p90}, the longest {longest.lines} ({longest.path}:{longest.line}), of {len(found)}"
    return Result(figure, p90 <= MAX_P90 and longest.lines <= MAX_FUNCTION_LINES)


def sources_clean() -> Result:
    """Checks all sources and headers, but for those that have passed as they are."""
    command = [sys.executable, "scripts/check_sources.py", "--minutes", "inf"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in run.stdout.splitlines() if line.startswith(("header:", "clang-tidy:"))]
    return Result("; ".join(lines) or run.stderr.strip(), bool(lines) and run.returncode == 0)
