"""Builds build/jvm/accelerant-spark.jar from jvm/src/main.

Scala and Java are compiled with the Scala compiler and the Spark jars of the lowest tested pyspark wheel
(.venv-spark41), so that one jar serves every tested version. Where only the newest is installed, as for `make demo`,
its jars do, and the jar serves it alone. Nothing is downloaded. Does nothing when no source has changed since the last
build.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "jvm" / "src" / "main"
OUT = ROOT / "build" / "jvm"
JAR = OUT / "accelerant-spark.jar"
STAMP = OUT / "inputs.txt"

# Those that may have Spark's jars, the lowest tested version first.
ENVIRONMENTS = (".venv-spark41", ".venv")

SCALAC_OPTIONS = ["-release", "17", "-encoding", "UTF-8", "-deprecation", "-feature", "-unchecked", "-Xlint", "-Werror"]
JAVAC_OPTIONS = ["--release", "17", "-encoding", "UTF-8", "-Xlint:all,-path,-serial,-processing,-classfile", "-Werror"]

# Zip entries carry this date, so that equal sources give equal jars.
ENTRY_DATE = (2020, 1, 1, 0, 0, 0)


def spark_jars() -> list[Path]:
    """Returns the jars of the lowest tested Spark version that is installed completely."""
    for environment in (ROOT / name for name in ENVIRONMENTS):
        jars = sorted(environment.glob("lib/python3*/site-packages/pyspark/jars/*.jar"))
        if jars and (environment / "installed").is_file():
            return jars
    sys.exit("jvm/build.py: no environment has pyspark's jars; run `make setup`")


def inputs() -> list[Path]:
    """Returns every file the jar is made of, and this script."""
    return [Path(__file__).resolve(), *sorted(path for path in SOURCES.rglob("*") if path.is_file())]


def fingerprint(paths: list[Path]) -> str:
    """Describes the inputs by name, time and size: a removed file counts as a change too."""
    stats = ((path, path.stat()) for path in paths)
    return "".join(f"{path.relative_to(ROOT)} {stat.st_mtime_ns} {stat.st_size}\n" for path, stat in stats)


def run(command: list[str]) -> None:
    """Runs a compiler and ends the build when it fails."""
    result = subprocess.run(command, cwd=ROOT, check=False)
    if result.returncode != 0:
        sys.exit(f"jvm/build.py: {command[0]} failed with status {result.returncode}")


def compile_sources(paths: list[Path], jars: list[Path], classes: Path) -> None:
    """Compiles Scala, which may refer to the Java sources, and then Java, which may refer to Scala's classes."""
    class_path = ":".join(map(str, jars))
    java = [str(path) for path in paths if path.suffix == ".java"]
    scala = [str(path) for path in paths if path.suffix == ".scala"]
    if scala:
        scalac = ["java", "-Xss8m", "-XX:TieredStopAtLevel=1", "-cp", class_path, "scala.tools.nsc.Main"]
        run([*scalac, *SCALAC_OPTIONS, "-cp", class_path, "-d", str(classes), *scala, *java])
    if java:
        run(["javac", *JAVAC_OPTIONS, "-cp", f"{classes}:{class_path}", "-d", str(classes), *java])


def add_entry(jar: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Writes one file into the jar."""
    info = zipfile.ZipInfo(name, ENTRY_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    jar.writestr(info, content)


def pack(classes: Path) -> None:
    """Writes the jar: manifest, classes, resources, licence."""
    resources = SOURCES / "resources"
    partial = JAR.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w") as jar:
        add_entry(jar, "META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nImplementation-Title: Accelerant\r\n\r\n")
        for base in (classes, resources):
            for path in sorted(path for path in base.rglob("*") if path.is_file()):
                add_entry(jar, str(path.relative_to(base)), path.read_bytes())
        for name in ("LICENSE", "NOTICE"):
            add_entry(jar, f"META-INF/{name}", (ROOT / name).read_bytes())
    partial.replace(JAR)


def main() -> None:
    """Builds the jar if it is not up to date."""
    paths, jars = inputs(), spark_jars()
    described = f"{jars[0].parent.relative_to(ROOT)}\n{fingerprint(paths)}"
    if JAR.exists() and STAMP.exists() and STAMP.read_text() == described:
        return
    classes = OUT / "classes"
    shutil.rmtree(classes, ignore_errors=True)
    classes.mkdir(parents=True)
    print(f"building {JAR.relative_to(ROOT)}, which takes a minute", flush=True)
    compile_sources(paths, jars, classes)
    pack(classes)
    STAMP.write_text(described)
    print(f"built {JAR.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
