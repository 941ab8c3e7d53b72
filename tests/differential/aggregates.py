"""How aggregate functions are called: those that the engine lists, and by hand what Spark's parser makes others of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import kinds
from tables import COLUMNS

from accelerant.functions import AggregateSignature

UNSORTED = kinds.FLOATS
COLUMN_KINDS = tuple(dict.fromkeys(["bigint", *(column.kind for column in COLUMNS)]))
FLAT_KINDS = tuple(kind for kind in COLUMN_KINDS if not kinds.is_nested(kind))
# Columns of these kinds make lists of one type, and equal elements are the same.
LISTED = tuple(
    kind for kind in COLUMN_KINDS if kind != "decimal" and kinds.is_orderable(kind) and not kinds.has_floats(kind)
)


@dataclass(frozen=True)
class Aggregate:
    """An aggregate function: template, argument kinds, result.

    `sums` adds numbers, which extreme values overflow. `close`: its last digits depend on the order of rows. `ordered`:
    its result does, so that it is asked where each group has a row. `<id>` stands for a column that no two rows share,
    `<filter>` for a FILTER clause that does not stand at the end.
    """

    template: str
    arguments: tuple[str, ...]
    kind: str
    sums: bool = False
    close: bool = False
    ordered: bool = False

    @property
    def is_long(self) -> bool:
        """Says whether a result is a bitmap, thousands of bytes for each group."""
        return self.template.startswith("bitmap_")

    def text(self, is_filtered: bool) -> str:
        """Returns the template, with a slot for a condition of FILTER behind the others if there is one."""
        slot = f"{{{len(self.arguments)}}}" if "{0}" in self.template else "{}"
        clause = f" filter (where {slot})" if is_filtered else ""
        if "<filter>" in self.template:
            return self.template.replace("<filter>", clause)
        return f"{self.template}{clause}"


# How a function is called, where that is not its name with its arguments.
TEMPLATES = {
    "bitmap_construct_agg": ("bitmap_construct_agg(pmod({}, 32768L))",),
    "mode": ("mode({}, true)", "mode() within group (order by {} desc)"),
    "percentile": (
        "percentile({}, 0.25D)",
        "percentile_cont(0.25D) within group (order by {} desc)",
        "median({})",
    ),
    "percentile_disc": tuple(f"percentile_disc(0.25D) within group (order by {{}}{order})" for order in ("", " desc")),
    "regr_sxx": ("regr_sxx(1D, {})", "regr_syy({}, 1D)"),
}


def counts() -> Iterator[Aggregate]:
    """Yields what counts rows."""
    yield Aggregate("count(*)", (), "bigint")
    yield Aggregate("count({})", ("any",), "bigint")
    yield Aggregate("count(distinct {})", ("key",), "bigint")
    yield Aggregate("count({}, {})", ("any", "any"), "bigint")


def replaced() -> Iterator[Aggregate]:
    """Yields what Spark's parser makes of other functions: the engine has none of these names."""
    yield from (
        Aggregate(f"{name}({{}})", ("boolean",), "boolean") for name in ("bool_and", "bool_or", "every", "some")
    )
    yield Aggregate("count_if({})", ("boolean",), "bigint")
    yield Aggregate("regr_count({}, {})", ("double", "int"), "bigint")
    for name in ("regr_avgx", "regr_avgy"):
        yield Aggregate(f"{name}({{}}, {{}})", ("double", "double"), "double", sums=True, close=True)
    yield Aggregate("percentile({}, array(0.25D, 0.5D))", ("int",), "array<double>", close=True)
    for name in ("try_sum", "try_avg"):
        yield Aggregate(f"{name}({{}})", ("decimal",), "decimal", sums=True)


