"""Sessions of one application that differ in their settings."""

from pyspark.sql import SparkSession


def new_session(spark: SparkSession, settings: dict[str, str]) -> SparkSession:
    """Returns a session of the same application with settings of its own."""
    session = spark.newSession()
    for name, value in settings.items():
        session.conf.set(name, value)
    return session
