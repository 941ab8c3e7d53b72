"""Random mixes of native pieces and operators that stay Spark's: nothing differs, hangs or stays behind."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

JOB = Path(__file__).with_name("island_mixes.py")
ROOT = Path(__file__).resolve().parents[2]

MIXES = int(os.environ.get("ACCELERANT_ISLAND_MIXES", "5"))
# Few are asked on one core and on all, which may be two; as many as somebody wants, on two as well.
MASTERS = ["local[1]", "local[*]", *(["local[2]"] if "ACCELERANT_ISLAND_MIXES" in os.environ else [])]
SEED = int(os.environ.get("ACCELERANT_ISLAND_SEED", "17"))


@pytest.mark.parametrize("master", MASTERS)
def test_mixes(
    submit: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record_property: Callable, master: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'tests' / 'oracle'}")
    done = submit(JOB, SEED, MIXES, tmp_path / "files", spark__master=master)
    lines = [line for line in done.stdout.splitlines() if line.startswith("outcome ")]
    assert lines, done.stderr[-5000:]
    found = json.loads(lines[0].removeprefix("outcome "))
    assert not found["wrong"], "\n".join(found["wrong"])
    assert found["held"] == 0
    assert found["native"] > found["mixes"] / 4
    record_property("figure", f"{found['mixes']} mixes on {master}, {found['native']} of them native in part")
