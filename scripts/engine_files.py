"""Engine sources as the build sees them: what each includes, and how it is compiled."""

import hashlib
import json
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
# Any preset says how sources are read: sanitizers and levels of optimisation are none of the checks' business.
BUILD = ROOT / "build" / os.environ.get("ACCELERANT_BUILD", "dev")

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

# What the compile commands carry for the precompiled header, which only the build's own compiler can read.
PRECOMPILED_FLAGS = {"-fpch-preprocess", "-Winvalid-pch"}


@cache
def included(path: Path) -> frozenset[Path]:
    """Returns the engine's headers that a file includes, at any depth."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        names = INCLUDE.findall(waiting.pop().read_text())
        fresh = {ENGINE / name for name in names if (ENGINE / name).is_file()} - found
        found |= fresh
        waiting.extend(fresh)
    return frozenset(found)


def digest(path: Path, *more: Path) -> str:
    """Returns a digest of a file, of all it includes from the engine, and of `more`."""
    total = hashlib.sha256()
    for part in [path, *sorted(included(path)), *more]:
        total.update(str(part.relative_to(ROOT)).encode())
        total.update(part.read_bytes())
    return total.hexdigest()


def flags_of(command: str) -> list[str]:
    """Returns the options of a compile command that say how to read the source."""
    words = shlex.split(command)
    flags = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in PRECOMPILED_FLAGS:
            continue
        if word == "-isystem":
            flags += [word, following]
        elif word.startswith(("-I", "-D", "-std", "-W", "-march")):
            flags.append(word)
    return flags


def sources_of(entry: dict[str, str]) -> list[Path]:
    """Returns what a compile command is for: a source, or those that a unit of the build puts together."""
    path = Path(entry["file"])
    return [Path(name) for name in INCLUDE.findall(path.read_text())] if path.parent.name == "Unity" else [path]


@cache
def compile_flags() -> dict[str, list[str]]:
    """Returns the flags of each source of engine/, by its path relative to the repository."""
    database = BUILD / "compile_commands.json"
    if not database.exists():
        sys.exit(f"{database.relative_to(ROOT)} is missing: run `make build` first")
    entries = json.loads(database.read_text())
    commands = ((path, entry["command"]) for entry in entries for path in sources_of(entry))
    inside = ((path, command) for path, command in commands if path.is_relative_to(ENGINE))
    return {str(path.relative_to(ROOT)): flags_of(command) for path, command in inside}


def folder_flags(path: Path) -> list[str]:
    """Returns the flags that a source is compiled with, or for a header those of sources of its folder."""
    name = str(path.relative_to(ROOT))
    folder = "/".join(path.relative_to(ROOT).parts[:2]) + "/"
    everything = compile_flags()
    beside = (flags for source, flags in everything.items() if source.startswith(folder))
    return everything.get(name) or next(beside, None) or next(iter(everything.values()))
