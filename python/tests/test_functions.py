from pathlib import Path

import pytest

from accelerant import functions
from accelerant.command import main
from accelerant.functions import BRIDGED, ISLAND, NATIVE, Call, ListedFunction, as_page, read_page, totals

LISTED = [
    ListedFunction("abs", "scalar", (Call(("int",), "int", NATIVE), Call(("interval year",), "string", BRIDGED))),
    ListedFunction("explode", "generator", (Call(("array<struct<a:int,b:string>>",), "int", ISLAND),)),
    ListedFunction("now", "scalar", (Call((), "timestamp", BRIDGED),)),
    ListedFunction("rand", "scalar", ()),
    ListedFunction("|", "scalar", (Call(("int", "int"), "int", NATIVE),)),
]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "functions.md"
    path.write_text(as_page(LISTED, "4.3.0"))
    monkeypatch.setattr(functions, "PAGES", (tmp_path / "missing.md", path))
    return path


def test_a_page_is_read_as_it_was_written(page: Path) -> None:
    assert read_page(page.read_text()) == LISTED
    assert [function.state for function in LISTED] == [NATIVE, ISLAND, BRIDGED, ISLAND, NATIVE]
    assert "| all | 2 | 1 | 2 | 5 |\n" in page.read_text()


def test_the_committed_page_adds_up() -> None:
    rows = dict(totals(read_page(functions.PAGES[1].read_text())))
    assert rows["all"][-1] == sum(rows["all"][:-1]) == sum(rows[kind][-1] for kind in functions.KINDS) == 581
    assert rows["window"][-1] == 10


def test_functions_are_printed(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["functions"]) == 0
    assert capsys.readouterr().out.endswith("5 functions: 2 native, 1 bridged, 2 island\n")
    assert main(["functions", "abs"]) == 0
    assert capsys.readouterr().out == (
        "abs  scalar, native\n    (int) -> int\n    (interval year) -> string  bridged\n"
        "1 functions: 1 native, 0 bridged, 0 island\n"
    )
    assert main(["functions", "--state", "bridged"]) == 0
    assert capsys.readouterr().out.startswith("now  scalar, bridged\n    () -> timestamp\n")
    assert main(["functions", "nosuch"]) == 1
    assert capsys.readouterr().err == "accelerant: Spark has no function nosuch\n"


def test_a_missing_page_is_named(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page.unlink()
    assert main(["functions"]) == 1
    assert "install the package again" in capsys.readouterr().err
