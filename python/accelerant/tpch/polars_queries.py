"""The 22 queries of TPC-H as lazy Polars programs, each with the answer of its SQL.

Polars pushes down filters and columns, and shares what a program uses twice; joins run in the order that they have
here, and subqueries are joins. Polars rounds a product of decimals to the scale of its factors, so sums of products are
taken over the integers that decimals are made of, exactly, and scaled when they are complete.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import reduce
from operator import or_

import polars as pl
from polars import col

from accelerant.tpch import TABLES

URGENT = ["1-URGENT", "2-HIGH"]
COUNTRY_CODES = ["13", "31", "23", "29", "30", "18", "17"]
# Q19's three kinds of part: brand, containers, least quantity, greatest size.
DISCOUNTED_PARTS = [
    ("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5),
    ("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10),
    ("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15),
]


@dataclass(frozen=True)
class Database:
    """The tables at a scale factor, not yet read."""

    scale: float
    customer: pl.LazyFrame
    lineitem: pl.LazyFrame
    nation: pl.LazyFrame
    orders: pl.LazyFrame
    part: pl.LazyFrame
    partsupp: pl.LazyFrame
    region: pl.LazyFrame
    supplier: pl.LazyFrame


def database(files: Mapping[str, str], scale: float) -> Database:
    """Returns the tables of Parquet files by table name."""
    return Database(scale, **{table: pl.scan_parquet(files[table]) for table in TABLES})


def hundredths(column: str) -> pl.Expr:
    """Returns a decimal(15, 2) as the whole number of its hundredths."""
    return col(column).to_physical()


# In units of 1/10,000.
REVENUE = hundredths("l_extendedprice") * (100 - hundredths("l_discount"))


def total(ten_thousandths: pl.Expr) -> pl.Expr:
    """Returns the sum of products of two decimals."""
    return ten_thousandths.sum() / 10_000


def unless_empty(aggregate: pl.Expr) -> pl.Expr:
    """Returns an aggregate over all rows, null where there are none, as in SQL."""
    return pl.when(pl.len() > 0).then(aggregate)


def nations_of(db: Database, region: str) -> pl.LazyFrame:
    """Returns the nations of a region."""
    regions = db.region.filter(col.r_name == region)
    return db.nation.join(regions, left_on="n_regionkey", right_on="r_regionkey", how="semi")


def suppliers_of(db: Database, nation: str) -> pl.LazyFrame:
    """Returns the suppliers of a nation."""
    nations = db.nation.filter(col.n_name == nation)
    return db.supplier.join(nations, left_on="s_nationkey", right_on="n_nationkey", how="semi")


def within(column: pl.Expr, first: date, end: date) -> pl.Expr:
    """Says whether a date lies at or after the first and before the end."""
    return column.is_between(first, end, closed="left")


def q1(db: Database) -> pl.LazyFrame:
    """Returns the pricing summary report."""
    return (
        db.lineitem.filter(col.l_shipdate <= date(1998, 9, 2))
        .group_by("l_returnflag", "l_linestatus")
        .agg(
            col.l_quantity.sum().alias("sum_qty"),
            col.l_extendedprice.sum().alias("sum_base_price"),
            total(REVENUE).alias("sum_disc_price"),
            ((REVENUE * (100 + hundredths("l_tax"))).sum() / 1_000_000).alias("sum_charge"),
            col.l_quantity.mean().alias("avg_qty"),
            col.l_extendedprice.mean().alias("avg_price"),
            col.l_discount.mean().alias("avg_disc"),
            pl.len().alias("count_order"),
        )
        .sort("l_returnflag", "l_linestatus")
    )


def q2(db: Database) -> pl.LazyFrame:
    """Returns the suppliers with the least cost."""
    parts = db.part.filter(col.p_size == 15, col.p_type.str.ends_with("BRASS")).select("p_partkey", "p_mfgr")
    suppliers = nations_of(db, "EUROPE").join(db.supplier, left_on="n_nationkey", right_on="s_nationkey")
    offers = parts.join(db.partsupp, left_on="p_partkey", right_on="ps_partkey").join(
        suppliers, left_on="ps_suppkey", right_on="s_suppkey"
    )
    least = offers.group_by("p_partkey").agg(col.ps_supplycost.min())
    return (
        offers.join(least, on=["p_partkey", "ps_supplycost"], how="semi")
        .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
        .sort("s_acctbal", "n_name", "s_name", "p_partkey", descending=[True, False, False, False])
        .head(100)
    )


def q3(db: Database) -> pl.LazyFrame:
    """Returns the unshipped orders of the greatest value."""
    customers = db.customer.filter(col.c_mktsegment == "BUILDING")
    orders = db.orders.filter(col.o_orderdate < date(1995, 3, 15)).join(
        customers, left_on="o_custkey", right_on="c_custkey", how="semi"
    )
    return (
        db.lineitem.filter(col.l_shipdate > date(1995, 3, 15))
        .join(orders, left_on="l_orderkey", right_on="o_orderkey")
        .group_by("l_orderkey", "o_orderdate", "o_shippriority")
        .agg(total(REVENUE).alias("revenue"))
        .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
        .sort("revenue", "o_orderdate", descending=[True, False])
        .head(10)
    )


def q4(db: Database) -> pl.LazyFrame:
    """Returns how many orders of each priority were late."""
    late = db.lineitem.filter(col.l_commitdate < col.l_receiptdate)
    return (
        db.orders.filter(within(col.o_orderdate, date(1993, 7, 1), date(1993, 10, 1)))
        .join(late, left_on="o_orderkey", right_on="l_orderkey", how="semi")
        .group_by("o_orderpriority")
        .agg(pl.len().alias("order_count"))
        .sort("o_orderpriority")
    )


def q5(db: Database) -> pl.LazyFrame:
    """Returns the revenue of Asia's nations through suppliers of the customer's own nation."""
    nations = nations_of(db, "ASIA").select("n_nationkey", "n_name")
    customers = nations.join(db.customer, left_on="n_nationkey", right_on="c_nationkey")
    orders = db.orders.filter(within(col.o_orderdate, date(1994, 1, 1), date(1995, 1, 1))).join(
        customers, left_on="o_custkey", right_on="c_custkey"
    )
    return (
        db.lineitem.join(orders, left_on="l_orderkey", right_on="o_orderkey")
        .join(db.supplier, left_on=["l_suppkey", "n_nationkey"], right_on=["s_suppkey", "s_nationkey"], how="semi")
        .group_by("n_name")
        .agg(total(REVENUE).alias("revenue"))
        .sort("revenue", descending=True)
    )


def q6(db: Database) -> pl.LazyFrame:
    """Returns what more revenue there would be without certain discounts."""
    return db.lineitem.filter(
        within(col.l_shipdate, date(1994, 1, 1), date(1995, 1, 1)),
        col.l_discount.is_between(Decimal("0.05"), Decimal("0.07")),
        col.l_quantity < 24,
    ).select(unless_empty(total(hundredths("l_extendedprice") * hundredths("l_discount"))).alias("revenue"))


def q7(db: Database) -> pl.LazyFrame:
    """Returns the volume shipped between France and Germany by year."""
    nations = db.nation.filter(col.n_name.is_in(["FRANCE", "GERMANY"])).select("n_nationkey", "n_name")
    suppliers = db.supplier.join(
        nations.rename({"n_name": "supp_nation"}), left_on="s_nationkey", right_on="n_nationkey"
    )
    customers = db.customer.join(
        nations.rename({"n_name": "cust_nation"}), left_on="c_nationkey", right_on="n_nationkey"
    )
    orders = db.orders.join(customers, left_on="o_custkey", right_on="c_custkey")
    return (
        db.lineitem.filter(col.l_shipdate.is_between(date(1995, 1, 1), date(1996, 12, 31)))
        .join(suppliers, left_on="l_suppkey", right_on="s_suppkey")
        .join(orders, left_on="l_orderkey", right_on="o_orderkey")
        .filter(col.supp_nation != col.cust_nation)
        .group_by("supp_nation", "cust_nation", col.l_shipdate.dt.year().alias("l_year"))
        .agg(total(REVENUE).alias("revenue"))
        .sort("supp_nation", "cust_nation", "l_year")
    )


def q8(db: Database) -> pl.LazyFrame:
    """Returns Brazil's share of America's market for a type of part by year."""
    parts = db.part.filter(col.p_type == "ECONOMY ANODIZED STEEL")
    customers = db.customer.join(nations_of(db, "AMERICA"), left_on="c_nationkey", right_on="n_nationkey", how="semi")
    brazilian = suppliers_of(db, "BRAZIL").select("s_suppkey", brazilian=True)
    volume = pl.when(col.brazilian).then(REVENUE).otherwise(0)
    return (
        db.lineitem.join(parts, left_on="l_partkey", right_on="p_partkey", how="semi")
        .join(
            db.orders.filter(col.o_orderdate.is_between(date(1995, 1, 1), date(1996, 12, 31))),
            left_on="l_orderkey",
            right_on="o_orderkey",
        )
        .join(customers, left_on="o_custkey", right_on="c_custkey", how="semi")
        .join(brazilian, left_on="l_suppkey", right_on="s_suppkey", how="left")
        .group_by(col.o_orderdate.dt.year().alias("o_year"))
        .agg((volume.sum() / REVENUE.sum()).alias("mkt_share"))
        .sort("o_year")
    )


def q9(db: Database) -> pl.LazyFrame:
    """Returns the profit on green parts by nation and year."""
    parts = db.part.filter(col.p_name.str.contains("green", literal=True))
    costs = db.partsupp.join(parts, left_on="ps_partkey", right_on="p_partkey", how="semi")
    suppliers = db.supplier.join(db.nation, left_on="s_nationkey", right_on="n_nationkey").select("s_suppkey", "n_name")
    amount = REVENUE - hundredths("ps_supplycost") * hundredths("l_quantity")
    return (
        # Only green parts have a cost here, so that this join also chooses the parts.
        db.lineitem.join(costs, left_on=["l_partkey", "l_suppkey"], right_on=["ps_partkey", "ps_suppkey"])
        .join(suppliers, left_on="l_suppkey", right_on="s_suppkey")
        .join(db.orders, left_on="l_orderkey", right_on="o_orderkey")
        .group_by(col.n_name.alias("nation"), col.o_orderdate.dt.year().alias("o_year"))
        .agg(total(amount).alias("sum_profit"))
        .sort("nation", "o_year", descending=[False, True])
    )


def q10(db: Database) -> pl.LazyFrame:
    """Returns the customers whose returned parts were worth most."""
    orders = db.orders.filter(within(col.o_orderdate, date(1993, 10, 1), date(1994, 1, 1)))
    return (
        db.lineitem.filter(col.l_returnflag == "R")
        .join(orders, left_on="l_orderkey", right_on="o_orderkey")
        .group_by("o_custkey")
        .agg(total(REVENUE).alias("revenue"))
        .top_k(20, by="revenue")
        .join(db.customer, left_on="o_custkey", right_on="c_custkey")
        .join(db.nation, left_on="c_nationkey", right_on="n_nationkey")
        .select(
            col.o_custkey.alias("c_custkey"),
            *("c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment"),
        )
        .sort("revenue", descending=True)
    )


def q11(db: Database) -> pl.LazyFrame:
    """Returns the parts that make up much of Germany's stock."""
    return (
        db.partsupp.join(suppliers_of(db, "GERMANY"), left_on="ps_suppkey", right_on="s_suppkey", how="semi")
        .group_by("ps_partkey")
        .agg((hundredths("ps_supplycost") * col.ps_availqty).sum().alias("hundredths"))
        .filter(col.hundredths > col.hundredths.sum() * (0.0001 / db.scale))
        .select("ps_partkey", (col.hundredths / 100).alias("value"))
        .sort("value", descending=True)
    )


