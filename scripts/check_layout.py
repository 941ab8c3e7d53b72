"""Checks the order and the sizes of what is in the repository; reads only, takes about a second.

- A folder of engine/ includes only itself and folders above it in ENGINE_FOLDERS. Unit tests may include anything.
- CUDA belongs to engine/device, Arrow to engine/io, JNI to engine/jni.
- Files keep to the size limits, or have a line with a reason in scripts/size_exceptions.txt.
- No data and no binaries are committed.
- Names in anonymous namespaces are a folder's own where the build compiles its sources together.
- A switch over an enumeration, of ours or of a library, names all that it has: the compiler says where one is lacking.
- The JVM side stays small.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from namespace_names import NOISE, names

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
SIZE_EXCEPTIONS = ROOT / "scripts" / "size_exceptions.txt"

ENGINE_FOLDERS = [
    "base",
    "types",
    "functions",
    "memory",
    "execution",
    "columns",
    "column_functions",
    "device",
    "expressions",
    "aggregates",
    "codegen",
    "io",
    "spill",
    "plan",
    "operators",
    "planner",
    "runtime",
    "api",
    "jni",
]

# The one place outside engine/device where a host and a device compiler read different text.
HOST_DEVICE_MACROS = "engine/base/macros.h"

MAX_LINES = 600
MAX_TEST_LINES = 800
MAX_HEADER_LINES = 200
MAX_COMMITTED_BYTES = 200_000
MAX_JVM_LINES = 5_000

CODE_SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".java", ".scala", ".py"}
ENGINE_INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/[^"]*"', re.MULTILINE)
DEFAULT_CASE = re.compile(r"\bdefault:")
# Of ours (`Kind::Flat`), or of a library (`Type::INT32`): not a constant of a class (`Tag::kFlat`).
ENUMERATOR_CASE = re.compile(r"\bcase [\w:]+::[A-Z]\w*:(?!:)")
BRACE = re.compile(r"[{}]|[^{}]+")
OWNED_TEXT = [
    (
        "device",
        "CUDA",
        re.compile(r"__CUDACC__|__CUDA_ARCH__|^\s*#\s*include\s+<(cuda|cub/|nvrtc|thrust/)", re.MULTILINE),
    ),
    ("io", "Arrow C++", re.compile(r'^\s*#\s*include\s+["<](arrow|parquet)/', re.MULTILINE)),
    ("jni", "JNI", re.compile(r'^\s*#\s*include\s+["<]jni\.h', re.MULTILINE)),
]
FOLDERS_WITHOUT_UNITS = re.compile(r"set\(accelerant_folders_without_units ([a-z_ ]+)\)")
JVM_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def committed_files() -> list[str]:
    """Returns the paths git knows or would add, relative to the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted(path for path in listed.stdout.splitlines() if (ROOT / path).is_file())


def check_includes(path: str, text: str) -> Iterator[str]:
    """Reports includes of a folder that stands below the file's own."""
    folder = path.split("/")[1]
    if folder not in ENGINE_FOLDERS:
        yield f"{path}: engine/{folder} is not in ENGINE_FOLDERS (scripts/check_layout.py)"
        return
    for included in ENGINE_INCLUDE.findall(text):
        if included not in ENGINE_FOLDERS:
            yield f"{path}: includes {included}/, which is not a folder of engine/"
        elif ENGINE_FOLDERS.index(included) > ENGINE_FOLDERS.index(folder):
            yield f"{path}: {folder}/ may not include {included}/, which stands below it"


