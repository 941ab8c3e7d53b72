"""Groups of queries that are kept as files, over tables that are generated: what a package of such files holds."""

from dataclasses import dataclass
from pathlib import Path

from accelerant.benchmark.task import Query
from accelerant.generated_data import completed, default_folder, make_with_duckdb


@dataclass(frozen=True)
class QueryGroup:
    """A folder with a file for each query (`w01.sql`) and for each table (`sales.sql`).

    Where DuckDB reads a query otherwise, its text stands beside (`w01.duckdb.sql`). Tables have `{rows}` for the rows
    that the scale stands for, `{folder}` for their place.
    """

    folder: Path
    tables: tuple[str, ...]
    rows_at_scale_1: int

    def text(self, name: str) -> str:
        """Returns a file of SQL; empty when there is none."""
        path = self.folder / f"{name}.sql"
        return path.read_text().strip() if path.is_file() else ""

    def queries(self) -> dict[str, Query]:
        """Returns all queries by name."""
        names = (path.stem for path in sorted(self.folder.glob("[a-z][0-9][0-9].sql")))
        return {name: Query(self.text(name), duckdb=self.text(f"{name}.duckdb")) for name in names}

    def rows(self, scale: float) -> int:
        """Returns how many rows the largest table has."""
        return round(scale * self.rows_at_scale_1)

    def generate(self, scale: float, folder: Path | None = None) -> dict[str, Path]:
        """Returns the Parquet files of the tables, made when they are missing."""
        home = (folder or default_folder()) / f"{self.folder.name}{scale:g}"
        statements = {table: self.text(table).replace("{rows}", str(self.rows(scale))) for table in self.tables}
        return completed({table: home / f"{table}.parquet" for table in self.tables}, make_with_duckdb("", statements))