def q12(db: Database) -> pl.LazyFrame:
    """Returns how many late lines of urgent and of other orders two ship modes had."""
    lines = db.lineitem.filter(
        col.l_shipmode.is_in(["MAIL", "SHIP"]),
        col.l_commitdate < col.l_receiptdate,
        col.l_shipdate < col.l_commitdate,
        within(col.l_receiptdate, date(1994, 1, 1), date(1995, 1, 1)),
    )
    urgent = col.o_orderpriority.is_in(URGENT)
    return (
        lines.join(db.orders, left_on="l_orderkey", right_on="o_orderkey")
        .group_by("l_shipmode")
        .agg(urgent.sum().alias("high_line_count"), urgent.not_().sum().alias("low_line_count"))
        .sort("l_shipmode")
    )


def q13(db: Database) -> pl.LazyFrame:
    """Returns how many customers have how many orders."""
    counts = (
        db.orders.filter(~col.o_comment.str.contains("special.*requests"))
        .group_by("o_custkey")
        .agg(pl.len().alias("c_count"))
    )
    return (
        db.customer.join(counts, left_on="c_custkey", right_on="o_custkey", how="left")
        .group_by(col.c_count.fill_null(0))
        .agg(pl.len().alias("custdist"))
        .sort("custdist", "c_count", descending=True)
    )


