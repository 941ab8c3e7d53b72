"""Functions of users that random queries call: of Python, over values and over batches, and of Java.

Each is total, and gives the same for a row whatever batch it stands in. Texts with other bytes than UTF-8 are mended
before a worker decodes them.
"""

import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
from forms import Form
from java_classes import compiled
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf, pandas_udf, udf

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have no modules of tests


def digits(number: int | None) -> int | None:
    return None if number is None else sum(map(int, str(abs(number))))


def odd(number: int | None) -> bool | None:
    return None if number is None else number % 2 == 1


def mixed(number: int | None, text: str | None) -> str | None:
    return None if number is None and text is None else f"{text}-{number}"


def turned(text: str | None) -> str:
    return "nothing" if text is None else text[::-1]


def negated(number: Decimal | None) -> Decimal | None:
    return None if number is None else number.copy_negate()


def vowels(text: str | None) -> int:
    return -1 if text is None else sum(letter in "aeiou" for letter in text)


def by_value(function: Callable) -> Callable:
    """Returns a function over a batch that calls one over values; what pandas makes of nulls is None again."""

    def over_batch(values: pd.Series) -> pd.Series:
        return values.astype(object).map(lambda value: function(None if pd.isna(value) else value))

    return over_batch


def pickled(function: Callable, result: str) -> Callable:
    """Returns a function whose rows reach workers as pickles."""
    return udf(function, result, useArrow=False)


def tripled(numbers: pd.Series) -> pd.Series:
    """Takes what is not beyond 32 bits: with a null in their batch, numbers come as doubles."""
    return numbers.astype("Int64") * 3 + 1


def least_of_two(numbers: pd.Series, others: pd.Series) -> pd.Series:
    return numbers.where(numbers < others, others)


def as_text(numbers: pa.Array) -> pa.Array:
    return numbers.cast(pa.string())


# How a session registers those of Python: what makes a function of it, and its result.
FUNCTIONS = {
    "py_digits": (udf, digits, "bigint"),
    "py_odd": (udf, odd, "boolean"),
    "py_mixed": (udf, mixed, "string"),
    "py_negated": (udf, negated, "decimal(38,10)"),
    "py_vowels": (udf, vowels, "int"),
    "pickled_turned": (pickled, turned, "string"),
    "pickled_digits": (pickled, digits, "bigint"),
    "pickled_negated": (pickled, negated, "decimal(38,10)"),
    "pd_tripled": (pandas_udf, tripled, "bigint"),
    "pd_turned": (pandas_udf, by_value(turned), "string"),
    "pd_negated": (pandas_udf, by_value(negated), "decimal(38,10)"),
    "pd_odd": (pandas_udf, by_value(odd), "boolean"),
    "pd_least": (pandas_udf, least_of_two, "double"),
    "pa_text": (arrow_udf, as_text, "string"),
}
# Classes and results of those of Java.
CLASSES = {
    "java_reversed": ("Reversed", "bigint"),
    "java_counted": ("Counted", "string"),
    "java_shorter": ("Shorter", "boolean"),
    "java_negated": ("Negated", "decimal(38,10)"),
}
NAMES = [*FUNCTIONS, *CLASSES]


def load_classes(spark: SparkSession, folder: Path) -> None:
    """Compiles the functions of Java, for all sessions: one that adds a jar has class loaders of its own."""
    classes = compiled(Path(__file__).parent / "udfs" / "TotalFunctions.java", folder)
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
    # A session that has added a jar leaves its own loader behind; the application's, which tasks know, is above it.
    while loader.getParent() is not None and "MutableURLClassLoader" in loader.getParent().getClass().getName():
        loader = loader.getParent()
    loader.addURL(spark._jvm.java.io.File(f"{classes}/").toURI().toURL())


def register(session: SparkSession, name: str) -> None:
    """Gives a session a function."""
    if name in FUNCTIONS:
        made, function, result = FUNCTIONS[name]
        session.udf.register(name, made(function, result))
    else:
        java_class, result = CLASSES[name]
        session.udf.registerJavaFunction(name, f"accelerant.differential.TotalFunctions${java_class}", result)


TEXT = "make_valid_utf8({})"
DECIMAL = "try_cast({} as decimal(38,10))"
# They stay out of lambda functions, where Spark takes none.
PYTHON = [
    Form("bigint", "py_digits({})", ("bigint",)),
    Form("boolean", "py_odd({})", ("bigint",)),
    Form("string", f"py_mixed({{}}, {TEXT})", ("int", "string")),
    Form("decimal", f"py_negated({DECIMAL})", ("decimal",)),
    Form("int", f"py_vowels({TEXT})", ("string",)),
    Form("string", "pickled_turned({})", ("string",)),
    Form("bigint", "pickled_digits({})", ("bigint",)),
    Form("decimal", f"pickled_negated({DECIMAL})", ("decimal",)),
    Form("bigint", "pd_tripled({})", ("int",)),
    Form("string", f"pd_turned({TEXT})", ("string",)),
    Form("decimal", f"pd_negated({DECIMAL})", ("decimal",)),
    Form("boolean", "pd_odd({})", ("int",)),
    Form("double", "pd_least({}, {})", ("double", "double")),
    Form("string", "pa_text({})", ("bigint",)),
]
JAVA = [
    Form("bigint", "java_reversed({})", ("bigint",)),
    Form("string", "java_counted({})", ("string",)),
    Form("boolean", "java_shorter({}, {})", ("int", "string")),
    Form("decimal", f"java_negated({DECIMAL})", ("decimal",)),
]
