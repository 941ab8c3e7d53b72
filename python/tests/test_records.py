"""Files of measurements that take hours."""

from pathlib import Path

import pytest

from records import record, resumed


def test_a_measurement_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "figures" / "jobs.json"
    assert resumed(path, {"scale": 1}, "jobs") == []
    record(path, {"scale": 1, "jobs": [{"job": "a"}]})
    assert resumed(path, {"scale": 1}, "jobs") == [{"job": "a"}]
    with pytest.raises(SystemExit, match="was measured with --scale 1, which is 2 now"):
        resumed(path, {"scale": 2}, "jobs")
