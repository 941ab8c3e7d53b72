"""The Spark settings that switch Accelerant on, and how they meet the user's own."""

import re
from collections.abc import Mapping
from pathlib import Path

from accelerant.artifacts import Artifacts

PLUGIN = "io.accelerant.spark.AccelerantPlugin"

# Settings whose values are comma-separated lists: ours is appended to what the user has.
LIST_SETTINGS = ("spark.plugins", "spark.jars")

PROPERTY = re.compile(r"([^\s=:]+)\s*[=:]?\s*(.*)")


def settings(artifacts: Artifacts) -> dict[str, str]:
    """Returns all settings a Spark application needs; the plugin sets the rest when the application starts."""
    return {
        "spark.plugins": PLUGIN,
        "spark.jars": str(artifacts.jar()),
        "spark.accelerant.library": str(artifacts.library()),
    }


def merged(own: dict[str, str], users: dict[str, str]) -> dict[str, str]:
    """Returns our settings with the user's: theirs win, and lists are joined with theirs first."""
    result = dict(own)
    for name, value in users.items():
        if name not in LIST_SETTINGS:
            if name in own:
                result[name] = value
            continue
        items = [item.strip() for item in value.split(",") if item.strip()]
        result[name] = ",".join(dict.fromkeys([*items, own[name]]))
    return result


def read_properties(path: Path) -> dict[str, str]:
    """Reads a Spark properties file: `name value`, `name=value` or `name: value` a line."""
    lines = (line.strip() for line in path.read_text().splitlines())
    matches = (PROPERTY.match(line) for line in lines if not line.startswith(("#", "!")))
    return {match.group(1): match.group(2) for match in matches if match}


def spark_defaults(home: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what the user's spark-defaults.conf sets, for the Spark in a folder."""
    path = Path(environment.get("SPARK_CONF_DIR") or home / "conf") / "spark-defaults.conf"
    return read_properties(path) if path.is_file() else {}
