"""`accelerant submit`: runs an unchanged job through the user's own spark-submit, with Accelerant switched on."""

import os
from collections.abc import Mapping
from pathlib import Path

from accelerant import artifacts, driver_java, spark_home
from accelerant.errors import UserError
from accelerant.spark_settings import merged, read_properties, settings, spark_defaults

HELP = """usage: accelerant submit [spark-submit options] JOB [arguments]

Runs an unchanged Spark job (job.py or a jar) with Accelerant. All options are spark-submit's.
`--conf spark.accelerant.enabled=false` runs it on plain Spark.
"""

# Options of spark-submit that take no value; every other one takes the next argument.
FLAGS = {"--verbose", "-v", "--supervise", "--version", "--help", "-h", "--usage-error", "--load-spark-defaults"}


class UserOptions:
    """What a user's spark-submit line sets, as far as it meets our settings."""

    def __init__(self, arguments: list[str]) -> None:
        self.settings: dict[str, str] = {}
        self.properties_file: str | None = None
        self.others: list[str] = []
        self.job: list[str] = []
        self._read(arguments)

    def _read(self, arguments: list[str]) -> None:
        waiting = list(arguments)
        while waiting and waiting[0].startswith("-"):
            name, equals, value = waiting.pop(0).partition("=")
            if name in FLAGS:
                self.others.append(name)
                continue
            if not equals:
                if not waiting:
                    raise UserError(f"option {name} needs a value")
                value = waiting.pop(0)
            self._take(name, value)
        self.job = waiting

    def _take(self, name: str, value: str) -> None:
        if name in ("--conf", "-c"):
            setting, equals, text = value.partition("=")
            if not equals:
                raise UserError(f"--conf {value}: expected name=value")
            self.settings[setting] = text
        elif name == "--jars":
            self.settings["spark.jars"] = value
        else:
            if name == "--properties-file":
                self.properties_file = value
            self.others += [name, value]


def default_settings(options: UserOptions, home: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what the user's properties file sets: the one named, else spark-defaults.conf."""
    if options.properties_file:
        path = Path(options.properties_file)
        if not path.is_file():
            raise UserError(f"--properties-file {path} does not exist")
        return read_properties(path)
    return spark_defaults(home, environment)


def command_line(arguments: list[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns the spark-submit call for a user's arguments."""
    options = UserOptions(arguments)
    if not options.job and not options.others:
        raise UserError("no job given; see accelerant submit --help")
    home = spark_home.spark_home(environment)
    users = default_settings(options, home, environment) | options.settings
    ours = merged(settings(artifacts.find(environment)) | driver_java.settings(environment), users)
    everything = options.settings | ours
    confs = [part for name, value in everything.items() for part in ("--conf", f"{name}={value}")]
    return [str(home / "bin" / "spark-submit"), *confs, *options.others, *options.job]
