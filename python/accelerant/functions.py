"""`accelerant functions`: prints the scalar functions that the engine has, with their signatures."""

import argparse
import ctypes
from dataclasses import dataclass
from itertools import groupby

from accelerant import artifacts
from accelerant.errors import UserError


@dataclass(frozen=True)
class Signature:
    """A function for one choice of types; `decimal` stands for any precision and scale, `any` for any type."""

    spark_class: str
    sql: str
    arguments: tuple[str, ...]
    result: str
    description: str


def signatures() -> list[Signature]:
    """Asks the engine's library; raises UserError when it cannot be loaded."""
    library = artifacts.find().library()
    try:
        ask = ctypes.CDLL(str(library)).accelerant_function_reference
    except (OSError, AttributeError) as error:
        raise UserError(f"{library} cannot be asked for its functions: {error}") from None
    ask.restype = ctypes.c_char_p
    lines = (line.split("\t") for line in ask().decode().splitlines())
    return [
        Signature(spark_class, sql, tuple(arguments.split(",")) if arguments else (), result, description)
        for spark_class, sql, arguments, result, description in lines
    ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares no arguments."""


def run(options: argparse.Namespace) -> int:
    """Prints each function with its signatures."""
    for (sql, description), group in groupby(signatures(), key=lambda item: (item.sql, item.description)):
        print(f"{sql}\n    {description}")
        for item in group:
            print(f"    ({', '.join(item.arguments)}) -> {item.result}")
    return 0
