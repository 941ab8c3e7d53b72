import hashlib
from pathlib import Path

import pytest

from accelerant.benchmark import comet
from accelerant.errors import UserError

COMET_PLAN = "== Physical Plan ==\nAdaptiveSparkPlan isFinalPlan=false\n+- CometSort [a#1], [a#1 ASC]\n   :- CometScan"
SPARK_PLAN = "== Physical Plan ==\n*(1) Filter (Comet#1 > 2)\n+- *(1) Scan parquet [Comet#1] file:/data/CometScan"


def test_the_jar_is_pinned() -> None:
    path, digest = comet.pinned()
    assert path.endswith(f"{comet.version()}.jar")
    assert len(bytes.fromhex(digest)) == 32


def test_comet_needs_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="from a checkout"):
        comet.pinned(tmp_path / "comet.txt")


def test_only_the_pinned_file_is_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "jars" / "comet.jar"
    source.write_bytes(b"jar")
    with pytest.raises(UserError, match="do not use it"):
        comet.download(source.as_uri(), "0" * 64, target)
    assert list(target.parent.iterdir()) == []
    digest = hashlib.sha256(b"jar").hexdigest()
    assert comet.download(source.as_uri(), digest, target).read_bytes() == b"jar"
    source.unlink()
    assert comet.download(source.as_uri(), digest, target) == target
    with pytest.raises(UserError, match="cannot download"):
        comet.download(source.as_uri(), digest, tmp_path / "other.jar")


def test_a_plan_shows_whether_comet_took_part() -> None:
    assert comet.took_part(COMET_PLAN)
    assert not comet.took_part(SPARK_PLAN)
