"""How Java runs the drivers that Accelerant starts: when it compiles what, and with which archive of classes."""

import os
from collections.abc import Mapping

from accelerant import class_archive

# Spark puts these before the options that users set, who may set them as well.
JAVA_OPTIONS = "spark.driver.defaultJavaOptions"

# Before the second compiler takes a method, it has been called, or its loops have been, ten times as often as by Java's
# defaults. What is hot is native; Catalyst, which is not, runs a few times a query. Loops over rows, where Spark has
# some, are compiled all the same.
LATE_COMPILER = {
    "Tier4InvocationThreshold": 50_000,
    "Tier4MinInvocationThreshold": 6_000,
    "Tier4CompileThreshold": 150_000,
    "Tier4BackEdgeThreshold": 400_000,
}


def settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns the setting for drivers; with the archive where there is one for the user's Spark and Java."""
    late = [f"-XX:{name}={value}" for name, value in LATE_COMPILER.items()]
    return {JAVA_OPTIONS: " ".join([*late, *class_archive.options(environment)])}
