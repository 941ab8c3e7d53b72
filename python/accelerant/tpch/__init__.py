"""TPC-H: its tables as Parquet files, and its 22 queries with the validation parameters of the specification."""

import shutil
import subprocess
import sys
from pathlib import Path

from accelerant.errors import UserError
from accelerant.generated_data import completed, default_folder

TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
NAMES = tuple(f"q{number}" for number in range(1, 23))

PACKAGE = Path(__file__).resolve().parent


def query(name: str, scale: float = 1) -> str:
    """Returns the SQL of a query, e.g. `q6`; only the text of q11 depends on the scale."""
    text = (PACKAGE / f"q{int(name[1:]):02}.sql").read_text().strip()
    return text.replace("{q11_fraction}", f"{0.0001 / scale:.10f}".rstrip("0"))


def queries(scale: float = 1) -> dict[str, str]:
    """Returns the SQL of all queries by name."""
    return {name: query(name, scale) for name in NAMES}


def data_command(scale: float, *options: object) -> list[str]:
    """Returns the call of tpchgen-cli that makes tables at a scale; raises UserError when it is not installed."""
    beside = Path(sys.executable).with_name("tpchgen-cli")
    program = str(beside) if beside.is_file() else shutil.which("tpchgen-cli")
    if not program:
        raise UserError("tpchgen-cli is not installed: pip install accelerant[bench]")
    return [program, "parquet", "-s", f"{scale:g}", *map(str, options)]


def generate(scale: float, folder: Path | None = None) -> dict[str, Path]:
    """Returns the Parquet files of the tables at a scale by table; those that are missing are made."""
    home = (folder or default_folder()) / f"sf{scale:g}"

    def make(partial: Path, tables: list[str]) -> None:
        command = data_command(scale, "--tables", ",".join(tables), "--output-dir", partial)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    return completed({table: home / f"{table}.parquet" for table in TABLES}, make)
