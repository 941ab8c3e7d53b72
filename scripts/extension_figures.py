"""Counts what an operator, a format of files and a data type take, by adding one in a scratch copy.

Of a format and a type it adds a line to their list and compiles, for syntax only, what knows members of the list: the
compiler names the files that lack the new one. Those are edits of a format like all others; of a type any number may
be. Of an operator it looks at the one that CONTRIBUTING.md shows.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import evidence
from changed_sources import git
from engine_files import ENGINE, ROOT, folder_flags
from evidence import Result
from function_sizes import is_test

NAMED = re.compile(r"^(\S+?):\d+:\d+: (?:fatal )?error: ", re.MULTILINE)
PURE = re.compile(r"note:\s+'virtual [^']*?(\w+)\([^']*\) const'")
LACKING = re.compile(r"'const struct Scratch' has no member named '(\w+)'")
# The compiler's words without quotes of other alphabets.
PLAIN_WORDS = os.environ | {"LC_ALL": "C"}

MAX_OPERATOR_FILES = 6
MAX_EDITS = 4
# What an operator must say before it compiles: of failure through its programs.
BEHAVIOUR = {"members", "estimate_rows", "origins_of", "drops_alike"}
OPERATOR = """#include "plan/node.h"
using namespace accelerant::plan;
struct Scratch final : NodeOf<Scratch, Role::Transform> {};
template struct accelerant::plan::NodeOf<Scratch, Role::Transform>;
Node* scratch() { return new Scratch; }
"""


@dataclass(frozen=True)
class Extension:
    """A list of the engine's with its enumeration, one more line, and what may need an edit that no compiler names."""

    header: str
    enumeration: str
    macro: str
    line: str
    beside: tuple[str, ...] = ()
    counts_named: bool = True  # the files that the compiler names are edits like the others


FORMAT = Extension(
    "io/file_format.h",
    "FileFormat",
    "ACC_FILE_FORMATS",
    '  F(Scratch, "org.example.ScratchFormat", open_scratch, take_scratch_options) \\',
    # Which options of other formats it ignores, and what of a read Spark's plan does not say: few formats need both.
    ("engine/io/format_options.cpp", "jvm/src/main/scala/io/accelerant/spark/NodeFields.scala"),
)
TYPE = Extension(
    "types/type_list.h",
    "TypeId",
    "ACC_TYPES_OF_VALUES",
    '  T(Scratch, {code}, Int64, "scratch", "l") \\',
    ("jvm/src/main/scala/io/accelerant/spark/TypeEncoder.scala",),
    counts_named=False,
)


def lengthened(extension: Extension) -> str:
    """Returns the header with one line more in its list."""
    text = (ENGINE / extension.header).read_text()
    start = re.search(rf"^#define {extension.macro}\(\w\)\s*\\\n", text, re.MULTILINE)
    if start is None:
        sys.exit(f"extension_figures.py: engine/{extension.header} has no list {extension.macro}")
    codes = [int(code) for code in re.findall(r"\(\w+, (\d+),", text)]
    line = extension.line.replace("{code}", str(max(codes, default=0) + 1))
    return text[: start.end()] + line + "\n" + text[start.end() :]


def knowing(extension: Extension) -> list[Path]:
    """Returns the files that tell members of the list apart: by a switch, or by the list itself."""
    told_apart = re.compile(
        rf"\b{extension.macro}\b|\b{extension.enumeration}::(?s:.*)\bswitch \(|"
        rf"\bswitch \((?s:.*)\b{extension.enumeration}::"
    )
    paths = (path for path in sorted(ENGINE.rglob("*")) if path.suffix in {".h", ".cpp"} and not is_test(path))
    return [path for path in paths if path != ENGINE / extension.header and told_apart.search(path.read_text())]


def compiled(path: Path, overlay: Path) -> subprocess.CompletedProcess:
    """Compiles a file for syntax only, as with the overlay's headers in the place of the engine's."""
    flags = [flag for flag in folder_flags(path) if not flag.startswith("-W")]
    read = ["-include", str(path), "-x", "c++", "/dev/null"] if path.suffix == ".h" else [str(path)]
    command = ["nice", "g++", "-fsyntax-only", "-Werror=switch", f"-I{overlay}", *flags, *read]
    return subprocess.run(command, cwd=ROOT, env=PLAIN_WORDS, capture_output=True, text=True, check=False)


def at_fault(path: Path, overlay: Path) -> set[Path]:
    """Returns the files that the compiler names for the sake of one; this one for lines that are not the engine's."""
    named = {Path(name) for name in NAMED.findall(compiled(path, overlay).stderr)}
    return {each if each.is_relative_to(ENGINE) else path for each in named}


@cache
def named_files(extension: Extension) -> list[str]:
    """Returns the files that the compiler names once the list has a member more."""
    with tempfile.TemporaryDirectory() as folder:
        overlay = Path(folder)
        header = overlay / extension.header
        header.parent.mkdir(parents=True)
        header.write_text(lengthened(extension))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = set().union(*pool.map(lambda path: at_fault(path, overlay), knowing(extension)))
    return sorted(str(path.relative_to(ROOT)) for path in found)


def edits(extension: Extension) -> Result:
    """Counts the files that a new member of a list takes."""
    by_hand, named = [f"engine/{extension.header}", *extension.beside], named_files(extension)
    counted = {*by_hand, *named} if extension.counts_named else set(by_hand)
    listed = f"{', '.join(by_hand)}; the compiler names {', '.join(named) or 'no other'}"
    return Result(f"{len(counted)} edits: {listed}", len(counted) <= MAX_EDITS)


def required_of_operators() -> set[str]:
    """Returns the functions without which no operator's node compiles, by the compiler's words."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "scratch.cpp"
        source.write_text(OPERATOR)
        command = ["g++", "-fsyntax-only", *folder_flags(ENGINE / "plan" / "node.h"), str(source)]
        shown = subprocess.run(command, cwd=ROOT, env=PLAIN_WORDS, capture_output=True, text=True, check=False)
    return {*PURE.findall(shown.stderr), *LACKING.findall(shown.stderr)}


def operator_files() -> list[str]:
    """Returns the files of the engine that know the operator whose commit CONTRIBUTING.md shows, unit tests apart."""
    (touched,) = evidence.shown_commits("An operator").values()
    headers = [path for path in touched if path.startswith("engine/plan/") and path.endswith(".h")]
    name = Path(headers[0]).stem
    listed = git("grep", "-lE", rf"\b(plan|operators)/{name}(_rules)?\.h", "--", "engine") or []
    own = [str(path.relative_to(ROOT)) for path in ENGINE.glob(f"*/{name}*")]
    return sorted(path for path in {*listed, *own} if not is_test(Path(path)))


def operator() -> Result:
    """Counts the files that know the operator of CONTRIBUTING.md, whose node says how it fails and what it emits."""
    files, required = operator_files(), required_of_operators()
    figure = f"{len(files)} files: {', '.join(files)}; no node compiles without {', '.join(sorted(required))}"
    return Result(figure, 0 < len(files) <= MAX_OPERATOR_FILES and required >= BEHAVIOUR)


def file_format() -> Result:
    """Counts the edits that a format of files takes beside its reader."""
    return edits(FORMAT)


def data_type() -> Result:
    """Counts the edits that a type of Spark's takes."""
    return edits(TYPE)


def main() -> int:
    """Prints what each takes; returns 1 when one of them takes too much."""
    results = {"operator": operator(), "format": file_format(), "data type": data_type()}
    for name, result in results.items():
        print(f"{name}: {result.figure}{'' if result.holds else ' - too many'}")
    return 0 if all(result.holds for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