def check_owned_text(path: str, text: str) -> Iterator[str]:
    """Reports CUDA, Arrow and JNI outside their folders."""
    folder = path.split("/")[1]
    for owner, name, pattern in OWNED_TEXT:
        if folder != owner and path != HOST_DEVICE_MACROS and pattern.search(text):
            yield f"{path}: {name} belongs to engine/{owner}"


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yields the line of each opening brace, and what stands in the pair, without what is in braces of its own."""
    clean = NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    opened: list[tuple[int, list[str]]] = []
    for match in BRACE.finditer(clean):
        if match[0] == "{":
            opened.append((clean.count("\n", 0, match.start()) + 1, []))
        elif match[0] != "}":
            if opened:
                opened[-1][1].append(match[0])
        elif opened:
            line, parts = opened.pop()
            yield line, "".join(parts)


def check_switches(path: str, text: str) -> Iterator[str]:
    """Yields switches over enumerations that have a default, wherever it stands among the cases."""
    if not DEFAULT_CASE.search(text):  # which takes no time
        return
    for line, block in blocks(text):
        if DEFAULT_CASE.search(block) and ENUMERATOR_CASE.search(block):
            yield f"{path}:{line}: a default in a switch over an enumeration"


def size_exceptions() -> dict[str, str]:
    """Returns the files that may be longer, and why."""
    lines = SIZE_EXCEPTIONS.read_text().splitlines()
    entries = (line.partition(":") for line in lines if line.strip() and not line.startswith("#"))
    return {path.strip(): reason.strip() for path, _, reason in entries}


def line_limit(path: str) -> int:
    """Returns the most lines a file of this kind may have."""
    name = Path(path).name
    if name.endswith("_test.cpp") or name.startswith("test_"):
        return MAX_TEST_LINES
    return MAX_HEADER_LINES if path.endswith(".h") else MAX_LINES


def check_size(path: str, text: str, exceptions: dict[str, str]) -> Iterator[str]:
    """Reports a file that is too long and has no reason to be."""
    lines = text.count("\n")
    if lines > line_limit(path) and not exceptions.get(path):
        yield f"{path}: {lines} lines, more than {line_limit(path)}: split it, or give a reason in size_exceptions.txt"


def check_exceptions(exceptions: dict[str, str], files: list[str]) -> Iterator[str]:
    """Reports exceptions that have no reason or are needed no more."""
    for path, reason in exceptions.items():
        if not reason:
            yield f"scripts/size_exceptions.txt: {path} has no reason"
        if path not in files or (ROOT / path).read_text().count("\n") <= line_limit(path):
            yield f"scripts/size_exceptions.txt: {path} needs no exception"


def check_content(path: str) -> Iterator[str]:
    """Reports data and binaries."""
    content = (ROOT / path).read_bytes()
    if b"\0" in content:
        yield f"{path}: a binary file; generate it in the build or in the test"
    elif len(content) > MAX_COMMITTED_BYTES:
        yield f"{path}: {len(content)} bytes; data is generated, not committed"


def check_units(files: list[str]) -> Iterator[str]:
    """Reports names in anonymous namespaces that another source or header of the folder gives a meaning, too."""
    alone = FOLDERS_WITHOUT_UNITS.search((ROOT / "cmake" / "engine_folder.cmake").read_text())[1].split()
    for folder in [name for name in ENGINE_FOLDERS if name not in alone]:
        beside = [path for path in files if path.startswith(f"engine/{folder}/")]
        sources = [path for path in beside if path.endswith(".cpp") and not path.endswith(("_test.cpp", "_main.cpp"))]
        headers = [path for path in beside if path.endswith(".h")]
        declared = {
            name: path for path in headers for name in names((ROOT / path).read_text(), f"accelerant::{folder}")
        }
        defined: dict[str, str] = {}
        for path in sources:
            for name in sorted(names((ROOT / path).read_text(), "")):
                if name in declared:
                    both = f"{path} defines `{name}` in an anonymous namespace and {declared[name]} declares it"
                    yield f"{both}, which one unit of the build may hold"
                elif name in defined:
                    both = f"{defined[name]} and {path} both define `{name}` in anonymous namespaces"
                    yield f"{both}, which one unit of the build may hold"
                defined[name] = path


def count_jvm_lines(files: list[str]) -> int:
    """Counts the lines of Java and Scala below jvm/src, for whichever Spark, that are neither blank nor comment."""
    total = 0
    for path in files:
        if path.startswith("jvm/src/") and path.endswith((".java", ".scala")):
            lines = JVM_COMMENT.sub("", (ROOT / path).read_text()).splitlines()
            total += sum(1 for line in lines if line.strip() and not line.strip().startswith("//"))
    return total


def problems(files: list[str]) -> Iterator[str]:
    """Yields every problem found."""
    exceptions = size_exceptions()
    yield from check_exceptions(exceptions, files)
    yield from check_units(files)
    for path in files:
        yield from check_content(path)
        if Path(path).suffix not in CODE_SUFFIXES:
            continue
        text = (ROOT / path).read_text()
        yield from check_size(path, text, exceptions)
        if path.startswith("engine/") and not path.endswith("_test.cpp"):
            yield from check_includes(path, text)
            yield from check_owned_text(path, text)
            yield from check_switches(path, text)
    jvm_lines = count_jvm_lines(files)
    if jvm_lines > MAX_JVM_LINES:
        yield f"jvm/src: {jvm_lines} lines of code, the limit is {MAX_JVM_LINES}"


def main() -> int:
    """Prints the problems and returns 1 when there are any."""
    files = committed_files()
    found = list(problems(files))
    for problem in found:
        print(problem)
    print(f"layout: {len(files)} files, {count_jvm_lines(files)} JVM lines of code, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
