"""Classes of Java that tests hand to Spark as users do."""

import subprocess
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession


def compiled(source: Path, folder: Path) -> Path:
    """Compiles a source against Spark's jars, and returns the folder of its classes."""
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    classes = folder / "classes"
    subprocess.run(["javac", "-cp", str(jars), "-d", str(classes), str(source)], check=True)
    return classes


def add_jar(spark: SparkSession, source: Path, folder: Path) -> None:
    """Gives a session a jar with the classes of a source."""
    jar = folder / f"{source.stem}.jar"
    subprocess.run(["jar", "cf", str(jar), "-C", str(compiled(source, folder)), "."], check=True)
    spark.sql(f"add jar {jar}")
