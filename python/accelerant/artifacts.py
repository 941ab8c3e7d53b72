"""Finds what was built from C++ and Scala: beside this package in a wheel, else in a checkout's build folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from accelerant.errors import UserError

LIBRARY_NAME = "libaccelerant.so"
JAR_NAME = "accelerant-spark.jar"
REPLAY_NAME = "accelerant-replay"

LIBRARY_VARIABLE = "ACCELERANT_LIBRARY"
BUILD_VARIABLE = "ACCELERANT_BUILD"

PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Artifacts:
    """Where the built parts should lie, and what to do when one does not."""

    library_path: Path
    jar_path: Path
    replay_path: Path
    origin: str
    remedy: str

    def library(self) -> Path:
        """Returns the engine's library; raises UserError when it is missing."""
        return self._existing(self.library_path)

    def jar(self) -> Path:
        """Returns the Spark plugin's jar; raises UserError when it is missing."""
        return self._existing(self.jar_path)

    def replay(self) -> Path:
        """Returns the native replay command; raises UserError when it is missing."""
        return self._existing(self.replay_path)

    def _existing(self, path: Path) -> Path:
        if not path.is_file():
            raise UserError(f"{path} is missing: {self.remedy}")
        return path


def find(environment: Mapping[str, str] = os.environ, package: Path = PACKAGE) -> Artifacts:
    """Returns where the artifacts are; ACCELERANT_LIBRARY names another library, ACCELERANT_BUILD a preset."""
    packaged = package / "lib"
    if (packaged / JAR_NAME).is_file():
        found = _in_wheel(packaged)
    else:
        found = _in_checkout(package.parent.parent, environment.get(BUILD_VARIABLE))
    if library := environment.get(LIBRARY_VARIABLE):
        remedy = f"correct or unset {LIBRARY_VARIABLE}"
        return Artifacts(Path(library), found.jar_path, found.replay_path, LIBRARY_VARIABLE, remedy)
    return found


def of_build(folder: Path) -> Artifacts:
    """Returns what a build folder of any checkout has, or the lib folder of an installed wheel."""
    beside = (folder / JAR_NAME).is_file()
    return Artifacts(
        folder / LIBRARY_NAME,
        folder / JAR_NAME if beside else folder.parent / "jvm" / JAR_NAME,
        folder / REPLAY_NAME,
        origin=str(folder),
        remedy="name a folder of a whole build",
    )


def _in_wheel(folder: Path) -> Artifacts:
    return Artifacts(
        folder / LIBRARY_NAME,
        folder / JAR_NAME,
        folder / REPLAY_NAME,
        origin="wheel",
        remedy="install the package again: pip install --force-reinstall accelerant",
    )


def _in_checkout(root: Path, preset: str | None) -> Artifacts:
    if not (root / "CMakePresets.json").is_file():
        raise UserError(f"{root} is neither an installed wheel nor a checkout: install the package again")
    preset = preset or _newest_preset(root / "build")
    folder = root / "build" / preset
    return Artifacts(
        folder / LIBRARY_NAME,
        root / "build" / "jvm" / JAR_NAME,
        folder / REPLAY_NAME,
        origin=f"checkout, preset {preset}",
        remedy=f"run `make build PRESET={preset}` in {root}",
    )


def _newest_preset(build: Path) -> str:
    """Returns the preset built last, of those a JVM can load without preparation; sanitizers must be asked for."""
    built = [path for name in ("dev", "release") if (path := build / name / LIBRARY_NAME).is_file()]
    return max(built, key=lambda path: path.stat().st_mtime).parent.name if built else "dev"
