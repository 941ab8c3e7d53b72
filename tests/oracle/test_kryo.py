"""What tasks send to the driver consists of classes that Spark has told Kryo of."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.spark41

JOB = Path(__file__).with_name("kryo_job.py")


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_classes_that_have_to_be_registered(submit: Callable, enabled: str) -> None:
    kryo = {
        "spark__serializer": "org.apache.spark.serializer.KryoSerializer",
        "spark__kryo__registrationRequired": "true",
    }
    done = submit(JOB, spark__accelerant__enabled=enabled, **kryo)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.pop("native") == (enabled == "true")
    assert found == {"collected": 990, "written": 1000, "cached": 900, "read": 90, "first": 0}