def q14(db: Database) -> pl.LazyFrame:
    """Returns the share of promoted parts in the revenue."""
    promoted = pl.when(col.p_type.str.starts_with("PROMO")).then(REVENUE).otherwise(0)
    return (
        db.lineitem.filter(within(col.l_shipdate, date(1995, 9, 1), date(1995, 10, 1)))
        .join(db.part, left_on="l_partkey", right_on="p_partkey")
        .select(unless_empty(100.0 * promoted.sum() / REVENUE.sum()).alias("promo_revenue"))
    )


def q15(db: Database) -> pl.LazyFrame:
    """Returns the supplier with the most revenue."""
    return (
        db.lineitem.filter(within(col.l_shipdate, date(1996, 1, 1), date(1996, 4, 1)))
        .group_by("l_suppkey")
        .agg(total(REVENUE).alias("total_revenue"))
        .filter(col.total_revenue == col.total_revenue.max())
        .join(db.supplier, left_on="l_suppkey", right_on="s_suppkey")
        .select(col.l_suppkey.alias("s_suppkey"), "s_name", "s_address", "s_phone", "total_revenue")
        .sort("s_suppkey")
    )


def q16(db: Database) -> pl.LazyFrame:
    """Returns how many suppliers without complaints offer parts of each kind."""
    parts = db.part.filter(
        col.p_brand != "Brand#45",
        ~col.p_type.str.starts_with("MEDIUM POLISHED"),
        col.p_size.is_in([49, 14, 23, 45, 19, 3, 36, 9]),
    )
    complained = db.supplier.filter(col.s_comment.str.contains("Customer.*Complaints"))
    return (
        db.partsupp.join(complained, left_on="ps_suppkey", right_on="s_suppkey", how="anti")
        .join(parts, left_on="ps_partkey", right_on="p_partkey")
        .group_by("p_brand", "p_type", "p_size")
        .agg(col.ps_suppkey.n_unique().alias("supplier_cnt"))
        .sort("supplier_cnt", "p_brand", "p_type", "p_size", descending=[True, False, False, False])
    )


