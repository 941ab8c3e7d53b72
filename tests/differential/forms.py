"""Expressions as trees of templates, and the forms that they are made by."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from literals import literals_of, null

# The kind of a generator's call, which is no value.
ROWS = "rows"


@dataclass(frozen=True)
class Expression:
    """SQL with a slot for each child, `{}` or by its number; without children the template is the SQL."""

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
        if self.children and self.kind != ROWS:
            yield Expression(self.kind, null(self.kind))
            yield from (Expression(self.kind, text) for text in literals_of(self.kind)[:2])
        for i, child in enumerate(self.children):
            for less in child.smaller():
                yield replace(self, children=(*self.children[:i], less, *self.children[i + 1 :]))


@dataclass(frozen=True)
class Body:
    """What stands behind the arrow of a lambda function: its kind, and the variables that it may name, with theirs."""

    kind: str
    variables: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Form:
    """A way to make an expression: a template, and the kinds of what goes into its slots (`any` for any).

    A `risky` one fails of so many rows, in ANSI mode at least, that it is seldom asked for.
    """

    kind: str
    template: str
    arguments: tuple[str | Body, ...]
    risky: bool = False


def conditional_forms(kind: str, is_compared: bool = True) -> Iterator[Form]:
    """Yields forms that any kind has; those that compare only where values of it are compared."""
    yield Form(kind, "case when {} then {} else {} end", ("boolean", kind, kind))
    yield Form(kind, "case when {} then {} when {} then {} end", ("boolean", kind, "boolean", kind))
    yield Form(kind, "if({}, {}, {})", ("boolean", kind, kind))
    yield Form(kind, "coalesce({}, {})", (kind, kind))
    yield Form(kind, "coalesce({}, {}, {})", (kind, kind, kind))
    yield Form(kind, "nvl2({}, {}, {})", ("any", kind, kind))
    if is_compared:
        yield Form(kind, "nullif({}, {})", (kind, kind))
    if is_compared and kind not in ("binary", "boolean"):
        yield Form(kind, "greatest({}, {})", (kind, kind))
        yield Form(kind, "least({}, {}, {})", (kind, kind, kind))
