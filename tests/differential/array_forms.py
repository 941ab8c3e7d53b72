"""Forms that make arrays."""

from collections.abc import Iterator

import kinds
from choices import Choices
from forms import Form

SUFFIXES = {"tinyint": "Y", "smallint": "S", "int": "", "bigint": "L"}
SEQUENCES = {
    **{
        kind: (f"sequence(pmod({{}}, 4{of}), 5{of})", f"sequence(5{of}, pmod({{}}, 4{of}), -2{of})")
        for kind, of in SUFFIXES.items()
    },
    "date": (
        "sequence(date'2023-12-30', date_add(date'2024-01-01', pmod(dayofyear({}), 5)))",
        "sequence(date'2024-03-01', date_sub(date'2024-02-28', pmod(dayofyear({}), 5)), interval '-2' day)",
    ),
}
DELIMITERS = ["'a'", "' '", "'e'", "'-'", "'longer'"]


def array_forms(kind: str, choices: Choices) -> Iterator[Form]:
    """Yields ways to make an array of a kind."""
    element = kinds.element_of(kind)
    yield from made_of_elements(kind, element)
    yield from made_of_arrays(kind, element)
    yield from by_lambdas(kind, element, choices)
    yield from out_of_others(kind, element, choices)
    if kinds.is_orderable(element):
        yield from by_comparing(kind, element)
    for template in SEQUENCES.get(element, ()):
        yield Form(kind, template, (element,))
    if element == "string":
        yield Form(kind, f"split({{}}, {choices.r.choice(DELIMITERS)})", ("string",))
        yield Form(kind, f"split({{}}, {choices.r.choice(DELIMITERS)}, {choices.r.choice([-1, 1, 2])})", ("string",))
    if kinds.is_struct(element):
        yield from zipped(kind, element, choices)


def made_of_elements(kind: str, element: str) -> Iterator[Form]:
    """Yields arrays of given values."""
    yield Form(kind, "array({}, {})", (element, element))
    yield Form(kind, "array({}, null, {}, {})", (element, element, element))
    yield Form(kind, "array_repeat({}, 2)", (element,))
    yield Form(kind, "array_repeat({}, pmod({}, 4))", (element, "int"))


def made_of_arrays(kind: str, element: str) -> Iterator[Form]:
    """Yields other arrays, put together or taken apart."""
    for text in ("1, 2", "-2, 2", "2, 1", "1, 0"):
        yield Form(kind, f"slice({{}}, {text})", (kind,))
    yield Form(kind, "slice({}, 1, {})", (kind, "int"), risky=True)
    yield Form(kind, "reverse({})", (kind,))
    yield Form(kind, "concat({}, {})", (kind, kind))
    yield Form(kind, "array_append({}, {})", (kind, element))
    yield Form(kind, "array_prepend({}, {})", (kind, element))
    yield Form(kind, "array_compact({})", (kind,))
    for place in (1, 2, 5, -1, -4):
        yield Form(kind, f"array_insert({{}}, {place}, {{}})", (kind, element))
    if kinds.depth_of(kind) < 3:
        yield Form(kind, "flatten(array({}, {}))", (kind, kind))
        yield Form(kind, "flatten({})", (f"array<{kind}>",))


def by_comparing(kind: str, element: str) -> Iterator[Form]:
    """Yields what compares elements."""
    for name in ("array_union", "array_intersect", "array_except"):
        yield Form(kind, f"{name}({{}}, {{}})", (kind, kind))
    yield Form(kind, "array_distinct({})", (kind,))
    yield Form(kind, "array_remove({}, {})", (kind, element))
    yield Form(kind, "sort_array({})", (kind,))
    yield Form(kind, "sort_array({}, false)", (kind,))
    yield Form(kind, "array_sort({})", (kind,))


def by_lambdas(kind: str, element: str, choices: Choices) -> Iterator[Form]:
    """Yields what lambda functions choose, or compute of other arrays."""
    head, body = choices.body("boolean", element)
    yield Form(kind, f"filter({{}}, {head} {{}})", (kind, body))
    head, body = choices.body("boolean", element, "int")
    yield Form(kind, f"filter({{}}, {head} {{}})", (kind, body))
    source = choices.array()
    head, body = choices.body(element, kinds.element_of(source))
    yield Form(kind, f"transform({{}}, {head} {{}})", (source, body))
    head, body = choices.body(element, kinds.element_of(source), "int")
    yield Form(kind, f"transform({{}}, {head} {{}})", (source, body))
    other = choices.array()
    head, body = choices.body(element, kinds.element_of(source), kinds.element_of(other))
    yield Form(kind, f"zip_with({{}}, {{}}, {head} {{}})", (source, other, body))


def out_of_others(kind: str, element: str, choices: Choices) -> Iterator[Form]:
    """Yields keys, values and entries of maps, and members of the structs of arrays."""
    yield Form(kind, "map_values({})", (choices.map_with(value=element),))
    if kinds.is_orderable(element):
        yield Form(kind, "map_keys({})", (choices.map_with(key=element),))
    if kinds.is_struct(element) and list(kinds.members_of(element)) == ["key", "value"]:
        key, value = kinds.members_of(element).values()
        yield Form(kind, "map_entries({})", (f"map<{key},{value}>",))
    for source in filter(kinds.is_array, choices.nested):
        if kinds.is_struct(kinds.element_of(source)):
            for name, member in kinds.members_of(kinds.element_of(source)).items():
                if member == element:
                    yield Form(kind, f"{{}}.{name}", (source,))


def zipped(kind: str, element: str, choices: Choices) -> Iterator[Form]:
    """Yields structs of the elements of arrays side by side; slices have no names, so that numbers stand for them."""
    members = kinds.members_of(element)
    slices = ", ".join("slice({}, 1, 3)" for _ in members)
    name = choices.variable()
    made = ", ".join(f"'{member}', {name}.`{i}`" for i, member in enumerate(members))
    arrays = tuple(f"array<{member}>" for member in members.values())
    yield Form(kind, f"transform(arrays_zip({slices}), {name} -> named_struct({made}))", arrays)
