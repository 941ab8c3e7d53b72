import os
from pathlib import Path

import pytest

from accelerant import artifacts
from accelerant.errors import UserError


def find(checkout: Path, **environment: str) -> artifacts.Artifacts:
    return artifacts.find(environment, checkout / "python" / "accelerant")


def test_checkout(checkout: Path) -> None:
    found = find(checkout)
    assert found.library() == checkout / "build/dev/libaccelerant.so"
    assert found.jar() == checkout / "build/jvm/accelerant-spark.jar"
    assert found.replay() == checkout / "build/dev/accelerant-replay"


def test_newest_preset_is_taken(checkout: Path) -> None:
    release = checkout / "build/release/libaccelerant.so"
    release.parent.mkdir()
    release.touch()
    os.utime(release, (1, 1))
    assert find(checkout).library() == checkout / "build/dev/libaccelerant.so"
    os.utime(release, (1 << 33, 1 << 33))
    assert find(checkout).library() == release


def test_variable_names_the_preset(checkout: Path) -> None:
    with pytest.raises(UserError, match=r"build/asan/libaccelerant.so is missing: run `make build PRESET=asan`"):
        find(checkout, ACCELERANT_BUILD="asan").library()


def test_variable_names_the_library(checkout: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.so"
    found = find(checkout, ACCELERANT_LIBRARY=str(other))
    with pytest.raises(UserError, match=r"other.so is missing: correct or unset ACCELERANT_LIBRARY"):
        found.library()
    other.touch()
    assert found.library() == other
    assert found.jar() == checkout / "build/jvm/accelerant-spark.jar"


def test_wheel(checkout: Path) -> None:
    folder = checkout / "python/accelerant/lib"
    folder.mkdir()
    for name in ("accelerant-spark.jar", "libaccelerant.so"):
        (folder / name).touch()
    found = find(checkout)
    assert found.origin == "wheel"
    assert found.library() == folder / "libaccelerant.so"
    with pytest.raises(UserError, match="accelerant-replay is missing: install the package again"):
        found.replay()


def test_neither_wheel_nor_checkout(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither an installed wheel nor a checkout"):
        artifacts.find({}, tmp_path / "site-packages" / "accelerant")
