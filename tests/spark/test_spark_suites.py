import xml.etree.ElementTree as ET

import spark_suites
from spark_suites import Test

REPORT = """<testsuite><testcase name="passes"/><testcase name="fails"><failure message="1 did not equal 2
more"/></testcase><testcase name="ends early"><error/></testcase></testsuite>"""


def test_failures_of_a_report():
    found = dict(spark_suites.failures("JoinSuite", ET.fromstring(REPORT)))
    assert found == {Test("JoinSuite", "fails"): "1 did not equal 2 more", Test("JoinSuite", "ends early"): "fails"}


def test_known_tests():
    text = "# a comment\n\nlooks at the plan:\n  JoinSuite / a / b\n  A / c\ncounts files:\n  A / d\n"
    expected = {"a / b": "looks at the plan", "c": "looks at the plan", "d": "counts files"}
    assert {test.name: reason for test, reason in spark_suites.known(text).items()} == expected


def test_the_list_is_of_suites_that_run():
    listed = spark_suites.known(spark_suites.KNOWN.read_text())
    assert {test.suite for test in listed} <= set(spark_suites.SUITES)


def test_pins():
    assert list(spark_suites.pins("# x\n\na/b.jar\n12\n")) == [("a/b.jar", "12")]
    assert len(dict(spark_suites.pins(spark_suites.PINS.read_text()))) > 20


def test_what_is_said():
    found = {Test("A", "x"): "fails", Test("A", "y"): "too"}
    lines = list(spark_suites.report(found, {Test("A", "x"): "looks at the plan"}))
    assert lines == ["1 tests ask for what no accelerator keeps; 1 others fail", "A / y: too"]
