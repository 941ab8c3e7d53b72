from pathlib import Path

import pytest


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with everything built, all files empty."""
    root = tmp_path / "checkout"
    for name in (
        "CMakePresets.json",
        "python/accelerant/__init__.py",
        "build/jvm/accelerant-spark.jar",
        "build/dev/libaccelerant.so",
        "build/dev/accelerant-replay",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return root
