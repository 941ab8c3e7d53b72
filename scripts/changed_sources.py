"""The engine's files that are not as in the commit of which all files were checked, and the record of that commit."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from engine_files import ROOT, included

RECORD = ROOT / "scripts" / "checked_commit.txt"
RULES = ROOT / ".clang-tidy"
# What a check of the engine depends on.
CHECKED = ["engine", RULES.name]


def git(*arguments: str) -> list[str] | None:
    """Returns the lines that git prints; None where it fails."""
    shown = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return shown.stdout.splitlines() if shown.returncode == 0 else None


def checked_commit() -> str | None:
    """Returns the recorded commit; None where there is none, or git doesn't have it, as in a shallow clone."""
    commit = RECORD.read_text().strip() if RECORD.is_file() else ""
    known = commit and git("cat-file", "-e", f"{commit}^{{commit}}") is not None
    return commit if known else None


def changed_paths(commit: str) -> set[Path] | None:
    """Returns the files that are not as in a commit, new ones among them; None where git can't tell."""
    edited = git("diff", "--name-only", commit, "--", *CHECKED)
    new = git("ls-files", "--others", "--exclude-standard", "--", *CHECKED)
    return None if edited is None or new is None else {ROOT / name for name in [*edited, *new]}


def changed_since_record() -> set[Path] | None:
    """Returns the files that are not as in the recorded commit; None, that is all, where that is unknown or useless."""
    commit = checked_commit()
    changed = changed_paths(commit) if commit else None
    return None if changed is None or RULES in changed else changed


def touched(files: Iterable[Path]) -> list[Path]:
    """Returns the files whose text is not as in the recorded commit, and for each other header that is not, one source.

    That is the first source that includes it, by preference one of its name: clang-tidy reads headers through sources.
    All files where no commit is recorded or known, and where the rules changed.
    """
    files, changed = list(files), changed_since_record()
    if changed is None:
        return files
    chosen = {path for path in files if path in changed}
    sources = [path for path in files if path.suffix == ".cpp"]
    for header in sorted(path for path in changed if path.suffix == ".h"):
        readers = [path for path in sources if header in included(path)]
        if readers and chosen.isdisjoint(readers):
            chosen.add(next((path for path in readers if path.stem == header.stem), readers[0]))
    return [path for path in files if path in chosen]


def due(files: Iterable[Path]) -> list[Path]:
    """Returns the files whose text, or that of a header that they include, is not as in the recorded commit.

    All of them where no commit is recorded or known, and where the rules changed.
    """
    changed = changed_since_record()
    if changed is None:
        return list(files)
    return [path for path in files if not changed.isdisjoint({path, *included(path)})]


def uncommitted() -> list[str]:
    """Returns the files that a check depends on and whose text no commit has."""
    return git("status", "--porcelain", "--untracked-files=all", "--", *CHECKED) or []


def record() -> str:
    """Records the commit that is checked out and returns it."""
    (commit,) = git("rev-parse", "HEAD")
    RECORD.write_text(commit + "\n")
    return commit
