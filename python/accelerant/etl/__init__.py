"""An ETL job as banks run it: loans and their monthly records as CSV, cleaned, kept as Parquet, made into features."""

from pathlib import Path

from accelerant.generated_data import completed, default_folder, make_with_duckdb

LOANS_AT_SCALE_1 = 100_000
PACKAGE = Path(__file__).resolve().parent
STEPS = ("s1_acquisitions", "s2_performance", "s3_delinquency", "s4_lookahead", "s5_features")


def text(name: str) -> str:
    """Returns a file of SQL of this package."""
    return (PACKAGE / f"{name}.sql").read_text().strip()


def steps() -> dict[str, str]:
    """Returns the SQL of the job's steps in their order. Each reads tables, among them what earlier ones gave."""
    return {name: text(name) for name in STEPS}


def generate(scale: float, folder: Path | None = None) -> dict[str, Path]:
    """Returns the CSV files of the tables, made when they are missing; a hundred thousand loans at scale 1."""
    home = (folder or default_folder()) / f"etl{scale:g}"
    loans = str(round(scale * LOANS_AT_SCALE_1))
    statements = {f"{name}_raw": text(name).replace("{loans}", loans) for name in ("acquisitions", "performance")}
    files = {table: home / f"{table}.csv" for table in statements}
    return completed(files, make_with_duckdb(text("setup"), statements))
