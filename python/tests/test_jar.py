import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jvm_build", ROOT / "jvm" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_glue_compiles_with_the_newest_spark_too(build: ModuleType, tmp_path: Path) -> None:
    """A fresh checkout's `make demo` has no other."""
    jars = sorted(Path(sys.prefix).glob("lib/python3*/site-packages/pyspark/jars/*.jar"))
    assert jars
    build.compile_sources(build.inputs(), jars, tmp_path)
    assert (tmp_path / "io/accelerant/spark/AccelerantPlugin.class").is_file()


def test_the_lowest_installed_spark_is_taken(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="make setup"):
        build.spark_jars()
    for name in (".venv", ".venv-spark41"):
        jars = tmp_path / name / "lib/python3.11/site-packages/pyspark/jars"
        jars.mkdir(parents=True)
        (jars / "spark.jar").touch()
    (tmp_path / ".venv" / "installed").touch()
    assert build.spark_jars()[0].is_relative_to(tmp_path / ".venv")
    (tmp_path / ".venv-spark41" / "installed").touch()
    assert build.spark_jars()[0].is_relative_to(tmp_path / ".venv-spark41")


def test_a_compiler_that_fails_ends_the_build(build: ModuleType) -> None:
    with pytest.raises(SystemExit, match="false failed with status 1"):
        build.run(["false"])
