"""The codes of data types in plan messages: what Scala writes is what the engine's list of types reads."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPES = ROOT / "engine" / "types" / "type_list.h"
ENCODER = ROOT / "jvm" / "src" / "main" / "scala" / "io" / "accelerant" / "spark" / "TypeEncoder.scala"

# Where Spark's class is not called as the engine's type.
NAMES = {"Integer": "Int", "TimestampNTZ": "TimestampNtz", "other": "Other"}


def test_scala_writes_the_codes_of_the_list() -> None:
    listed = {name: int(code) for name, code in re.findall(r"^  T\((\w+), (\d+),", TYPES.read_text(), re.MULTILINE)}
    written = {}
    for case in ENCODER.read_text().split("case ")[1:]:
        code = re.search(r"u8\((\d+)\)|interval\(out, (\d+)", case)
        name = re.match(r"(?:\w+: )?(\w+?)(?:Type)?\b", case)
        if code and name:
            written[NAMES.get(name[1], name[1])] = int(code[1] or code[2])
    assert written == listed
