"""Parquet files in any layout, written by parquet-mr."""

import random
from pathlib import Path

from py4j.java_gateway import JavaObject
from pyspark.sql import SparkSession


class GroupWriter:
    """Writes random rows of a schema of Parquet's own language, with nulls and empty lists; numbers are int32."""

    def __init__(self, spark: SparkSession, seed: str) -> None:
        self.parquet = spark._jvm.org.apache.parquet
        self.hadoop = spark._jvm.org.apache.hadoop
        self.random = random.Random(seed)

    def write(
        self, path: Path, schema: str, num_rows: int, version: str = "PARQUET_1_0", page_bytes: int = 200
    ) -> None:
        """Writes a file of small pages."""
        message = self.parquet.schema.MessageTypeParser.parseMessageType(schema)
        builder = self.parquet.hadoop.example.ExampleParquetWriter.builder(self.hadoop.fs.Path(str(path)))
        writers = self.parquet.column.ParquetProperties.WriterVersion
        writer = (
            builder.withType(message)
            .withConf(self.hadoop.conf.Configuration())
            .withWriterVersion(getattr(writers, version))
            .withPageSize(page_bytes)
            .withDictionaryPageSize(page_bytes)
            .withPageRowCountLimit(20)
            .build()
        )
        for _ in range(num_rows):
            group = self.parquet.example.data.simple.SimpleGroup(message)
            self._fill(group, message)
            writer.write(group)
        writer.close()

    def _fill(self, group: JavaObject, kind: JavaObject) -> None:
        for place in range(kind.getFieldCount()):
            field = kind.getType(place)
            for _ in range(self._count(field.getRepetition().toString())):
                if field.isPrimitive():
                    group.add(place, self._value(field))
                else:
                    self._fill(group.addGroup(place), field.asGroupType())

    def _count(self, repetition: str) -> int:
        if repetition == "REQUIRED":
            return 1
        return self.random.choice([0, 1, 1, 1] if repetition == "OPTIONAL" else [0, 1, 2, 5])

    def _value(self, field: JavaObject) -> int | str:
        number = self.random.randrange(60)
        is_text = field.asPrimitiveType().getPrimitiveTypeName().toString() == "BINARY"
        return f"text {number} " + "x" * (number % 17) if is_text else number
