"""Forms that read nested values: elements, members, values of maps, and what is computed of all elements."""

from collections.abc import Iterator

import kinds
from choices import Choices
from forms import Body, Form
from literals import null

# Merges the value so far, an element's value and a condition: none grows by more than a value.
MERGES = {
    "string": "concat({0}, coalesce({1}, '-'))",
    "bigint": "coalesce(try_add({0}, {1}), 1L)",
    "int": "coalesce(try_subtract({0}, {1}), 1)",
    "double": "({0} + coalesce({1}, 0.5D))",
}
COMPARISONS = ["=", "=", "<=>", "<>", "<", ">="]
# How often comparisons of whole values are among the conditions about nested ones.
COMPARED_SHARE = 0.3


def element_forms(kind: str, choices: Choices) -> Iterator[Form]:
    """Yields ways to get a value of a kind out of nested ones that there are columns of."""
    for source in choices.nested:
        if kinds.is_array(source):
            yield from elements(kind, source)
        elif kinds.is_map(source):
            yield from values(kind, source)
        else:
            yield from members(kind, source, "{}", (source,))
    if is_exact(kind):
        yield from folded(kind, choices)
    of_any = {"int": counts, "bigint": places, "boolean": conditions, "string": texts}
    if kind in of_any:
        yield from of_any[kind](choices)


def is_exact(kind: str) -> bool:
    """Says whether the kind is one type, which a fold must keep."""
    return not kinds.has(kind, lambda part: part == "decimal")


def elements(kind: str, source: str) -> Iterator[Form]:
    """Yields elements of an array, and members of its structs."""
    element = kinds.element_of(source)
    if kinds.is_struct(element):
        yield from members(kind, element, "get({}, 0)", (source,))
    if not kinds.fits(element, kind):
        return
    yield Form(kind, "get({}, {})", (source, "int"))
    for index in (0, 1):
        yield Form(kind, f"get({{}}, {index})", (source,))
        yield Form(kind, f"{{}}[{index}]", (source,), risky=True)
    for index in (1, 2, -1):
        yield Form(kind, f"try_element_at({{}}, {index})", (source,))
    yield Form(kind, "element_at({}, 1)", (source,), risky=True)
    yield Form(kind, "element_at({}, {})", (source, "int"), risky=True)
    yield Form(kind, "if(size({0}) > 1, {0}[1], {1})", (source, kind))
    if kinds.is_orderable(element):
        yield Form(kind, "array_max({})", (source,))
        yield Form(kind, "array_min({})", (source,))


def values(kind: str, source: str) -> Iterator[Form]:
    """Yields values of a map."""
    key, value = kinds.entry_of(source)
    if kinds.is_struct(value):
        yield from members(kind, value, "{}[{}]", (source, key))
    if kinds.fits(value, kind):
        for template in ("{}[{}]", "element_at({}, {})", "try_element_at({}, {})"):
            yield Form(kind, template, (source, key))


def members(kind: str, struct: str, of: str, arguments: tuple[str, ...]) -> Iterator[Form]:
    """Yields members of a struct that a template gives."""
    for name, member in kinds.members_of(struct).items():
        if kinds.fits(member, kind):
            yield Form(kind, f"{of}.{name}", arguments)


def folded(kind: str, choices: Choices) -> Iterator[Form]:
    """Yields values that an array's elements are taken into one after the other.

    Of nested kinds the first value is one of all that may be null, as Spark holds the others for no more.
    """
    source = choices.array()
    so_far, element = choices.variable(), choices.variable()
    variables = ((element, kinds.element_of(source)),)
    head = f"({so_far}, {element}) ->"
    chosen = f"{head} if({{}}, {so_far}, {{}})"
    bodies = (Body("boolean", variables), Body(kind, variables))
    if kinds.is_array(kind):
        appended = f"{head} concat({so_far}, array({{}}))"
        one = Body(kinds.element_of(kind), variables)
        yield Form(kind, f"aggregate({{}}, cast(array() as {kind}), {appended})", (source, one))
    elif kind in MERGES:
        merged = MERGES[kind].format(so_far, "{}")
        yield Form(kind, f"aggregate({{}}, {{}}, {head} {merged})", (source, kind, bodies[1]))
    if kinds.is_nested(kind):
        yield Form(kind, f"aggregate({{}}, {null(kind)}, {chosen})", (source, *bodies))
    else:
        yield Form(kind, f"aggregate({{}}, {{}}, {chosen})", (source, kind, *bodies))
    if kind not in (*MERGES, "boolean"):
        return
    start = choices.r.choice(["int", "bigint", "string"])
    merged = MERGES[start].format(so_far, "{}")
    end_head, end = choices.body(kind, start)
    template = f"aggregate({{}}, {{}}, {head} {merged}, {end_head} {{}})"
    yield Form(kind, template, (source, start, Body(start, variables), end))


def counts(choices: Choices) -> Iterator[Form]:
    """Yields numbers of elements."""
    for source in choices.nested:
        if not kinds.is_struct(source):
            yield Form("int", "size({})", (source,))
            yield Form("int", "cardinality({})", (source,))
        if kinds.is_array(source):
            yield Form("int", "array_size({})", (source,))
    one, other = choices.array(), choices.array()
    yield Form("int", "size(arrays_zip({}, {}))", (one, other))


def places(choices: Choices) -> Iterator[Form]:
    """Yields places of elements."""
    for source in choices.nested:
        if kinds.is_array(source) and kinds.is_orderable(source):
            yield Form("bigint", "array_position({}, {})", (source, kinds.element_of(source)))


def conditions(choices: Choices) -> Iterator[Form]:
    """Yields conditions about nested values; whole ones are seldom compared."""
    for source in choices.nested:
        yield Form("boolean", f"({{}} is {choices.r.choice(['null', 'not null'])})", (source,))
        if kinds.is_map(source):
            yield Form("boolean", "map_contains_key({}, {})", (source, kinds.entry_of(source)[0]))
        if kinds.is_array(source):
            yield from array_conditions(source, choices)
    compared = [source for source in choices.nested if kinds.is_orderable(source)]
    if compared and choices.r.random() < COMPARED_SHARE:
        source = choices.r.choice(compared)
        yield Form("boolean", f"({{}} {choices.r.choice(COMPARISONS)} {{}})", (source, source))
        yield Form("boolean", "({} in ({}, {}))", (source, source, source))


def array_conditions(source: str, choices: Choices) -> Iterator[Form]:
    """Yields conditions about the elements of an array."""
    element = kinds.element_of(source)
    for name in ("exists", "forall"):
        head, body = choices.body("boolean", element)
        yield Form("boolean", f"{name}({{}}, {head} {{}})", (source, body))
    if kinds.is_orderable(element):
        yield Form("boolean", "array_contains({}, {})", (source, element))
        yield Form("boolean", "arrays_overlap({}, {})", (source, source))


def texts(choices: Choices) -> Iterator[Form]:
    """Yields texts of nested values."""
    for source in choices.nested:
        yield Form("string", "cast({} as string)", (source,))
    if "array<string>" in choices.nested:
        yield Form("string", "array_join({}, ', ')", ("array<string>",))
        yield Form("string", "array_join({}, '', 'none')", ("array<string>",))
        yield Form("string", "array_join({}, {})", ("array<string>", "string"))