def q17(db: Database) -> pl.LazyFrame:
    """Returns the yearly revenue of small orders of certain parts."""
    parts = db.part.filter(col.p_brand == "Brand#23", col.p_container == "MED BOX")
    lines = db.lineitem.join(parts, left_on="l_partkey", right_on="p_partkey", how="semi")
    averages = lines.group_by("l_partkey").agg(col.l_quantity.mean().alias("average"))
    return (
        lines.join(averages, on="l_partkey")
        .filter(col.l_quantity.cast(pl.Float64) < 0.2 * col.average)
        .select(unless_empty(col.l_extendedprice.sum().cast(pl.Float64) / 7.0).alias("avg_yearly"))
    )


def q18(db: Database) -> pl.LazyFrame:
    """Returns the largest orders; an order's quantity is the one that chose it."""
    large = db.lineitem.group_by("l_orderkey").agg(col.l_quantity.sum().alias("quantity")).filter(col.quantity > 300)
    return (
        db.orders.join(large, left_on="o_orderkey", right_on="l_orderkey")
        .join(db.customer, left_on="o_custkey", right_on="c_custkey")
        .select("c_name", col.o_custkey.alias("c_custkey"), "o_orderkey", "o_orderdate", "o_totalprice", "quantity")
        .sort("o_totalprice", "o_orderdate", descending=[True, False])
        .head(100)
    )


