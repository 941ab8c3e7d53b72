"""Questions as a web analyst asks them, over one wide, generated table of hits: the shape of ClickBench."""

from pathlib import Path

from accelerant.generated_data import completed, default_folder, make_with_duckdb

ROWS_AT_SCALE_1 = 1_000_000
PACKAGE = Path(__file__).resolve().parent


def queries() -> dict[str, str]:
    """Returns the SQL of all queries by name: `c01`, `c02`, ..."""
    return {path.stem: path.read_text().strip() for path in sorted(PACKAGE.glob("c[0-9][0-9].sql"))}


def generate(scale: float, folder: Path | None = None) -> dict[str, Path]:
    """Returns the Parquet file of the table `hits`, made when it is missing; a million rows at scale 1."""
    rows = round(scale * ROWS_AT_SCALE_1)
    setup, table = ((PACKAGE / name).read_text() for name in ("setup.sql", "table.sql"))
    path = (folder or default_folder()) / f"clicks{scale:g}" / "hits.parquet"
    return completed({"hits": path}, make_with_duckdb(setup, {"hits": table.replace("{rows}", str(rows))}))
