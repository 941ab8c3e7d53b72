"""Accelerant: runs unchanged Apache Spark jobs on a native engine."""

from pathlib import Path

__version__ = (Path(__file__).parent / "VERSION").read_text().strip()
