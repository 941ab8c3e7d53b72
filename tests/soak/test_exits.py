"""A JVM that ends in mid-query ends with code 0 and without a crash report."""

import random
from pathlib import Path

from accelerant import tpch

JOB = Path(__file__).with_name("exit_job.py")
PLACES = ["files", "cache"]
WAYS = ["exit", "stop", "leave", "return"]
SEED = 4711


def test_jvm_ends_in_mid_query(submit, full: bool, tmp_path: Path, record_property) -> None:
    count = 50 if full else len(WAYS)
    randomness = random.Random(SEED)
    table = tpch.generate(0.1)["lineitem"]
    for turn in range(count):
        way = WAYS[turn % len(WAYS)]
        place = PLACES[(turn + turn // len(WAYS)) % len(PLACES)]
        delay = randomness.random() * 0.4
        run = submit(JOB, table, place, way, f"{delay:.3f}")
        report = f"exit {turn} from {place}, {way} after {delay:.3f} s\n{run.stdout}\n{run.stderr[-3000:]}"
        assert "ends in mid-query" in run.stdout, report
        assert "finished" not in run.stdout.split("ends in mid-query")[0], report
        assert run.returncode == 0, report
        assert not list(tmp_path.glob("hs_err_pid*")), report
    record_property("figure", f"{count} of {count} exits with code 0")
    record_property("count", str(count))
