"""Where Java's archive of the classes of a Spark lies, and the options that have drivers start with it.

Java calls it a class data sharing (CDS) archive. It holds for one Java and the jars of one Spark: where either changes,
no driver is told of it any more. A driver with another class path starts without it, as Java sees to by itself.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from accelerant.errors import UserError
from accelerant.spark_home import java_command, spark_home

# What Java would say of an archive that does not fit a driver.
QUIET = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")


def archive(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns where the archive for the user's Spark and Java belongs; raises UserError where either is missing."""
    home, java = spark_home(environment), java_command(environment)
    if java is None or not Path(java).is_file():
        raise UserError("no java found: install a JDK 17 or set JAVA_HOME")
    of_java = Path(java).resolve().parent.parent
    what = _digest(str(home.resolve()), str(of_java))
    state = _digest(*(_state(path) for path in [*sorted(home.glob("jars/*.jar")), of_java / "release"]))
    return _folder(environment) / f"classes-{what}-{state}.jsa"


def options(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns the options of Java for drivers, or none where there is no archive for the user's Spark and Java."""
    try:
        path = archive(environment)
    except UserError:  # who starts Spark hears of it
        return []
    return [f'-XX:SharedArchiveFile="{path}"', *QUIET] if path.is_file() else []


def outdated(path: Path) -> list[Path]:
    """Returns the archives that were made for earlier jars of the same Spark, or an earlier state of the same Java."""
    of_same = path.name.rpartition("-")[0]
    return [other for other in path.parent.glob(f"{of_same}-*.jsa") if other != path]


def _folder(environment: Mapping[str, str]) -> Path:
    cache = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME") or Path.home()) / ".cache"
    return Path(cache) / "accelerant"


def _state(path: Path) -> str:
    if not path.is_file():
        return path.name
    found = path.stat()
    return f"{path.name} {found.st_size} {found.st_mtime_ns}"


def _digest(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:12]