def q19(db: Database) -> pl.LazyFrame:
    """Returns the discounted revenue of three kinds of part."""
    of_part = [
        (col.p_brand == brand) & col.p_container.is_in(containers) & col.p_size.is_between(1, size)
        for brand, containers, _, size in DISCOUNTED_PARTS
    ]
    of_pair = [
        (col.p_brand == brand) & col.l_quantity.is_between(least, least + 10) for brand, _, least, _ in DISCOUNTED_PARTS
    ]
    return (
        db.lineitem.filter(col.l_shipmode.is_in(["AIR", "AIR REG"]), col.l_shipinstruct == "DELIVER IN PERSON")
        .join(db.part.filter(reduce(or_, of_part)), left_on="l_partkey", right_on="p_partkey")
        .filter(reduce(or_, of_pair))
        .select(unless_empty(total(REVENUE)).alias("revenue"))
    )


def q20(db: Database) -> pl.LazyFrame:
    """Returns Canada's suppliers with much of certain parts in stock."""
    parts = db.part.filter(col.p_name.str.starts_with("forest"))
    stocks = db.partsupp.join(parts, left_on="ps_partkey", right_on="p_partkey", how="semi")
    shipped = (
        db.lineitem.filter(within(col.l_shipdate, date(1994, 1, 1), date(1995, 1, 1)))
        .join(parts, left_on="l_partkey", right_on="p_partkey", how="semi")
        .group_by("l_partkey", "l_suppkey")
        .agg(hundredths("l_quantity").sum())
    )
    much = stocks.join(shipped, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"]).filter(
        col.ps_availqty * 200 > col.l_quantity
    )
    return (
        suppliers_of(db, "CANADA")
        .join(much, left_on="s_suppkey", right_on="ps_suppkey", how="semi")
        .select("s_name", "s_address")
        .sort("s_name")
    )


def q21(db: Database) -> pl.LazyFrame:
    """Returns the suppliers that alone kept most orders waiting.

    Another supplier has a line in an order where the least and the greatest supplier of its lines differ.
    """
    late = col.l_receiptdate > col.l_commitdate
    waiting = (
        db.lineitem.filter(late)
        .join(suppliers_of(db, "SAUDI ARABIA"), left_on="l_suppkey", right_on="s_suppkey")
        .join(db.orders.filter(col.o_orderstatus == "F"), left_on="l_orderkey", right_on="o_orderkey", how="semi")
        .select("l_orderkey", "s_name")
    )
    late_supplier = pl.when(late).then(col.l_suppkey)
    alone = (
        db.lineitem.join(waiting, on="l_orderkey", how="semi")
        .group_by("l_orderkey")
        .agg(
            col.l_suppkey.min().alias("least"),
            col.l_suppkey.max().alias("greatest"),
            late_supplier.min().alias("least_late"),
            late_supplier.max().alias("greatest_late"),
        )
        .filter(col.least != col.greatest, col.least_late == col.greatest_late)
    )
    return (
        waiting.join(alone, on="l_orderkey", how="semi")
        .group_by("s_name")
        .agg(pl.len().alias("numwait"))
        .sort("numwait", "s_name", descending=[True, False])
        .head(100)
    )


def q22(db: Database) -> pl.LazyFrame:
    """Returns the customers with much money and no orders by country."""
    rich = (
        db.customer.select("c_custkey", "c_acctbal", col.c_phone.str.head(2).alias("cntrycode"))
        .filter(col.cntrycode.is_in(COUNTRY_CODES))
        .filter(col.c_acctbal.cast(pl.Float64) > col.c_acctbal.filter(col.c_acctbal > 0).mean())
    )
    return (
        rich.join(db.orders, left_on="c_custkey", right_on="o_custkey", how="anti")
        .group_by("cntrycode")
        .agg(pl.len().alias("numcust"), col.c_acctbal.sum().alias("totacctbal"))
        .sort("cntrycode")
    )


_ALL = (q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22)
PROGRAMS: dict[str, Callable[[Database], pl.LazyFrame]] = {program.__name__: program for program in _ALL}
