"""What expressions of a query may name."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import kinds
from forms import Expression


@dataclass(frozen=True)
class Scope:
    """The columns a query may name, whether all values are usual ones, and the column that no two rows share."""

    columns: list[Expression] = field(default_factory=list)
    usual: bool = True
    unique: Expression | None = None

    def of_kind(self, kind: str) -> list[Expression]:
        """Returns the columns of a kind."""
        return [column for column in self.columns if kinds.fits(column.kind, kind)]

    def flat(self) -> list[Expression]:
        """Returns the columns that are not nested."""
        return [column for column in self.columns if not kinds.is_nested(column.kind)]

    def key_columns(self) -> list[Expression]:
        """Returns the columns that may be keys."""
        return [column for column in self.columns if kinds.is_orderable(column.kind)]


def columns_of(alias: str, names: Iterable[tuple[str, str]]) -> list[Expression]:
    """Returns the columns of a table under an alias."""
    return [Expression(kind, f"{alias}.{name}") for name, kind in names]


def name_of(column: Expression) -> str:
    """Returns the name of a column behind its alias."""
    return column.template.rpartition(".")[2]
