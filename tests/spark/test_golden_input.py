from pathlib import Path

import golden_input


def read(folder: Path, text: str) -> golden_input.InputFile:
    (folder / "a.sql").write_text(text)
    return golden_input.read(folder, "a.sql")


def test_statements_end_at_semicolons_and_have_no_comments(tmp_path: Path):
    file = read(tmp_path, "-- about\nselect 1\n-- between\n  , 2;\n\n;select 'a\\;b' -- kept\n;\n")
    assert file.statements == ("select 1\n  , 2", "select 'a\\;b' -- kept")


def test_delimited_statements_keep_their_semicolons(tmp_path: Path):
    text = "select 1;\n--QUERY-DELIMITER-START\nbegin\n  select 2;\nend;\n--QUERY-DELIMITER-END\nselect 3;"
    assert read(tmp_path, text).statements == ("select 1", "begin\n  select 2;\nend", "select 3")


def test_settings(tmp_path: Path):
    file = read(tmp_path, "--SET a.b = 1, c.d=x=y\n--SET e=\nselect 1")
    assert file.settings == (("a.b", "1"), ("c.d", "x=y"), ("e", ""))


def test_a_file_without_dimensions_has_one_variant(tmp_path: Path):
    assert read(tmp_path, "select 1").variants == ((),)


def test_variants_are_all_combinations_of_choices(tmp_path: Path):
    text = "--CONFIG_DIM1 a=1\n--CONFIG_DIM1 a=2,b=3\n--CONFIG_DIM2 c=4\n--CONFIG_DIM2 c=5\n--CONFIG_DIM2 c=6\nselect 1"
    variants = read(tmp_path, text).variants
    assert len(variants) == 6
    assert variants[0] == (("a", "1"), ("c", "4"))
    assert variants[5] == (("a", "2"), ("b", "3"), ("c", "6"))


def test_variants_do_not_differ_in_generated_code_alone(tmp_path: Path):
    first = "--CONFIG_DIM1 a=1\n--CONFIG_DIM1 a=2\n"
    second = "--CONFIG_DIM2 spark.sql.codegen.x=1\n--CONFIG_DIM2 spark.sql.codegen.x=2\n"
    assert read(tmp_path, first + second + "select 1").variants == (
        (("a", "1"), ("spark.sql.codegen.x", "1")),
        (("a", "2"), ("spark.sql.codegen.x", "1")),
    )


def test_imported_statements_come_first_without_the_settings(tmp_path: Path):
    (tmp_path / "b.sql").write_text("--SET a=1\nselect 0;\n")
    file = read(tmp_path, "--IMPORT b.sql\nselect 1;")
    assert file.statements == ("select 0", "select 1")
    assert file.settings == ()


def test_names_leave_out_what_needs_functions_of_the_test_classes(tmp_path: Path):
    for name in ("a.sql", "nonansi/b.sql", "udf/c.sql", "ignored.sql", "d.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("select 1")
    assert golden_input.names(tmp_path) == ["a.sql", "nonansi/b.sql"]


def test_kinds_go_by_folders(tmp_path: Path):
    kinds = [golden_input.InputFile(name, (), (), ((),)).kind for name in ("a.sql", "nonansi/a.sql", "subquery/a.sql")]
    assert kinds == ["", "nonansi", ""]
