from pathlib import Path

import pytest

from accelerant import driver_java
from accelerant.errors import UserError
from accelerant.spark_settings import PLUGIN, read_properties
from accelerant.submit import UserOptions, command_line


@pytest.fixture
def environment(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    home = tmp_path / "spark"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "spark-submit").touch()
    monkeypatch.setattr("accelerant.artifacts.find.__defaults__", ({}, checkout / "python" / "accelerant"))
    return {"SPARK_HOME": str(home)}


def conf_of(line: list[str]) -> dict[str, str]:
    values = [line[i + 1] for i, word in enumerate(line) if word == "--conf"]
    return dict(value.split("=", 1) for value in values)


def test_arguments_of_the_job_stay_with_the_job(environment: dict[str, str]) -> None:
    line = command_line(["--master", "local[2]", "--verbose", "job.py", "--conf", "x=1"], environment)
    assert line[-3:] == ["job.py", "--conf", "x=1"]
    assert line[line.index("--master") + 1] == "local[2]"
    assert "--verbose" in line


def test_settings_are_added(environment: dict[str, str], checkout: Path) -> None:
    conf = conf_of(command_line(["job.py"], environment))
    assert conf == {
        "spark.plugins": PLUGIN,
        "spark.jars": str(checkout / "build/jvm/accelerant-spark.jar"),
        "spark.accelerant.library": str(checkout / "build/dev/libaccelerant.so"),
    } | driver_java.settings(environment)


def test_users_lists_are_kept(environment: dict[str, str]) -> None:
    line = command_line(["--jars", "a.jar,b.jar", "--conf", "spark.plugins=Mine", "job.py"], environment)
    conf = conf_of(line)
    assert conf["spark.plugins"] == f"Mine,{PLUGIN}"
    assert conf["spark.jars"].startswith("a.jar,b.jar,/")
    assert "--jars" not in line


def test_users_values_win(environment: dict[str, str]) -> None:
    line = command_line(
        ["--conf=spark.accelerant.library=/x.so", "-c", "spark.ui.enabled=false", "job.py"], environment
    )
    conf = conf_of(line)
    assert conf["spark.accelerant.library"] == "/x.so"
    own = f"--conf={driver_java.JAVA_OPTIONS}=-Xss4m"
    assert conf_of(command_line([own, "job.py"], environment))[driver_java.JAVA_OPTIONS] == "-Xss4m"
    assert conf["spark.ui.enabled"] == "false"


def test_lists_of_spark_defaults_are_kept(environment: dict[str, str]) -> None:
    defaults = Path(environment["SPARK_HOME"]) / "conf" / "spark-defaults.conf"
    defaults.parent.mkdir()
    defaults.write_text("# mine\nspark.plugins   Mine\nspark.ui.enabled false\n")
    conf = conf_of(command_line(["job.py"], environment))
    assert conf["spark.plugins"] == f"Mine,{PLUGIN}"
    assert "spark.ui.enabled" not in conf


def test_properties_file_is_read_and_passed_on(environment: dict[str, str], tmp_path: Path) -> None:
    properties = tmp_path / "job.conf"
    properties.write_text("spark.jars=c.jar\n")
    line = command_line(["--properties-file", str(properties), "job.py"], environment)
    assert conf_of(line)["spark.jars"].startswith("c.jar,/")
    assert line[line.index("--properties-file") + 1] == str(properties)


def test_properties_in_all_their_forms(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_text("a=1\nb 2\nc: 3\n  d = x=y z \n!no\n#no\n\ne\n")
    assert read_properties(path) == {"a": "1", "b": "2", "c": "3", "d": "x=y z", "e": ""}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no job given"),
        (["--conf"], "option --conf needs a value"),
        (["--conf", "x", "job.py"], "--conf x: expected name=value"),
        (["--properties-file", "/none", "job.py"], "/none does not exist"),
    ],
)
def test_mistakes_are_named(environment: dict[str, str], arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command_line(arguments, environment)


def test_missing_jar_is_named(environment: dict[str, str], checkout: Path) -> None:
    (checkout / "build/jvm/accelerant-spark.jar").unlink()
    with pytest.raises(UserError, match=r"accelerant-spark\.jar is missing: run `make build PRESET=dev`"):
        command_line(["job.py"], environment)


def test_flags_take_no_value() -> None:
    options = UserOptions(["-v", "job.py", "a"])
    assert options.others == ["-v"]
    assert options.job == ["job.py", "a"]
