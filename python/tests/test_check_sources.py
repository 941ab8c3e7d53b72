"""Which files of the engine scripts/check_sources.py checks."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import changed_sources
import check_sources
import engine_files

FILES = {
    "engine/base/a.h": "#pragma once\n",
    "engine/base/b.h": '#include "base/a.h"\n',
    "engine/base/c.cpp": '#include "base/b.h"\n',
    "engine/base/d.cpp": "int d;\n",
    ".clang-tidy": "Checks: x\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with a few files of the engine, all committed; no commit is recorded."""
    monkeypatch.setattr(changed_sources, "ROOT", tmp_path)
    monkeypatch.setattr(changed_sources, "RECORD", tmp_path / "checked_commit.txt")
    monkeypatch.setattr(changed_sources, "RULES", tmp_path / ".clang-tidy")
    monkeypatch.setattr(engine_files, "ENGINE", tmp_path / "engine")
    for name, text in FILES.items():
        write(tmp_path, name, text)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    engine_files.included.cache_clear()
    yield tmp_path
    engine_files.included.cache_clear()


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    engine_files.included.cache_clear()


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def commit(root: Path) -> str:
    git(root, "add", "engine", ".clang-tidy")
    git(root, "commit", "--quiet", "--message", "x")
    return git(root, "rev-parse", "HEAD")


def files_of(root: Path) -> list[Path]:
    return [path for path in sorted((root / "engine").rglob("*")) if path.is_file()]


def due(root: Path) -> list[str]:
    return [path.name for path in changed_sources.due(files_of(root))]


def touched(root: Path) -> list[str]:
    return [path.name for path in changed_sources.touched(files_of(root))]


EVERYTHING = ["a.h", "b.h", "c.cpp", "d.cpp"]


def test_everything_where_no_commit_is_recorded_or_known(repository: Path) -> None:
    assert due(repository) == EVERYTHING
    changed_sources.RECORD.write_text("0123456789012345678901234567890123456789\n")
    assert due(repository) == touched(repository) == EVERYTHING
    changed_sources.RECORD.write_text("")
    assert due(repository) == EVERYTHING


def test_nothing_where_nothing_changed(repository: Path) -> None:
    assert changed_sources.record() == git(repository, "rev-parse", "HEAD") == changed_sources.checked_commit()
    assert due(repository) == []


def test_what_includes_a_changed_header_at_any_depth(repository: Path) -> None:
    changed_sources.record()
    write(repository, "engine/base/a.h", "#pragma once\n\nint a();\n")
    assert due(repository) == ["a.h", "b.h", "c.cpp"]
    assert touched(repository) == ["a.h", "c.cpp"]
    commit(repository)
    assert due(repository) == ["a.h", "b.h", "c.cpp"]
    write(repository, "engine/base/a.h", FILES["engine/base/a.h"])
    assert due(repository) == []


def test_a_changed_source_and_new_files(repository: Path) -> None:
    changed_sources.record()
    write(repository, "engine/base/d.cpp", "int e;\n")
    write(repository, "engine/base/new.cpp", "int f;\n")
    assert due(repository) == touched(repository) == ["d.cpp", "new.cpp"]
    (repository / "engine/base/d.cpp").unlink()
    assert due(repository) == ["new.cpp"]


def test_one_source_for_a_changed_header(repository: Path) -> None:
    """One of the header's name rather than another one; none where a source that reads the header changed, too."""
    write(repository, "engine/base/a.cpp", '#include "base/a.h"\n')
    write(repository, "engine/base/b.cpp", '#include "base/b.h"\n')
    commit(repository)
    changed_sources.record()
    write(repository, "engine/base/b.h", '#include "base/a.h"\n\nint b();\n')
    assert touched(repository) == ["b.cpp", "b.h"]
    write(repository, "engine/base/c.cpp", '#include "base/b.h"\n\nint c;\n')
    assert touched(repository) == ["b.h", "c.cpp"]


def test_everything_where_the_rules_changed(repository: Path) -> None:
    changed_sources.record()
    write(repository, ".clang-tidy", "Checks: y\n")
    assert due(repository) == EVERYTHING


def test_only_a_committed_text_is_recorded(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "generated").mkdir()
    monkeypatch.setattr(check_sources, "BUILD", repository)
    monkeypatch.setattr(sys, "argv", ["check_sources.py", "--record"])
    problems: list[int] = [1]
    monkeypatch.setattr(check_sources, "check", lambda chosen, minutes: problems[0])
    assert check_sources.main() == 1
    assert not changed_sources.RECORD.exists()
    problems[0] = 0
    write(repository, "engine/base/new.h", "#pragma once\n")
    with pytest.raises(SystemExit, match=r"engine/base/new\.h"):
        check_sources.main()
    assert not changed_sources.RECORD.exists()
    newest = commit(repository)
    assert check_sources.main() == 0
    assert changed_sources.RECORD.read_text() == f"{newest}\n"
