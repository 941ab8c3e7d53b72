import sys
from pathlib import Path

import pytest

from accelerant.benchmark.engines import run_program
from accelerant.benchmark.progress import MARK, SECONDS_BETWEEN_LOOKS
from accelerant.errors import UserError

SLOW = f"""
import time
print("noise", flush=True)
for step in ("q1", "q2"):
    print("{MARK}" + step, flush=True)
    time.sleep({2 * SECONDS_BETWEEN_LOOKS})
print("{MARK}q3")
"""


def test_steps_of_a_worker_are_told_once_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_program([sys.executable, "-c", SLOW], tmp_path / "log")
    assert capsys.readouterr().out == "  q1, q2, q3\n"
    assert "noise\n" in (tmp_path / "log").read_text()


def test_nothing_is_told_of_a_program_without_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_program([sys.executable, "-c", "print('noise')"], tmp_path / "log")
    assert capsys.readouterr().out == ""


def test_a_worker_that_fails_shows_the_end_of_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failing = f"print('{MARK}q1'); raise SystemExit('what went wrong')"
    with pytest.raises(UserError, match="what went wrong"):
        run_program([sys.executable, "-c", failing], tmp_path / "log")
    assert capsys.readouterr().out == "  q1\n"
