"""What random queries are made of, without Spark: kinds, values of tables, expressions, windows, what is counted."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import kinds
import pyarrow as pa
import pytest
import tables
from comparison import Compared, difference_of
from differential import Questions
from expressions import Expressions, Lacking
from forms import Body, Expression
from literals import literals_of
from minimise import literal
from outcome import PLANNING, Outcome, difference, raw_values, takers_of_islands
from queries import Derived, Item, Join, LateralView, Select, Table, close_columns, is_ordered
from sizes import MOST_ELEMENTS, MOST_ROWS, most_rows
from stored import STORED, form_of, table_of
from tables import NESTED_COLUMNS, Column
from tally import AT_HAND, Tally
from user_functions import PYTHON

from accelerant import functions

COUNT = 400
DEEP = "struct<n:int,l:array<map<string,decimal(18,4)>>>"


@pytest.fixture(scope="module")
def questions() -> Questions:
    return Questions("1")


@pytest.fixture(scope="module")
def texts(questions: Questions) -> list[str]:
    return [questions[number].query.sql for number in range(COUNT)]


def test_kinds_are_taken_apart() -> None:
    assert kinds.members_of(DEEP) == {"n": "int", "l": "array<map<string,decimal(18,4)>>"}
    assert kinds.entry_of("map<struct<a:int,b:int>,array<int>>") == ("struct<a:int,b:int>", "array<int>")
    assert kinds.parts_of("int") == [] and kinds.depth_of(DEEP) == 3 and kinds.depth_of("array<date>") == 1
    assert not kinds.is_orderable(DEEP) and kinds.is_orderable("array<struct<a:int>>")
    assert kinds.has_floats("map<string,double>") and not kinds.has_floats(DEEP)
    assert kinds.fits("decimal(18,4)", "decimal") and not kinds.fits("decimal", "decimal(18,4)")


def test_nested_columns_are_three_deep_at_most() -> None:
    depths = {kinds.depth_of(column.kind) for column in NESTED_COLUMNS}
    assert depths == {1, 2, 3}


def rows_of(column: Column, extreme: bool) -> list:
    """Returns values of a column as they are made."""
    return tables.column_values(tables.random.Random(7), column, tables.Table("t", 200, extreme))


@pytest.mark.parametrize("extreme", [False, True])
@pytest.mark.parametrize("column", NESTED_COLUMNS, ids=lambda column: column.name)
def test_values_come_back_from_arrow(column: Column, extreme: bool) -> None:
    made = rows_of(column, extreme)
    stored = tables.array(column.arrow, made)
    assert repr(raw_values(stored)) == repr(made)
    assert repr(raw_values(pa.chunked_array([stored.slice(50, 100), stored.slice(3, 9)]))) == repr(
        made[50:150] + made[3:12]
    )
    assert None in made and any(made)


def test_large_tables_repeat_nested_values() -> None:
    column = next(column for column in NESTED_COLUMNS if column.name == "deep")
    stored = tables.column_array(tables.random.Random(7), column, tables.Table("large", 3000))
    assert len(stored) == 3000 and len(set(map(repr, stored.to_pylist()))) <= tables.MOST_NESTED


def test_literals_have_their_kinds() -> None:
    assert literals_of("array<int>")[0] == "array(0)"
    assert literals_of("struct<x:int,y:array<string>>")[0] == "named_struct('x', 0, 'y', array(''))"
    assert literals_of("map<int,date>")[2] == "map(0, cast(null as date), 1, date'1970-01-01')"
    assert literal([b"\xff", None], "array<string>") == "array(cast(X'ff' as string), cast(null as string))"
    assert literal([], "array<int>") == "cast(array() as array<int>)"
    assert (
        literal({"x": None, "y": 1}, "struct<x:int,y:int>")
        == "named_struct('x', cast(null as int), 'y', cast('1' as int))"
    )
    assert (
        literal([(2, True)], "map<int,boolean>")
        == "map_from_arrays(array(cast('2' as int)), array(cast('True' as boolean)))"
    )


def test_seeds_repeat_and_differ(questions: Questions, texts: list[str]) -> None:
    again = Questions("1")
    assert [again[number].query.sql for number in range(20)] == texts[:20]
    assert Questions("2")[0].query.sql != texts[0]
    assert 0.7 < sum(questions[number].beyond for number in range(COUNT)) / COUNT < 0.9


def test_texts_are_whole(texts: list[str]) -> None:
    for sql in texts:
        assert sql.count("(") == sql.count(")") and sql.count("'") % 2 == 0
        assert not re.search(r"<(id|type|filter)>", sql) and "rows" not in re.findall(r"as (\w+)", sql)
        heads = [
            name for names in re.findall(r"(\(v\d+(?:, v\d+)*\)|v\d+) ->", sql) for name in re.findall(r"v\d+", names)
        ]
        assert set(re.findall(r"\bv\d+\b", sql)) == set(heads), sql


def test_lateral_views_stand_last_in_from(questions: Questions) -> None:
    def sources(source: object) -> list:
        below = [getattr(source, name) for name in ("left", "right", "source") if hasattr(source, name)]
        return [source, *(each for one in below for each in sources(one))]

    found = 0
    for number in range(COUNT):
        query = questions[number].query
        while isinstance(query, Select):
            inner = sources(query.source)
            found += any(isinstance(each, LateralView) for each in inner)
            assert not any(isinstance(each, LateralView) for each in inner[1:])
            query = query.source.query if hasattr(query.source, "query") else None
    assert found


def test_sizes_of_sources() -> None:
    def joined(text: str, on: str, kind: str = "inner") -> Join:
        key = Expression("boolean", "{} = {}", (Expression("int", f"a.{on}"), Expression("int", f"b.{on}")))
        return Join(Table("usual", "a"), Table(text, "b"), kind, key)

    assert most_rows(Table("usual", "a")) == 120 and most_rows(Table("(select * from orc_single)", "a")) == 1
    assert most_rows(joined("usual", "i32")) < most_rows(joined("usual", "k")) < 120 * 120
    assert most_rows(joined("skewed", "k")) > 120 * 700 * 0.8 and most_rows(joined("large", "k", "left semi")) == 120
    assert most_rows(Join(Table("usual", "a"), Table("single", "b"), "cross", None)) == 120
    assert most_rows(LateralView(Table("usual", "a"), Expression("rows", "explode(a.xs)"), "v", ("e",))) == (
        120 * MOST_ELEMENTS
    )


@pytest.mark.parametrize("seed", ["1", "77"])
def test_no_source_has_many_rows(seed: str) -> None:
    def nodes(node: object) -> list:
        below = [getattr(node, name) for name in ("left", "right", "source", "query") if hasattr(node, name)]
        return [node, *(each for one in below for each in nodes(one))]

    made = Questions(seed)
    found = [each for number in range(COUNT) for each in nodes(made[number].query)]
    makers = [each for each in found if isinstance(each, (Join, LateralView))]
    multiply = [each for each in makers if getattr(each, "kind", "") not in ("left semi", "left anti")]
    assert max(map(most_rows, multiply)) <= MOST_ROWS


def spelled(listed: list[functions.Signature]) -> set[str]:
    """Returns the names of functions that are called by name."""
    return {signature.sql.partition("(")[0] for signature in listed if re.match(r"\w+\(", signature.sql)}


def test_every_function_over_columns_is_asked(questions: Questions) -> None:
    nested = [s for s in functions.signatures() if re.search(r"[<T]", " ".join((*s.arguments, s.result)))]
    wanted = spelled(nested) | spelled(functions.window_signatures())
    wanted |= {"explode", "posexplode", "inline", "stack", "listagg", "collect_list", "collect_set", "percentile"}
    called: set[str] = set()
    for number in range(6 * COUNT):
        called.update(re.findall(r"\b(\w+)\(", questions[number].query.sql))
    assert wanted - called == set()


def places_of(query: object, call: re.Pattern) -> Iterator[str]:
    """Yields the parts of a query that call functions of some names."""
    parts = {
        "filter": [getattr(query, "where", None)],
        "join condition": [getattr(query, "condition", None)],
        "group key": getattr(query, "groups", ()),
    }
    items = [item.expression for item in getattr(query, "items", ())] if isinstance(query, Select) else []
    is_grouped = bool(parts["group key"]) or any(item.template.startswith("count(") for item in items)
    parts["aggregate" if is_grouped else "projection"] = [item for item in items if item not in parts["group key"]]
    parts["sort key"] = [query.items[position].expression for position, _ in getattr(query, "order", ())]
    yield from (part for part, found in parts.items() if any(each and call.search(each.sql) for each in found))
    for name in ("left", "right", "source", "query"):
        if hasattr(query, name):
            yield from places_of(getattr(query, name), call)


@pytest.mark.parametrize("names", [r"\b(py|pickled|pa|pd)_\w+\(", r"\bpd_\w+\(", r"\bjava_\w+\("])
def test_functions_of_users_stand_everywhere(questions: Questions, names: str) -> None:
    found = {place for number in range(6 * COUNT) for place in places_of(questions[number].query, re.compile(names))}
    assert found == {"filter", "join condition", "group key", "aggregate", "projection", "sort key"}


def test_tables_have_every_form(questions: Questions) -> None:
    texts = " ".join(questions[number].query.sql for number in range(2 * COUNT))
    assert {prefix for prefix in STORED if not re.search(rf"\b{prefix}(usual|single)", texts)} == set()
    assert table_of("own_orc_usual2") == "usual2" and form_of("own_orc_usual2").prefix == "own_orc_"


def test_lambda_functions_call_none_of_python(questions: Questions) -> None:
    lacking = Lacking(tuple(PYTHON), frozenset(PYTHON), 1.0)
    made = Expressions(random.Random(1), questions.forms, cautious=False, lacking=lacking)
    body = Body("bigint", (("v1", "int"),))
    call = re.compile(r"\b(py|pickled|pa|pd)_")
    assert not any(call.search(made.argument(body, [], 2).sql) for _ in range(50))
    assert any(call.search(made.make("bigint", [], 2).sql) for _ in range(50))


def test_takers_of_islands() -> None:
    tree = """NativeHashAggregate(keys=[k#1])
+- NativeBroadcastHashJoin [k#1]
   :- NativeProject [k#1]
   :  +- Island Scan orc
   :     +- *(1) ColumnarToRow
   +- NativeFileSourceScan parquet
NativeFilter (id#1 > 3)
+- NativeProject [id#1]
   +- Island ArrowEvalPython [f(id#1)]
"""
    assert [*takers_of_islands(tree)] == ["BroadcastHashJoin (left)", "Filter"]


def test_numbers_of_rows_have_a_total_order(texts: list[str]) -> None:
    calls = [
        call for sql in texts for call in re.findall(r"(?:row_number|ntile|cume_dist)\([^)]*\) over \([^()]*\)", sql)
    ]
    assert calls
    for call in calls:
        assert call.startswith("cume_dist") or re.search(r"order by .*\.id( desc)?\)$", call), call


def test_limits_have_an_order(questions: Questions) -> None:
    limited = [query for query in (questions[number].query for number in range(COUNT)) if getattr(query, "limit", "")]
    assert limited and all(is_ordered(query) for query in limited)


def test_failing_queries_get_smaller(questions: Questions) -> None:
    for number in range(100):
        query = questions[number].query
        while (
            less := next((q for q in islice(query.smaller(), 300) if len(q.sql) < len(query.sql)), None)
        ) is not None:
            query = less
        assert len(query.sql) < 230, query.sql  # what makes an island stays whole


def test_close_lists_are_equal() -> None:
    mine, other = Outcome(schema="s", rows=(([0.1 + 0.2, None],),)), Outcome(schema="s", rows=(([0.3, None],),))
    assert difference(mine, other) and difference(mine, other, close={0}) is None
    assert difference(mine, Outcome(schema="s", rows=(([0.31, None],),)), close={0})


@pytest.mark.parametrize(("function", "is_equal"), [("max", True), ("first", False)])
def test_zeros_of_extremes_are_equal(function: str, is_equal: bool) -> None:
    mine, other = (Outcome(schema="s", rows=(([zero, 1.5], {"x": zero}),)) for zero in (0.0, -0.0))
    item = Item(Expression("double", f"{function}({{}})", (Expression("double", "a.f64"),)), "c0")
    query = Select((item,), Table("usual", "a"))
    assert (difference_of(mine, other, query) is None) is is_equal
    assert difference_of(mine, replace(other, rows=(([-0.0, 1.25], {"x": 0.0}),)), query)


def test_which_sums_are_close() -> None:
    item = Item(Expression("double", "var_pop({})", (Expression("double", "a.f64"),)), "c0", close=True)
    found = {name: close_columns(Select((item,), Table(name, "a"))) for name in ("usual", "large", "orc_large")}
    assert found == {"usual": frozenset(), "large": {0}, "orc_large": {0}}
    ranked = Select((Item(Expression("int", "row_number() over (order by a.id)"), "c0"),), Table("usual", "a"))
    assert not close_columns(Select((item,), Derived(ranked, "a")))
    odd = Expression("boolean", "pd_odd({})", (Expression("int", "a.c0"),))
    assert close_columns(Select((item,), Derived(ranked, "a"), where=odd)) == {0}


def test_what_is_counted() -> None:
    tally = Tally("7")
    native = Outcome(native=True, in_part=True)
    bridged = Outcome(native=True, in_part=True, bridged=True, bridged_calls=("soundex", "soundex"))
    for way in (native, native, bridged, Outcome(reasons=("generator Stack", "other")), Outcome(reasons=(PLANNING,))):
        tally.add(Compared(way), asks_beyond=False)
    tally.add(Compared(bridged), asks_beyond=True)
    tally.add(Compared(Outcome(reasons=(AT_HAND,))), asks_beyond=False)
    tally.add(Compared(Outcome(), refused="DATATYPE_MISMATCH"), asks_beyond=False)
    assert (tally.within.asked, tally.within.unbridged_share, tally.within.native_share) == (4, 0.5, 0.75)
    island = Outcome(in_part=True, islands=("Window",), reasons=("ArrowEvalPython (island): operator",))
    tally.add(Compared(replace(island, bridged=True, bridging=("Filter", "Filter"))), asks_beyond=True)
    tally.add(Compared(Outcome(in_part=True, reasons=("Sample: operator",))), asks_beyond=True)
    assert (tally.beyond.bridged, tally.failed_planning, tally.at_hand, tally.asked) == (1, 1, 1, 10)
    assert (tally.with_bridged, tally.with_islands, tally.with_python, tally.below_spark) == (3, 1, 1, 1)
    assert tally.share_with_either == 0.3
    assert tally.places == {"bridged in Filter": 1, "island below Window": 1}
    lines = tally.summary().splitlines()
    assert "4: 50.0% native, 75.0% with bridged calls" in lines[0]
    assert lines[1:] == [
        "  1 bridged: soundex",
        "  1 not native: generator Stack",
        "  1 bridged in Filter",
        "  1 island below Window",
        "  1 refused by Spark: DATATYPE_MISMATCH",
    ]
