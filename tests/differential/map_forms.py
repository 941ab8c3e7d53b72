"""Forms that make maps. Their keys are different by construction: those that are not are an error in every mode."""

from collections.abc import Iterator

import kinds
from choices import Choices
from forms import Form
from literals import literals_of

# Keys that no column has.
FRESH_KEYS = {"string": "'a fresh key of more than twelve bytes'", "int": "977", "bigint": "977L"}


def map_forms(kind: str, choices: Choices) -> Iterator[Form]:
    """Yields ways to make a map of a kind."""
    key, value = kinds.entry_of(kind)
    one, other = literals_of(key)[:2]
    yield Form(kind, f"map({one}, {{}})", (value,))
    yield Form(kind, f"map({one}, {{}}, {other}, {{}})", (value, value))
    yield Form(kind, f"map_from_arrays(array({one}, {other}), array({{}}, {{}}))", (value, value))
    entries = f"array(struct({one}, {{}}), struct({other}, {{}}))"
    yield Form(kind, f"map_from_entries({entries})", (value, value))
    yield Form(kind, "map_from_entries(map_entries({}))", (kind,))
    yield Form(kind, "map_concat({}, {})", (kind, kind), risky=True)
    yield Form(kind, "map({}, {})", (key, value), risky=True)
    yield from by_lambdas(kind, key, value, choices)
    if key in FRESH_KEYS:
        yield Form(kind, f"map_concat({{}}, map({FRESH_KEYS[key]}, {{}}))", (kind, value))


def by_lambdas(kind: str, key: str, value: str, choices: Choices) -> Iterator[Form]:
    """Yields what lambda functions choose of a map, or compute of others."""
    head, body = choices.body("boolean", key, value)
    yield Form(kind, f"map_filter({{}}, {head} {{}})", (kind, body))
    source = choices.map_with(key=key)
    head, body = choices.body(value, key, kinds.entry_of(source)[1])
    yield Form(kind, f"transform_values({{}}, {head} {{}})", (source, body))
    other = choices.map_with(key=key)
    head, body = choices.body(value, key, kinds.entry_of(source)[1], kinds.entry_of(other)[1])
    yield Form(kind, f"map_zip_with({{}}, {{}}, {head} {{}})", (source, other, body))
    if key == "string":
        by_value = choices.map_with(key=key, value=value)
        names = choices.variable(), choices.variable()
        yield Form(kind, f"transform_keys({{}}, ({', '.join(names)}) -> concat({names[0]}, '+'))", (by_value,))
        head, body = choices.body(value, key, "string")
        yield Form(kind, f"transform_values(str_to_map({{}}, '~', ' '), {head} {{}})", ("string", body))
    head, body = choices.body(value, value)
    template = f"map_from_arrays(map_keys({{0}}), transform(map_values({{0}}), {head} {{1}}))"
    yield Form(kind, template, (kind, body))
