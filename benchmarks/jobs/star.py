"""A star schema: sales as Parquet, customers as ORC, stores as CSV; SQL over views."""

from decimal import Decimal

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DecimalType


def make_views(spark: SparkSession, data: str) -> None:
    """Makes every table a view."""
    for name in ("sales", "items", "dates"):
        spark.read.parquet(f"{data}/{name}").createOrReplaceTempView(name)
    spark.read.orc(f"{data}/customers").createOrReplaceTempView("customers")
    stores = "store_key int, store string, region string, opened date"
    spark.read.csv(f"{data}/stores", header=True, schema=stores).createOrReplaceTempView("stores")


def revenue_by_year(spark: SparkSession, data: str, out: str) -> list[Row]:
    """SQL over five tables, with subtotals."""
    make_views(spark, data)
    spark.sql("""
        SELECT d.year, i.category, sum(s.quantity * s.price * (1 - s.discount)) AS revenue, count(*) AS sales
        FROM sales s JOIN dates d ON s.date_key = d.date_key JOIN items i ON s.item_key = i.item_key
        GROUP BY ROLLUP (d.year, i.category) ORDER BY d.year NULLS LAST, i.category NULLS LAST""").show(30)
    return spark.sql("""
        SELECT c.country, t.region, sum(s.quantity) AS pieces, avg(s.price) AS price,
               sum(CASE WHEN d.holiday THEN s.price ELSE 0 END) AS on_holidays
        FROM sales s JOIN customers c USING (customer_key) JOIN dates d USING (date_key)
             LEFT JOIN stores t USING (store_key)
        WHERE d.year >= 2023 GROUP BY c.country, t.region ORDER BY 1, 2""").collect()


def best_customers(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Customers above the mean of their country: a common table, a correlated subquery, a rank."""
    make_views(spark, data)
    spark.sql("""
        CREATE OR REPLACE TEMP VIEW totals AS
        SELECT c.customer_key, c.name, c.country, c.segment, sum(s.quantity * s.price) AS total, count(*) AS visits
        FROM sales s JOIN customers c ON s.customer_key = c.customer_key GROUP BY ALL""")
    spark.sql("CACHE TABLE totals")
    above = spark.sql("""
        SELECT country, count(*) AS customers, sum(total) AS total FROM totals t
        WHERE total > (SELECT 2 * avg(total) FROM totals o WHERE o.country = t.country)
        GROUP BY country ORDER BY country""")
    above.show()
    spark.sql("SELECT segment, count(*), max(total) FROM totals GROUP BY segment ORDER BY segment").show()
    ranked = spark.sql("""
        SELECT * FROM (
            SELECT country, name, total, dense_rank() OVER (PARTITION BY country ORDER BY total DESC, name) AS r
            FROM totals
        ) WHERE r <= 3 ORDER BY country, r""").collect()
    spark.catalog.uncacheTable("totals")
    return ranked


def never_sold(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Items and customers without sales, sets of them, and cubes of the rest."""
    make_views(spark, data)
    sales, items = spark.table("sales"), spark.table("items")
    print(items.join(sales, "item_key", "left_anti").count())
    print(
        spark.sql("SELECT count(*) FROM customers WHERE customer_key NOT IN (SELECT customer_key FROM sales)").first()
    )
    early = sales.filter("date_key < 300").select("customer_key")
    late = sales.filter("date_key > 800").select("customer_key")
    print(early.intersect(late).count(), early.subtract(late).count())
    cube = (
        sales.join(items, "item_key")
        .join(spark.table("dates"), "date_key")
        .cube("category", "weekday")
        .agg(F.sum("quantity").alias("pieces"), F.round(F.avg("cost"), 3).alias("cost"))
    )
    cube.orderBy(F.col("category").asc_nulls_first(), F.col("weekday").asc_nulls_first()).show(12)
    return cube.filter("weekday is null").collect()


def margins(spark: SparkSession, data: str, out: str) -> list[Row]:
    """Decimals with a Python function of them, joined and written by region."""
    make_views(spark, data)

    @F.udf(DecimalType(12, 2))
    def rounded_up(price: Decimal) -> Decimal:
        return None if price is None else price.quantize(Decimal(1), rounding="ROUND_CEILING")

    lines = (
        spark.table("sales")
        .join(spark.table("items"), "item_key")
        .join(F.broadcast(spark.table("stores")), "store_key")
        .withColumn("net", F.col("price") * (1 - F.col("discount")))
        .withColumn("shelf", rounded_up("price"))
        .withColumn("margin", F.col("net") - F.col("cost").cast("decimal(10,2)"))
    )
    by_brand = lines.groupBy("region", "brand").agg(
        F.sum("margin").alias("margin"), F.sum("shelf").alias("shelf"), F.max("net").alias("dearest")
    )
    by_brand.write.mode("overwrite").partitionBy("region").parquet(f"{out}/brands")
    spark.read.parquet(f"{out}/brands").orderBy(F.desc("margin"), "brand").show(5)
    return by_brand.groupBy("region").agg(F.sum("margin"), F.min("brand"), F.count("*")).collect()


JOBS = [revenue_by_year, best_customers, never_sold, margins]
