"""Random typed expressions: Spark's conditional forms by hand, and every function that the engine says it has.

A kind is a SQL type without its parameters: decimals of every precision are of one kind.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from accelerant.functions import Signature

NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")
DECIMAL_TYPES = ["decimal(9,2)", "decimal(18,4)", "decimal(38,10)", "decimal(10,0)", "decimal(38,0)", "decimal(20,18)"]

LITERALS = {
    "boolean": ["true", "false"],
    "tinyint": ["0Y", "1Y", "-3Y", "127Y"],
    "smallint": ["0S", "12S", "-300S"],
    "int": ["0", "1", "-1", "3", "100", "2147483647"],
    "bigint": ["0L", "7L", "-1000L", "9223372036854775807L"],
    "float": ["cast(0.5 as float)", "cast('-0.0' as float)", "cast('NaN' as float)", "1.5f"],
    "double": ["0.25D", "-1e10D", "double('NaN')", "double('-0.0')", "double('Infinity')"],
    "decimal": ["0.00", "1.5", "-99.99", "1234567890.123456789", "10BD"],
    "string": ["''", "'a'", "'%a%'", "'re%'", "'_'", "' '", "'year'", "'MM'", "'12'", "'-7.25'", "'2024-02-29'", "'é'"],
    "binary": ["X''", "X'61'", "X'FF00'"],
    "date": ["date'1970-01-01'", "date'1582-10-04'", "date'2024-02-29'", "date'1900-01-01'", "date'1998-12-01'"],
    "timestamp": ["timestamp'2024-03-10 02:30:00'", "timestamp'1899-12-31 23:59:59.999999'", "timestamp'1500-01-01'"],
    "interval day to second": [
        "interval '1 02:03:04.5' day to second",
        "interval '-400 00:00:00.000001' day to second",
    ],
    "interval year to month": ["interval '1-1' year to month", "interval '-1-11' year to month"],
    "timestamp_ntz": ["timestamp_ntz'2024-03-10 02:30:00'", "timestamp_ntz'1582-10-10 00:00:00'"],
}

# Intervals are arguments of functions, no columns.
KINDS = tuple(LITERALS)

# What goes into a slot of this name: a word, or a value that nearly any other would make fail, or make huge.
HINTS = {
    "timezone": ["'UTC'", "'America/Los_Angeles'", "'Asia/Kolkata'", "'+05:30'", "'Europe/Amsterdam'"],
    "format": ["'year'", "'MM'", "'quarter'", "'week'", "'day'", "'hour'", "'second'", "'x'"],
    "fmt": ["'yyyy-MM-dd HH:mm:ss.SSSSSS'", "'yyyy-MM-dd'", "'d MMM yy G'", "'[yyyyMM]'", "'h a X'"],
    "unit": ["YEAR", "MONTH", "DAY", "HOUR", "SECOND"],
    "day_of_week": ["'MO'", "'sunday'", "'Fri'"],
    "pattern": ["'%a%'", "'re%'", "'_b_'", "'%'", "''", "'%!%%'", "'%é'"],
    "escape": ["'!'"],
    "month": ["2", "12", "1"],
    "day": ["1", "28", "29"],
    "len": ["0", "1", "5", "-1"],
    "n": ["0", "2", "-1", "97"],
    "scale": ["0", "2", "-1", "5"],
}

PLACEHOLDER = re.compile(r"(?<![\w'])[a-z_]\w*(?![\w'(])")
WORDS = {"div", "type"}


@dataclass(frozen=True)
class Expression:
    """SQL with a slot `{}` for each child; without children the template is the SQL."""

    kind: str
    template: str
    children: tuple["Expression", ...] = ()

    @property
    def sql(self) -> str:
        """Returns the whole text."""
        return self.template.format(*(child.sql for child in self.children)) if self.children else self.template

    def mentions(self, columns: list["Expression"]) -> bool:
        """Says whether one of some columns is part of it."""
        return self in columns or any(child.mentions(columns) for child in self.children)

    def smaller(self) -> Iterator["Expression"]:
        """Yields expressions of the same kind that are a step simpler."""
        yield from (child for child in self.children if child.kind == self.kind)
        if self.children:
            yield Expression(self.kind, f"cast(null as {type_name(self.kind)})")
            yield from (Expression(self.kind, text) for text in LITERALS.get(self.kind, [])[:2])
        for i, child in enumerate(self.children):
            for less in child.smaller():
                yield replace(self, children=(*self.children[:i], less, *self.children[i + 1 :]))


@dataclass(frozen=True)
class Form:
    """A way to make an expression: a template, and the kinds of what goes into its slots (`any` for any)."""

    kind: str
    template: str
    arguments: tuple[str, ...]


def type_name(kind: str) -> str:
    """Returns a type of a kind."""
    return "decimal(38,10)" if kind == "decimal" else kind


def conditional_forms(kind: str) -> Iterator[Form]:
    """Yields forms that any kind has."""
    yield Form(kind, "case when {} then {} else {} end", ("boolean", kind, kind))
    yield Form(kind, "case when {} then {} when {} then {} end", ("boolean", kind, "boolean", kind))
    yield Form(kind, "if({}, {}, {})", ("boolean", kind, kind))
    yield Form(kind, "coalesce({}, {})", (kind, kind))
    yield Form(kind, "coalesce({}, {}, {})", (kind, kind, kind))
    yield Form(kind, "nullif({}, {})", (kind, kind))
    yield Form(kind, "nvl2({}, {}, {})", ("any", kind, kind))
    if kind not in ("binary", "boolean"):
        yield Form(kind, "greatest({}, {})", (kind, kind))
        yield Form(kind, "least({}, {}, {})", (kind, kind, kind))


def boolean_forms() -> Iterator[Form]:
    """Yields what filters are made of."""
    yield Form("boolean", "({} and {})", ("boolean", "boolean"))
    yield Form("boolean", "({} or {})", ("boolean", "boolean"))
    for kind in KINDS:
        yield Form("boolean", "({} between {} and {})", (kind, kind, kind))
        yield Form("boolean", "({} in ({}, {}))", (kind, kind, kind))
        if kind in LITERALS:
            listed = ", ".join(LITERALS[kind])
            yield Form("boolean", f"({{}} in ({listed}, null))", (kind,))
            yield Form("boolean", f"({{}} not in ({listed}))", (kind,))


def try_forms() -> Iterator[Form]:
    """Yields arithmetic that gives null instead of an error."""
    for kind in NUMBERS:
        for name in ("try_add", "try_subtract", "try_multiply"):
            yield Form(kind, f"{name}({{}}, {{}})", (kind, kind))
    yield Form("double", "try_divide({}, {})", ("double", "double"))
    yield Form("decimal", "try_divide({}, {})", ("decimal", "decimal"))


def pattern_forms() -> Iterator[Form]:
    """Yields readings of texts that fit a pattern, as others fail in ANSI mode, or that may be null instead."""
    yield Form("timestamp_ntz", "to_timestamp_ntz(date_format({}, 'y/M/d H:m'), 'y/M/d H:m')", ("timestamp",))
    yield Form("bigint", "unix_timestamp(date_format({}, 'yyyy-MM-dd HH:mm:ss'))", ("timestamp",))
    yield Form("date", "try_to_date({}, 'yyyy-MM-dd')", ("string",))


def spelling(sql: str, arity: int) -> tuple[str, list[str]] | None:
    """Turns how the reference spells a call, `f(a, b[, c])`, into a template and its slots' names; None if it can't."""
    if sql.startswith("("):
        return None
    if ", ..." in sql:
        more = arity - len(PLACEHOLDER.findall(sql))
        sql = sql.replace(", ...", "".join(f", more{i}" for i in range(more)))
    for text in (re.sub(r"[\[\]]", "", sql), re.sub(r"\[.*?\]", "", sql)):
        names = [name for name in PLACEHOLDER.findall(text) if name not in WORDS]
        if len(names) == arity:
            template = PLACEHOLDER.sub(lambda match: match.group() if match.group() in WORDS else "{}", text)
            return template if re.fullmatch(r"\w+\(.*\)", template) else f"({template})", names
    return None


def with_hints(form: Form, names: list[str]) -> Iterator[Form]:
    """Yields a form with what `HINTS` has for its slots' names instead of any expression."""
    hinted = [HINTS.get(name) for name in names]
    for i in range(max([len(values) for values in hinted if values], default=1)):
        slots = [values[i % len(values)] if values else "{}" for values in hinted]
        arguments = tuple(kind for kind, values in zip(form.arguments, hinted, strict=True) if not values)
        yield Form(form.kind, form.template.format(*slots), arguments)


