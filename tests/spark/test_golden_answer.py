from pathlib import Path

import golden_answer
import pytest
from golden_answer import Answer


@pytest.mark.parametrize(
    ("tree", "ordered"),
    [
        ("Project [a#1]\n+- LocalRelation [a#1]", False),
        ("Sort [a#1 ASC NULLS FIRST], true\n+- Project [a#1]", True),
        ("GlobalLimit 2\n+- Project [a#1]\n   +- Sort [a#1 ASC NULLS FIRST], true\n      +- OneRowRelation", True),
        ("Sort [a#1 ASC NULLS FIRST], false\n+- OneRowRelation", False),
        ("Aggregate [a#1]\n+- Sort [a#1 ASC NULLS FIRST], true\n   +- OneRowRelation", False),
        ("Filter scalar-subquery#1 []\n:  +- Sort [a#1 ASC NULLS FIRST], true\n+- OneRowRelation", False),
        ("Union false, false\n:- OneRowRelation\n+- Sort [a#1 ASC NULLS FIRST], true", True),
        ("Project [a\nSort [x], true#1]\n+- OneRowRelation", False),
        ("DescribeTableCommand `t`, [col_name#1]", True),
    ],
)
def test_an_order_is_that_of_the_rows(tree: str, ordered: bool):
    assert golden_answer.is_ordered(tree) is ordered


def test_rows_without_an_order_are_sorted_as_java_does():
    rows = ["b", "\U0001f600", "a", "\uffee"]
    assert golden_answer.of_rows("s", rows, False).output.split("\n") == ["a", "b", "\U0001f600", "\uffee"]
    assert golden_answer.of_rows("s", rows, True).output.split("\n") == rows


def test_what_changes_from_run_to_run_is_masked():
    assert golden_answer.masked("Project [a#12L]") == "Project [a#xL]"
    location = f"Location\tfile:/tmp/x/{golden_answer.SUITE}/t"
    assert golden_answer.masked(location) == "Location [not included in comparison]/{warehouse_dir}/t"


def test_an_error_has_its_class_and_message():
    answer = golden_answer.of_error("x.Y", "bad #12 in task 0.0 of stage 1.0 (TID 7)")
    assert answer == Answer("struct<>", "x.Y\nbad #x in  of  ()")


def test_golden_files(tmp_path: Path):
    path = tmp_path / "a.sql.out"
    blocks = ["-- by hand\n-- !query\nselect 1\n-- !query schema\nstruct<1:int>\n-- !query output\n1\n\n\n"]
    blocks.append("-- !query\nselect\n-- !query schema\nstruct<>\n-- !query output\nx.Y\n{}\n")
    path.write_text("".join(blocks))
    expected = [("select 1", Answer("struct<1:int>", "1")), ("select", Answer("struct<>", "x.Y\n{}"))]
    assert golden_answer.read_golden(path) == expected


def test_java_21_has_golden_files_of_its_own(tmp_path: Path):
    (tmp_path / "a.sql.out.java21").touch()
    assert golden_answer.golden_path(tmp_path, "a.sql", 17).name == "a.sql.out"
    assert golden_answer.golden_path(tmp_path, "a.sql", 21).name == "a.sql.out.java21"
    assert golden_answer.golden_path(tmp_path, "b.sql", 21).name == "b.sql.out"


def test_the_size_of_files_does_not_count():
    lines = ["Partition Statistics\t1067 bytes, 3 rows  \tx", "Partition Statistics\t989 bytes, 3 rows   \tx"]
    masked = "Partition Statistics\t[not included in comparison] bytes, 3 rows  \tx"
    assert {golden_answer.masked(line) for line in lines} == {masked}


@pytest.mark.parametrize(
    ("mine", "theirs", "kind"),
    [
        ("1\n2", "1\n2", ""),
        ("1\n2", "2\n1", "order"),
        ("17189.053923482326\tx", "17189.053923482323\tx", "digits"),
        ("1.5\tx", "1.5\ty", "rows"),
        ("1.5\n2.5", "1.5", "rows"),
        ("1.50001", "1.5", "rows"),
        ("15", "16", "rows"),
    ],
)
def test_how_answers_differ(mine: str, theirs: str, kind: str):
    schema = "struct<a:double>"
    assert golden_answer.difference(Answer(schema, mine), Answer(schema, theirs)) == kind


def test_errors_are_equal_or_not():
    assert golden_answer.difference(Answer("struct<>", "a\nb"), Answer("struct<>", "b\na")) == "rows"
