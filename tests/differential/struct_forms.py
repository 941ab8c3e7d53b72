"""Forms that make structs."""

from collections.abc import Iterator

import kinds
from forms import Form


def struct_forms(kind: str) -> Iterator[Form]:
    """Yields ways to make a struct of a kind."""
    members = kinds.members_of(kind)
    named = ", ".join(f"'{name}', {{}}" for name in members)
    aliased = ", ".join(f"{{}} as {name}" for name in members)
    arguments = tuple(members.values())
    yield Form(kind, f"named_struct({named})", arguments)
    yield Form(kind, f"struct({aliased})", arguments)
