"""What forms of nested kinds are made with: the nested kinds that there are columns of, and fresh variables."""

import random
from dataclasses import dataclass

import kinds
from forms import Body

ELEMENTS = ["int", "bigint", "string", "string", "double", "date", "boolean"]


@dataclass
class Choices:
    """Chooses at random; `nested` are kinds of columns in reach."""

    r: random.Random
    nested: list[str]
    num_variables: int = 0

    def variable(self) -> str:
        """Returns a fresh name of a variable."""
        self.num_variables += 1
        return f"v{self.num_variables}"

    def body(self, kind: str, *arguments: str) -> tuple[str, Body]:
        """Returns a lambda's head over arguments of these kinds, `v1 ->` or `(v1, v2) ->`, and its body."""
        names = [self.variable() for _ in arguments]
        head = names[0] if len(names) == 1 else f"({', '.join(names)})"
        return f"{head} ->", Body(kind, tuple(zip(names, arguments, strict=True)))

    def array(self) -> str:
        """Returns the kind of an array, mostly one that there is."""
        there = [kind for kind in self.nested if kinds.is_array(kind)]
        if there and self.r.random() < 0.8:
            return self.r.choice(there)
        return f"array<{self.r.choice(ELEMENTS)}>"

    def map_with(self, key: str | None = None, value: str | None = None) -> str:
        """Returns the kind of a map, of a key or value if one is given, mostly one that there is."""
        there = [kind for kind in self.nested if kinds.is_map(kind)]
        fitting = [kind for kind in there if matches(kinds.entry_of(kind), key, value)]
        if fitting and self.r.random() < 0.8:
            return self.r.choice(fitting)
        chosen = key or self.r.choice(["string", "int", "bigint", "date"])
        return f"map<{chosen},{value or self.r.choice(ELEMENTS)}>"


def matches(entry: tuple[str, str], key: str | None, value: str | None) -> bool:
    """Says whether a map's key and value are those that are asked for."""
    return key in (None, entry[0]) and value in (None, entry[1])
