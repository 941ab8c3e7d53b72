"""`accelerant conf`: prints the settings for people who start Spark themselves."""

import argparse
import json
import shlex

from accelerant import artifacts, driver_java
from accelerant.spark_settings import settings


def as_options(values: dict[str, str]) -> str:
    """Formats settings as options of spark-submit."""
    return "".join(f"--conf {shlex.quote(f'{name}={value}')}\n" for name, value in values.items())


def as_properties(values: dict[str, str]) -> str:
    """Formats settings as lines of spark-defaults.conf."""
    return "".join(f"{name} {value}\n" for name, value in values.items())


def as_json(values: dict[str, str]) -> str:
    """Formats settings as a JSON object."""
    return json.dumps(values, indent=2) + "\n"


FORMATS = {"options": as_options, "properties": as_properties, "json": as_json}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("--format", choices=FORMATS, default="options", help="options of spark-submit by default")


def run(options: argparse.Namespace) -> int:
    """Prints the settings."""
    print(FORMATS[options.format](settings(artifacts.find()) | driver_java.settings()), end="")
    return 0