def registered_forms(signatures: Iterable[Signature]) -> tuple[list[Form], list[str]]:
    """Returns the forms of the engine's functions, and the spellings that make none."""
    forms, unknown = [], []
    for signature in signatures:
        if not {signature.result, *signature.arguments} <= {*KINDS, "any"}:
            continue
        spelled = spelling(signature.sql, len(signature.arguments))
        if spelled is None:
            unknown.append(signature.sql)
        else:
            template = re.sub(r"\btype\b", f"<{signature.result}>", spelled[0])
            forms += with_hints(Form(signature.result, template, signature.arguments), spelled[1])
    return forms, list(dict.fromkeys(unknown))


class Expressions:
    """Makes expressions from a seed; `cautious` ones seldom fail in ANSI mode."""

    def __init__(self, r: random.Random, forms: Iterable[Form], cautious: bool) -> None:
        self.r = r
        self.cautious = cautious
        self.forms: dict[str, dict[str, list[Form]]] = defaultdict(lambda: defaultdict(list))
        for form in forms:
            self.forms[form.kind][form.template].append(form)

    def make(self, kind: str, columns: list[Expression], depth: int) -> Expression:
        """Makes an expression of a kind over columns, at most so many calls deep."""
        forms = self.forms.get(kind)
        if depth <= 0 or not forms or self.r.random() < 0.15:
            return self.leaf(kind, columns)
        # First the function, then its signature: functions of many types are no more frequent than others.
        form = self.r.choice(forms[self.r.choice(list(forms))])
        kinds = [self.any_kind(columns) if argument == "any" else argument for argument in form.arguments]
        return self.guarded(form, tuple(self.make(argument, columns, depth - 1) for argument in kinds))

    def any_kind(self, columns: list[Expression]) -> str:
        """Chooses a kind that there is a column of."""
        return self.r.choice(columns).kind if columns else self.r.choice(KINDS)

    def leaf(self, kind: str, columns: list[Expression]) -> Expression:
        """Chooses a column, seldom a literal."""
        fitting = [column for column in columns if column.kind == kind]
        if fitting and self.r.random() < 0.8:
            return self.r.choice(fitting)
        if self.r.random() < 0.1:
            return Expression(kind, f"cast(null as {type_name(kind)})")
        return Expression(kind, self.r.choice(LITERALS[kind]))

    def guarded(self, form: Form, children: tuple[Expression, ...]) -> Expression:
        """Fills a form; a cautious one gives null where it would fail for want of a type or of a divisor."""
        template = form.template
        careful = self.cautious and self.r.random() < 0.9
        if careful and template.startswith("CAST("):
            template = "try_" + template.lower()
        if careful and any(operator in template for operator in (" / ", " % ", " div ")):
            template = f"({{}}{template[3:-3]}nullif({{}}, 0))"
        for kind in KINDS:
            chosen = self.r.choice(DECIMAL_TYPES) if kind == "decimal" else kind
            template = template.replace(f"<{kind}>", chosen).replace(f"as {kind})", f"as {chosen})")
        return Expression(form.kind, template, children)


def native_forms(signatures: Iterable[Signature]) -> list[Form]:
    """Returns every form that the engine computes."""
    forms = [form for kind in KINDS for form in conditional_forms(kind)]
    return [*forms, *boolean_forms(), *try_forms(), *pattern_forms(), *registered_forms(signatures)[0]]
