"""The files of measurements that take hours: written after each entry, and gone on with where they were cut off."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path


def resumed(path: Path, circumstances: Mapping[str, object], entries: str) -> list[dict]:
    """Returns what an earlier measurement recorded; ends the program where that was made otherwise."""
    if not path.is_file():
        return []
    content = json.loads(path.read_text())
    for name, value in circumstances.items():
        if content.get(name) != value:
            sys.exit(f"{path} was measured with --{name} {content.get(name)}, which is {value} now")
    return content[entries]


def record(path: Path, content: Mapping[str, object]) -> None:
    """Writes what is known so far."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")
