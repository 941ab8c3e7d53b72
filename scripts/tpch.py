"""TPC-H questions that the engine runs whole, and their data."""

import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "build" / "data"

Q1 = """
    select l_returnflag, l_linestatus, sum(l_quantity) as sum_qty, sum(l_extendedprice) as sum_base_price,
      sum(l_extendedprice * (1 - l_discount)) as sum_disc_price,
      sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) as sum_charge,
      avg(l_quantity) as avg_qty, avg(l_extendedprice) as avg_price, avg(l_discount) as avg_disc,
      count(*) as count_order
    from lineitem
    where l_shipdate <= date '1998-12-01' - interval '90' day
    group by l_returnflag, l_linestatus
    order by l_returnflag, l_linestatus"""

Q6 = """
    select sum(l_extendedprice * l_discount) as revenue
    from lineitem
    where l_shipdate >= date '1994-01-01' and l_shipdate < date '1994-01-01' + interval '1' year
      and l_discount between 0.06 - 0.01 and 0.06 + 0.01 and l_quantity < 24"""

QUERIES = {"q1": Q1, "q6": Q6}

# Not of TPC-H: a filter and a projection whose rows all leave the engine.
FILTER_PROJECT = """
    select l_orderkey, l_shipdate, l_shipmode, l_extendedprice * (1 - l_discount) as price
    from lineitem
    where l_shipdate >= date '1998-09-01' and l_quantity >= 45"""


def generate(scale: float) -> Path:
    """Returns a Parquet file of lineitem at a scale, generated once."""
    folder = DATA / f"sf{scale:g}"
    table = folder / "lineitem.parquet"
    if not table.is_file():
        print(f"generating TPC-H lineitem at scale {scale:g} into build/data", flush=True)
        partial = folder / "partial"
        generator = Path(sys.executable).with_name("tpchgen-cli")
        command = [generator, "parquet", "-s", f"{scale:g}", "--tables", "lineitem", "--output-dir", partial]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        (partial / "lineitem.parquet").rename(table)
        partial.rmdir()
    return table
