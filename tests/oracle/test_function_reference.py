"""The page of Spark's functions is what Spark and the engine say today."""

import os
import re

from oracle import settings
from pyspark.sql import SparkSession

import function_reference
from accelerant.functions import KINDS, as_page, read_page, totals

TOTALS = re.compile(r"^\| (\w+) \| (\d+ \| \d+ \| \d+ \| \d+) \|$", re.MULTILINE)
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


def test_the_lists_add_up() -> None:
    """What the page counts is what it lists, by kind and by state, and all of it is the registry."""
    text = function_reference.PAGE.read_text()
    written = read_page(text)
    table = {kind: [*map(int, counts.split(" | "))] for kind, counts in TOTALS.findall(text)}
    assert table == dict(totals(written)) and [*table] == [*KINDS, "all"]
    for column in range(4):
        assert sum(table[kind][column] for kind in KINDS) == table["all"][column]
    assert all(sum(counts[:3]) == counts[3] for counts in table.values())
    assert table["all"][3] == len(written) == len({function.name for function in written}) == 581


def test_kinds_are_what_functions_are(spark: SparkSession) -> None:
    """Also where Spark's group says what they are about."""
    kinds = {function.name: function.kind for function in function_reference.registry(spark)}
    aggregates = {"schema_of_variant_agg", "vector_avg", "vector_sum", "percentile_cont", "count"}
    assert {kinds[name] for name in aggregates} == {"aggregate"}
    assert {kinds[name] for name in ("json_tuple", "explode")} == {"generator"}
    assert {kinds[name] for name in ("aggregate", "approx_top_k_estimate", "window")} == {"scalar"}
    assert kinds["counter_diff"] == "window"


def test_what_lacks_a_column_or_a_constant(spark: SparkSession) -> None:
    """Calls that Spark's examples give within others' or with constants alone."""
    changes = {name.replace(".", "__"): value for name, value in function_reference.SETTINGS.items()}
    del changes["spark__master"]
    wanted = ("kll_sketch_get_rank_float", "tuple_union_theta_integer", "percentile_disc", "histogram_numeric")
    with settings(spark, **changes):
        chosen = [function for function in function_reference.registry(spark) if function.name in wanted]
        found = {function.name: function.state for function in function_reference.listed(spark, chosen)}
    assert found == dict(zip(wanted, ("bridged", "bridged", "native", "island"), strict=True))
