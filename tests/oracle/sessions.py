"""Sessions of one application that differ in their settings."""

from pyspark.sql import SparkSession

# Over small tables plain Spark answers sooner without a second look at the plan and without compiling anything: for
# each class that is compiled, names that are no class are looked up in all of Spark's jars.
PLAIN = {
    "spark.accelerant.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def new_session(spark: SparkSession, settings: dict[str, str]) -> SparkSession:
    """Returns a session of the same application with settings of its own."""
    session = spark.newSession()
    for name, value in settings.items():
        session.conf.set(name, value)
    return session
