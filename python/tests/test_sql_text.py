import pytest

from accelerant.sql_text import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ; ;\n", []),
        ("select 1", ["select 1"]),
        ("select 1; select 2;", ["select 1", "select 2"]),
        ("select ';' ; select 2", ["select ';'", "select 2"]),
        ("select 'it''s;' , \"a;b\", `c;``d`", ["select 'it''s;' , \"a;b\", `c;``d`"]),
        (r"select 'a\';b'; select 2", [r"select 'a\';b'", "select 2"]),
        ("-- one; two\nselect 1", ["select 1"]),
        ("select /* ; */ 1", ["select   1"]),
        ("select /*+ BROADCAST(t) */ 1", ["select /*+ BROADCAST(t) */ 1"]),
        ("select '-- not a comment'", ["select '-- not a comment'"]),
        ("select 'open ; still", ["select 'open", "still"]),
    ],
)
def test_statements(text: str, expected: list[str]) -> None:
    assert statements(text) == expected
