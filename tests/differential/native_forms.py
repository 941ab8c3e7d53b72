"""Forms of flat kinds that the engine computes: Spark's conditional ones by hand, and every function that it lists."""

import re
from collections.abc import Iterable, Iterator

from forms import Form, conditional_forms
from kinds import generic
from literals import KINDS, LITERALS
from pattern_forms import pattern_forms

from accelerant.functions import Signature

NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")

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


def boolean_forms() -> Iterator[Form]:
    """Yields what filters are made of."""
    yield Form("boolean", "({} and {})", ("boolean", "boolean"))
    yield Form("boolean", "({} or {})", ("boolean", "boolean"))
    for kind in KINDS:
        yield Form("boolean", "({} between {} and {})", (kind, kind, kind))
        yield Form("boolean", "({} in ({}, {}))", (kind, kind, kind))
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


def exact_forms(kind: str) -> list[Form]:
    """Returns the forms of a decimal of one precision, as nested kinds are made of."""
    return [Form(kind, f"try_cast({{}} as {kind})", (generic(kind),)), *conditional_forms(kind)]


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
            template = re.sub(r"\btype\b", "<type>", spelled[0])
            forms += with_hints(Form(signature.result, template, signature.arguments), spelled[1])
    return forms, list(dict.fromkeys(unknown))


def native_forms(signatures: Iterable[Signature]) -> list[Form]:
    """Returns every form of flat kinds that the engine computes."""
    forms = [form for kind in KINDS for form in conditional_forms(kind)]
    return [*forms, *boolean_forms(), *try_forms(), *pattern_forms(), *registered_forms(signatures)[0]]
