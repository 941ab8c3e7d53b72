"""The page of Spark's functions is what Spark and the engine say today."""

import os

from oracle import settings
from pyspark.sql import SparkSession

import function_reference
from accelerant.functions import as_page, read_page

# One function in four; ACCELERANT_EVERY_FUNCTION asks for all.
STEP = 1 if os.environ.get("ACCELERANT_EVERY_FUNCTION") else 4


def test_the_page_is_up_to_date(spark: SparkSession) -> None:
    changes = {name.replace(".", "__"): value for name, value in function_reference.SETTINGS.items()}
    del changes["spark__master"]
    with settings(spark, **changes):
        registry = function_reference.registry(spark)
        found = read_page(as_page(function_reference.listed(spark, registry[::STEP]), spark.version))
    written = read_page(function_reference.PAGE.read_text())
    differing = set(written[::STEP]) ^ set(found)
    assert not differing, f"run scripts/function_reference.py: {sorted(function.name for function in differing)}"
    names = [function.name for function in registry]
    assert [function.name for function in written] == names
    assert len(names) == 581
