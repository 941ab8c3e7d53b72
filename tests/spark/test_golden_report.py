import golden_report
import golden_results
from golden_answer import Answer

ONE = {"sql": "select 1", "schema": "struct<1:int>", "rows": ["1"], "tree": "Project"}
TWO = ONE | {"rows": ["2"]}
NATIVE = {"operators": ["NativeProject", "NativeLocalTableScan"], "report": ""}
ON_SPARK = {"operators": ["Project", "LocalTableScan"], "report": "! Project: no such function\n@ LocalTableScan"}


def statement(
    native: dict | None, plain: dict = ONE, golden: str = "1", sql: str = "select 1"
) -> golden_results.Statement:
    answer = Answer("struct<1:int>", golden)
    return golden_results.statement(("a.sql", 0, "folding", 0), plain | {"sql": sql}, native, (sql, answer))


def test_equal_answers_pass():
    found = statement(ONE | NATIVE)
    assert (found.plain_passes, found.differs, found.ran) == (True, False, "native")


def test_another_answer_differs():
    assert statement(TWO | NATIVE).differs


def test_a_fault_of_plain_sparks_is_no_difference():
    fault = {"sql": "select 1", "error": "java.lang.NullPointerException", "message": "x"}
    assert statement(ONE | NATIVE, plain=fault).difference == "broken"


def test_a_fault_that_a_script_hides_is_no_difference():
    def difference(native: dict, folded: dict | None, sql: str = "BEGIN VALUES (1); END") -> str:
        key = ("a.sql", 0, "no-folding", 0)
        return golden_results.statement(key, TWO | {"sql": sql}, native | NATIVE, None, folded).difference

    assert difference(ONE, ONE) == "broken"
    assert difference(ONE, ONE, "select 1") == "rows"
    assert difference(ONE, TWO) == "rows"
    assert difference(ONE, None) == "rows"
    assert difference(ONE | {"rows": ["3"]}, ONE) == "rows"


def test_a_statement_that_was_not_reached_differs():
    assert statement(None).differs


def test_answers_that_show_a_plan_need_not_be_equal():
    assert not statement(TWO | NATIVE, sql="EXPLAIN select 1").differs


def test_a_golden_file_with_another_statement_says_nothing():
    other = golden_results.statement(("a.sql", 0, "folding", 0), ONE, ONE, ("select 2", Answer("struct<1:int>", "1")))
    assert not other.plain_passes


def test_errors_compare_by_class_and_message():
    error = {"sql": "select 1", "error": "x.Y", "message": "column #1"}
    assert not statement(error | {"message": "column #2"} | NATIVE, plain=error).differs
    assert statement(error | {"error": "x.Z"} | NATIVE, plain=error).differs


def test_how_statements_ran():
    assert statement(ONE | ON_SPARK).ran == "spark"
    assert statement(ONE | {"operators": ["Sort", "NativeProject"]}).ran == "partly"
    assert statement(ONE | {"operators": ["LocalTableScan"]}).ran == "nothing"
    assert statement(ONE).ran == "nothing"


def test_bridged_calls_are_named():
    report = (
        "2 of 2 operators run natively\n* Project (bridged: rand, upper)\n* Filter (bridged: rand)\n* LocalTableScan"
    )
    found = statement(ONE | NATIVE | {"report": report})
    assert found.bridged == ("rand", "upper")
    assert golden_report.bridged_lines([found]) == ["     1  rand", "     1  upper"]


def test_counts():
    statements = [statement(ONE | NATIVE), statement(TWO | ON_SPARK), statement(TWO | NATIVE, golden="3")]
    counted = dict(golden_report.counts(statements))
    assert counted["statements"] == 3
    assert counted["native throughout"] == 2
    assert counted["on Spark"] == 1
    assert counted["plain Spark answers as the golden file"] == 2
    assert counted["of these, Accelerant does not"] == 1
    assert counted["of the others, Accelerant differs from plain Spark"] == 1


def test_reasons_are_counted_by_cause():
    (line,) = golden_report.reason_lines([statement(ONE | ON_SPARK), statement(ONE | NATIVE)])
    assert line.split() == ["1", "alone", "1", "in", "all", "no", "such", "function"]


def test_causes_lack_what_is_particular_to_a_plan():
    first = "Project: expression Literal of type array<int>; expression Hex (Spark 4.1.3)"
    assert golden_report.causes(first) == {"expression Literal of type array", "expression Hex"}
    assert golden_report.causes("setting a.b: unset it; or not") == {"setting a.b"}


def test_the_report_names_what_differs():
    text = "\n".join(golden_report.report("4", [statement(ONE | NATIVE), statement(TWO | NATIVE)], ["folding"]))
    assert "a.sql 0 (rows; folding/0; ran: native; plain Spark passes)" in text
