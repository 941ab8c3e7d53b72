"""A setting counts where it can matter: sessions that change one run natively what does not depend on it."""

from pathlib import Path

import pytest
from oracle import assert_equal_rows, assert_spark, explained, normalised, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StructField, StructType

pytestmark = pytest.mark.spark41

WITHOUT = {
    "spark.sql.legacy.interval.enabled": "true",
    "spark.sql.legacy.timeParserPolicy": "LEGACY",
    "spark.sql.parquet.fieldId.read.enabled": "true",
    "spark.sql.testkey": "true",
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.legacy.javaCharsets": "true",
    "spark.sql.icu.caseMappings.enabled": "false",
    "spark.sql.chunkBase64String.enabled": "false",
    "spark.sql.schemaLevelCollations.enabled": "true",
    "spark.sql.legacy.integerGroupingId": "true",
}


@pytest.mark.parametrize("name", WITHOUT)
def test_what_does_not_depend_on_a_setting_is_native(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    with settings(spark, **{name.replace(".", "__"): WITHOUT[name]}):
        assert_equal_rows(spark, lambda: spark.sql("select n, sum(d), max(t), count(s) from numbers group by n"))


@pytest.mark.parametrize("policy", ["LEGACY", "EXCEPTION"])
def test_a_policy_of_formats_counts_where_dates_become_texts(
    spark: SparkSession, numbers: DataFrame, policy: str
) -> None:
    def query() -> DataFrame:
        return spark.sql("select id, cast(date_add(t, 4000000) as string) as text from numbers")

    with settings(spark, spark__sql__legacy__timeParserPolicy=policy):
        assert "(bridged: cast)" in explained(query())
        legacy = assert_equal_rows(spark, query)
        others = "select id, cast(u as string), year(t) from numbers"
        assert "bridged" not in explained(spark.sql(others))
        assert_equal_rows(spark, lambda: spark.sql(others))
    assert "bridged" not in explained(query())
    corrected = assert_equal_rows(spark, query)
    # Years of five digits have no sign under the legacy policy.
    assert (normalised(corrected) == normalised(legacy)) == (policy == "EXCEPTION")


def test_field_ids_count_where_columns_have_some(spark: SparkSession, tmp_path: Path) -> None:
    def columns(**ids: int) -> StructType:
        fields = [StructField(name, LongType(), True, {"parquet.field.id": i}) for name, i in ids.items()]
        return StructType(fields)

    with plain(spark):
        rows = spark.createDataFrame([(1, 10), (2, 20)], columns(a=1, b=2))
        rows.write.parquet(str(tmp_path / "t"))

    def query(schema: StructType) -> DataFrame:
        return spark.read.schema(schema).parquet(str(tmp_path / "t")).selectExpr("a + 1 as x")

    named = StructType([StructField("a", LongType())])
    with settings(spark, spark__sql__parquet__fieldId__read__enabled="true"):
        assert {row.x for row in assert_equal_rows(spark, lambda: query(named))} == {2, 3}
        df = query(columns(a=2))
        assert_spark(df)
        assert "setting spark.sql.parquet.fieldId.read.enabled: set it to false" in explained(df)
        assert {row.x for row in df.collect()} == {11, 21}


@pytest.mark.parametrize("function", ["upper", "lower"])
def test_mappings_of_case_count_where_case_is_changed(spark: SparkSession, numbers: DataFrame, function: str) -> None:
    with settings(spark, spark__sql__icu__caseMappings__enabled="false"):
        assert f"(bridged: {function})" in explained(spark.sql(f"select {function}(s) from numbers"))
        assert_equal_rows(spark, lambda: spark.sql(f"select {function}(s) from numbers"))
