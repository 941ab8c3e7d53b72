"""TPC-H: its tables as Parquet files, and its 22 queries with the validation parameters of the specification."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from accelerant.errors import UserError

TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
NAMES = tuple(f"q{number}" for number in range(1, 23))

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parents[2]


def query(name: str, scale: float = 1) -> str:
    """Returns the SQL of a query, e.g. `q6`; only the text of q11 depends on the scale."""
    text = (PACKAGE / f"q{int(name[1:]):02}.sql").read_text().strip()
    return text.replace("{q11_fraction}", f"{0.0001 / scale:.10f}".rstrip("0"))


def queries(scale: float = 1) -> dict[str, str]:
    """Returns the SQL of all queries by name."""
    return {name: query(name, scale) for name in NAMES}


def default_folder() -> Path:
    """Returns where data is kept: build/data of a checkout, else `tpch-data` in the current folder."""
    return CHECKOUT / "build" / "data" if (CHECKOUT / "CMakePresets.json").is_file() else Path("tpch-data").absolute()


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
    files = {table: home / f"{table}.parquet" for table in TABLES}
    missing = [table for table, path in files.items() if not path.is_file()]
    if missing:
        print(f"generating {len(missing)} TPC-H tables at scale {scale:g} into {home}", flush=True)
        # Two programs may do this at once: each makes files of its own and renames them when they are complete.
        partial = home / f"partial-{os.getpid()}"
        command = data_command(scale, "--tables", ",".join(missing), "--output-dir", partial)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for table in missing:
            (partial / files[table].name).rename(files[table])
        partial.rmdir()
    return files
