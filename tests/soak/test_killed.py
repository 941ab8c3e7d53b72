"""A process that is killed in mid-spill leaves none of its spilled rows on disk."""

from pathlib import Path

from accelerant import tpch

JOB = Path(__file__).with_name("killed_job.py")
ROOT = Path(__file__).resolve().parents[2]


def test_killed_in_mid_spill(submit, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'tests' / 'oracle'}")
    local, told = tmp_path / "local", tmp_path / "told"
    local.mkdir()
    table = tpch.generate(0.1)["lineitem"]
    own = {"spark__accelerant__memory__limit": "16m", "spark__accelerant__batch__rows": "100"}
    run = submit(JOB, table, told, spark__local__dir=local, **own)
    assert told.read_text() == "spills", f"{run.stdout}\n{run.stderr[-3000:]}"
    # Spark leaves its own copies of jars.
    assert [path.name for path in local.rglob("*") if path.is_file() and path.suffix != ".jar"] == []
