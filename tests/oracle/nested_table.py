"""Rows with columns of arrays, maps and structs."""

from pyspark.sql import DataFrame, SparkSession

# Each seventh value is null, at other rows in each column; elements and members are null here and there.
COLUMNS = {
    "tags": "transform(sequence(1, cast(id % 4 as int)), i -> if((id + i) % 5 = 0, null, 'tag ' || id || ' of ' || i))",
    "numbers": "transform(sequence(0, cast(id % 3 as int)), i -> if(i = 1, null, id * i))",
    "flags": "array(id % 2 = 0, null, id % 3 = 0)",
    "prices": "array(cast(id / 8 as decimal(12,3)), null)",
    "wide": "array(cast(id * 1000000007 as decimal(38,4)))",
    "days": "array(date_add(date'1500-01-01', cast(id as int)), null)",
    "times": "array(timestamp_micros(id * 86400000123))",
    "point": "named_struct('x', id / 7, 'label', if(id % 3 = 0, null, 'one label ' || id), 'n', cast(id as short))",
    "sizes": "map(concat('k', id % 3), id, 'a key of more than twelve bytes', null)",
    "deep": "array(named_struct('xs', array(id, null), 'm', map(id, array(concat('deep ', id)))), null)",
}


def nested_rows(spark: SparkSession, start: int, end: int) -> DataFrame:
    """Returns rows with columns of all nested shapes, numbered from start."""
    rows = spark.range(start, end, 1, 1)
    columns = [
        f"if((id + {place}) % 7 = 0, null, {expression}) as {name}"
        for place, (name, expression) in enumerate(COLUMNS.items())
    ]
    return rows.selectExpr("id", "cast(id % 5 as int) as n", *columns)
