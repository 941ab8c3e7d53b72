"""The page of Spark's functions is what Spark and the engine say today."""

from oracle import settings
from pyspark.sql import SparkSession

import function_reference
from accelerant.functions import read_page


def test_the_page_is_up_to_date(spark: SparkSession) -> None:
    changes = {name.replace(".", "__"): value for name, value in function_reference.SETTINGS.items()}
    del changes["spark__master"]
    with settings(spark, **changes):
        found = function_reference.page(spark)
        names = [function.name for function in function_reference.registry(spark)]
    written = function_reference.PAGE.read_text()
    differing = set(read_page(found)) ^ set(read_page(written))
    assert not differing, f"run scripts/function_reference.py: {sorted(function.name for function in differing)}"
    assert found == written
    assert [function.name for function in read_page(written)] == names
    assert len(names) == 581
