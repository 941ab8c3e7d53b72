"""Whether accelerant-gpu-check runs TPC-H's queries as Spark plans them today."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_captured_plans_are_sparks(tmp_path: Path) -> None:
    """Captures the plans again: `scripts/capture_plans.py` brings those up to date that differ."""
    subprocess.run([sys.executable, "scripts/capture_plans.py", "--to", str(tmp_path)], cwd=ROOT, check=True)
    captured = ROOT / "tools" / "gpu_check" / "captured"
    names = sorted(path.name for path in captured.iterdir())
    assert names == sorted(path.name for path in tmp_path.iterdir())
    for name in names:
        assert (tmp_path / name).read_text() == (captured / name).read_text(), name
