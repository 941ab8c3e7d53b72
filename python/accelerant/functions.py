"""`accelerant functions`: prints every function of Spark's registry, and where it is computed."""

import argparse
import ctypes
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from accelerant import artifacts
from accelerant.errors import UserError
from accelerant.generated_data import CHECKOUT

NATIVE = "native"
BRIDGED = "bridged"
ISLAND = "island"
# The better first.
STATES = (NATIVE, BRIDGED, ISLAND)
KINDS = ("scalar", "aggregate", "window", "generator")

# A page of the wheel, and of a checkout.
PAGES = (Path(__file__).with_name("functions.md"), CHECKOUT / "docs" / "functions.md")
ROW = re.compile(r"^\| `(.+?)` \| (\w+) \| (\w+) \| (.*) \|$", re.MULTILINE)
CALL = re.compile(r"(?:(\w+) )?`\((.*?)\) → (.*?)`")
INTRODUCTION = """# Functions

Every function in the registry of Spark {version}, and where calls of it are computed. `scripts/function_reference.py`
makes this page by planning Spark's own examples, and of what the engine lists; `accelerant functions` prints it.

- *native*: by the engine. `decimal` stands for any precision and scale, `any` for any type.
- *bridged*: by Spark's own generated code, a batch at a time, within a native query.
- *island*: by an operator of Spark's: aggregates and window functions that the engine lacks, what is not
  deterministic, and values of types that it does not carry (variant, time, intervals of months and days).

A function is what its best call is; calls of another state say so.

| | native | bridged | island | all |
|---|---:|---:|---:|---:|
{totals}

| function | kind | state | calls |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Signature:
    """A function for one choice of types; `decimal` stands for any precision and scale, `any` for any type."""

    spark_class: str
    sql: str
    arguments: tuple[str, ...]
    result: str
    description: str


@dataclass(frozen=True)
class AggregateSignature(Signature):
    """An aggregate function for one choice of types.

    `words` say what is particular about it: "order-sensitive"; "distinct": equal rows count once; "can-fail" of a group
    under ANSI; "computed": its result need not be one of the values; "literal-1": its second argument is a literal.
    `count` has no arguments here, and takes any.
    """

    words: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """A call by types, and where it is computed."""

    arguments: tuple[str, ...]
    result: str
    state: str


@dataclass(frozen=True)
class ListedFunction:
    """A function of Spark's registry; where no call of it can be planned it is an island."""

    name: str
    kind: str
    calls: tuple[Call, ...]

    @property
    def state(self) -> str:
        """The best state of its calls."""
        return min((call.state for call in self.calls), key=STATES.index, default=ISLAND)


def signatures() -> list[Signature]:
    """Asks the engine's library for its scalar functions; raises UserError when it cannot be loaded."""
    return [
        Signature(spark_class, sql, words_of(arguments), result, description)
        for spark_class, sql, arguments, result, description in lines_of("accelerant_function_reference")
    ]


def aggregate_signatures() -> list[AggregateSignature]:
    """Asks the engine's library for its aggregate functions; raises UserError when it cannot be loaded."""
    return [
        AggregateSignature(spark_class, sql, words_of(arguments), result, description, words_of(words))
        for spark_class, sql, arguments, result, words, description in lines_of("accelerant_aggregate_reference")
    ]


def window_signatures() -> list[Signature]:
    """Asks the engine's library for the functions that only windows have; raises UserError when it cannot be loaded."""
    return [
        Signature(spark_class, sql, words_of(arguments), result, description)
        for spark_class, sql, arguments, result, description in lines_of("accelerant_window_reference")
    ]


def words_of(text: str) -> tuple[str, ...]:
    """Returns what commas separate that stand in no brackets of a type."""
    return tuple(re.split(r",(?![^<]*>)", text)) if text else ()


def lines_of(function: str) -> list[list[str]]:
    """Returns the lines that a function of the engine's library gives, each as its columns."""
    library = artifacts.find().library()
    try:
        ask = getattr(ctypes.CDLL(str(library)), function)
    except (OSError, AttributeError) as error:
        raise UserError(f"{library} cannot be asked for its functions: {error}") from None
    ask.restype = ctypes.c_char_p
    return [line.split("\t") for line in ask().decode().splitlines()]


def as_row(function: ListedFunction) -> str:
    """Returns a function as a line of the page's table."""
    calls = []
    for call in sorted(function.calls, key=lambda call: STATES.index(call.state)):
        state = "" if call.state == function.state else f"{call.state} "
        calls.append(f"{state}`({', '.join(call.arguments)}) → {call.result}`")
    name = function.name.replace("|", "\\|")
    return f"| `{name}` | {function.kind} | {function.state} | {' · '.join(calls)} |"


def totals(functions: Iterable[ListedFunction]) -> list[tuple[str, list[int]]]:
    """Returns, for each kind and for all, how many functions are of each state, and how many there are."""
    counts = Counter((function.kind, function.state) for function in functions)
    rows = [(kind, [counts[kind, state] for state in STATES]) for kind in KINDS]
    rows.append(("all", [sum(column) for column in zip(*(row for _, row in rows), strict=True)]))
    return [(kind, [*row, sum(row)]) for kind, row in rows]


def as_page(functions: list[ListedFunction], spark_version: str) -> str:
    """Returns the page that lists functions."""
    counted = "\n".join(f"| {kind} | {' | '.join(map(str, row))} |" for kind, row in totals(functions))
    return INTRODUCTION.format(version=spark_version, totals=counted) + "\n".join(map(as_row, functions)) + "\n"


def read_page(text: str) -> list[ListedFunction]:
    """Returns the functions that a page lists."""
    found = []
    for name, kind, state, calls in ROW.findall(text):
        read = tuple(
            Call(tuple(filter(None, arguments.split(", "))), result, own or state)
            for own, arguments, result in CALL.findall(calls)
        )
        found.append(ListedFunction(name.replace("\\|", "|"), kind, read))
    return found


def packaged_page() -> str:
    """Returns the page; raises UserError where it is missing."""
    for path in PAGES:
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise UserError(f"{PAGES[0]} is missing: install the package again")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="some functions; all by default")
    parser.add_argument("--state", choices=STATES, help="only those of this state")


def run(options: argparse.Namespace) -> int:
    """Prints functions with their calls, and how many there are."""
    functions = read_page(packaged_page())
    if unknown := set(options.names) - {function.name for function in functions}:
        raise UserError(f"Spark has no function {', '.join(sorted(unknown))}")
    chosen = [
        function
        for function in functions
        if (not options.names or function.name in options.names) and options.state in (None, function.state)
    ]
    for function in chosen:
        print(f"{function.name}  {function.kind}, {function.state}")
        for call in function.calls:
            state = "" if call.state == function.state else f"  {call.state}"
            print(f"    ({', '.join(call.arguments)}) -> {call.result}{state}")
    counts = Counter(function.state for function in chosen)
    print(f"{len(chosen)} functions: {', '.join(f'{counts[state]} {state}' for state in STATES)}")
    return 0
