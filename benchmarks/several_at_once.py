"""Asks eight queries at once in a process whose engine may hold far less than each of them takes.

Over TPC-H's tables at scale 1, from eight threads of one session on two cores: answers beside plain Spark's, which asks
them one after the other, who ran natively to the end, and seconds. Written as JSON where a file is named.
"""

import argparse
import json
import threading
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch
from accelerant.bench import machine
from one_session import engine, make_session

SCALE = 1
# Each of these rows is counted, and hashed into the answer.
QUERIES = {
    "groups": "select l_orderkey, l_partkey, sum(l_quantity) q, max(l_comment) c from lineitem group by all",
    "sort": "select * from lineitem order by l_comment, l_orderkey",
    "join": "select o_orderkey, o_comment, l_comment from orders join lineitem on o_orderkey = l_orderkey",
    "full join": "select o_comment, l_comment from orders full join lineitem on o_orderkey = l_partkey",
    "anti join": """select l_comment from lineitem a left anti join lineitem b on a.l_partkey = b.l_partkey
        and a.l_suppkey = b.l_suppkey and a.l_orderkey <> b.l_orderkey""",
    "distinct": "select count(distinct l_comment) c, count(distinct l_orderkey) o from lineitem",
    "window": """select l_orderkey, l_linenumber, l_comment, row_number() over (partition by l_suppkey
        order by l_comment, l_orderkey, l_linenumber) r from lineitem""",
    "lists": "select o_custkey, array_sort(collect_list(o_comment)) l from orders group by o_custkey",
}
# Only a query that hangs takes so long.
SECONDS = 900


def asked(spark: SparkSession, name: str) -> DataFrame:
    """Returns a query whose one row stands for all of another's."""
    return spark.sql(f"select count(*), sum(cast(xxhash64(*) as decimal(20, 0))) from ({QUERIES[name]})")


def at_once(spark: SparkSession) -> dict[str, dict]:
    """Asks all queries at the same time; one that hangs has no outcome."""
    found: dict[str, dict] = {}
    start = threading.Barrier(len(QUERIES))

    def ask(name: str) -> None:
        df = asked(spark, name)
        start.wait()
        began = time.monotonic()
        try:
            answer = str(df.collect())
        except Exception as error:
            answer = f"failed: {error}"[:300]
        plan = df._jdf.queryExecution().executedPlan().treeString()
        found[name] = {"answer": answer, "native": "Native" in plan, "seconds": round(time.monotonic() - began, 1)}

    threads = [threading.Thread(target=ask, args=(name,), daemon=True) for name in QUERIES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    return dict(found)


def main() -> None:
    """Asks them, and says what became of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", default="256m", help="what the engine may hold in all")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    spark = make_session({"spark.accelerant.memory.limit": options.limit})
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)
    found = at_once(spark)
    with engine(spark, "plain"):
        for name, outcome in found.items():
            outcome["equal"] = outcome.pop("answer") == str(asked(spark, name).collect())
    for name in QUERIES:
        print(f"{name}: {found.get(name, 'hangs')}", flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        report = {"machine": machine(), "limit": options.limit, "asked": len(QUERIES), "queries": found}
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
