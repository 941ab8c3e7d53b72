"""Sessions of one application that differ in their settings."""

from pyspark.sql import SparkSession

# Over small tables plain Spark answers sooner without a second look at the plan and without compiling each stage.
PLAIN = {
    "spark.accelerant.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}


def new_session(spark: SparkSession, settings: dict[str, str]) -> SparkSession:
    """Returns a session of the same application with settings of its own."""
    session = spark.newSession()
    for name, value in settings.items():
        session.conf.set(name, value)
    return session