def lists() -> Iterator[Aggregate]:
    """Yields lists whose order is that of their values, or of the rows' ids."""
    for kind in LISTED:
        yield Aggregate("sort_array(collect_list({})<filter>)", (kind,), f"array<{kind}>")
        if not kinds.is_nested(kind):
            yield Aggregate("sort_array(collect_set({})<filter>)", (kind,), f"array<{kind}>")
    for kind in COLUMN_KINDS:
        if kind != "decimal" and kinds.is_orderable(kind):
            template = "sort_array(collect_list(named_struct('id', <id>, 'v', {}))<filter>).v"
            yield Aggregate(template, (kind,), f"array<{kind}>")
    for kind, delimiter in (("string", "', '"), ("binary", "X'2c'")):
        for words in ("", "distinct "):
            for direction in ("", " desc"):
                template = f"listagg({words}{{0}}, {delimiter}) within group (order by {{0}}{direction})"
                yield Aggregate(template, (kind,), kind)


def ordered() -> Iterator[Aggregate]:
    """Yields what depends on the order of rows, of groups of one row."""
    for kind in COLUMN_KINDS:
        for template in ("first({})", "last({}, true)", "any_value({})"):
            yield Aggregate(template, (kind,), kind, ordered=True)
        if kind != "decimal":
            yield Aggregate("collect_list({})", (kind,), f"array<{kind}>", ordered=True)
    yield Aggregate("listagg({}, '; ')", ("string",), "string", ordered=True)


def nested_extremes() -> Iterator[Aggregate]:
    """Yields the greatest and least of nested values, and values of the rows that have them."""
    orderings = ("named_struct('n', 0, 'id', <id>)", "array(cast(null as bigint), <id>)")
    for kind in COLUMN_KINDS:
        for name, ordering in zip(("max_by", "min_by"), orderings, strict=True):
            yield Aggregate(f"{name}({{}}, {ordering})", (kind,), kind)
    for kind in COLUMN_KINDS:
        if kinds.is_nested(kind) and kinds.is_orderable(kind) and not kinds.has_floats(kind):
            yield from (Aggregate(f"{name}({{}})", (kind,), kind) for name in ("max", "min"))


def forms_of(signature: AggregateSignature) -> list[Aggregate]:
    """Returns how an aggregate of the engine is called, if its result depends on nothing but the rows."""
    name = signature.sql.partition("(")[0]
    if name == "count":
        return list(counts())
    arguments, slots = signature.arguments, ["{}"] * len(signature.arguments)
    if "order-sensitive" in signature.words:
        if len(arguments) != 2 or arguments[1] != "bigint":
            return []
        # What chooses by an ordering is asked with one that is unique.
        arguments, slots[1] = arguments[:1], "<id>"
    for word in signature.words:
        if word.startswith("literal-"):
            place = int(word.removeprefix("literal-"))
            if arguments[place] != "double":
                return []
            arguments, slots[place] = arguments[:place] + arguments[place + 1 :], "0.25D"
    if not {signature.result, *arguments} <= {*FLAT_KINDS, "any"}:
        return []
    if name in ("max", "min") and "any" in arguments:
        return []  # of nested values, below
    return called(signature, name, arguments, slots)


def called(signature: AggregateSignature, name: str, arguments: tuple[str, ...], slots: list[str]) -> list[Aggregate]:
    """Returns the calls of a function with what goes into its slots."""
    sums = "can-fail" in signature.words or ("computed" in signature.words and signature.result in UNSORTED)
    if name in TEMPLATES:
        close = signature.result in UNSORTED
        return [Aggregate(text, arguments, signature.result, sums, close) for text in TEMPLATES[name]]
    distinct = ("", "distinct ") if sums and len(arguments) == 1 else ("",)
    types = [(kind, kind) for kind in COLUMN_KINDS] if "any" in arguments else [(arguments[0], signature.result)]
    return [
        Aggregate(f"{name}({word}{', '.join(slots)})", (kind, *arguments[1:]), result, sums, result in UNSORTED)
        for word in distinct
        for kind, result in types
    ]


def aggregates(signatures: Iterable[AggregateSignature]) -> dict[str, list[Aggregate]]:
    """Returns all calls by their functions, so that those of many types are no more frequent than others."""
    found: dict[str, list[Aggregate]] = defaultdict(list)
    listed = (form for signature in signatures for form in forms_of(signature))
    for form in (*listed, *replaced(), *lists(), *ordered()):
        found[form.template.partition("(")[0]].append(form)
    return {**found, "extremes of nested values": list(nested_extremes())}
