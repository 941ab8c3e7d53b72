"""The tables that the jobs read: a SELECT and a format each, with skew, nulls, bad values and dates as they are met.

DuckDB computes them from the numbers of rows by the macros of random_columns.sql: the same scale gives the same rows.
`{n}` is how many; what has a fixed number of rows is small in life too.
"""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow.orc

from accelerant.generated_data import MACROS

MORE_MACROS = """
create macro pick(items, row, salt) as items[1 + even(row, salt, len(items))];
create macro pick_skewed(items, row, salt) as items[1 + skewed(row, salt, len(items))];
create macro sometimes(value, row, salt, share) as case when seldom(row, salt, share) then null else value end;
create macro moment(row, salt, days) as
    timestamp '2024-01-01' + to_microseconds(floor(fraction(row, salt) * days * 86400)::bigint * 1000000);
"""


@dataclass(frozen=True)
class Table:
    """Rows at scale 1, in files of a format. `seeds` are columns that others are made of; they are not written."""

    format: str
    rows: int
    columns: str
    files: int = 1
    seeds: str = "row"
    fixed: bool = False

    def select(self, scale: float, part: int) -> str:
        """Returns the rows of one file."""
        count = self.rows if self.fixed else max(int(self.rows * scale), 10)
        start, end = (count * number // self.files for number in (part, part + 1))
        return f"select {self.columns} from (select {self.seeds} from range({start}, {end}) as numbers (row))".replace(
            "{n}", str(count)
        )


SUFFIXES = {"parquet": "parquet", "csv": "csv", "pipe": "txt", "json": "json", "text": "log", "orc": "orc"}
OPTIONS = {
    "parquet": "format parquet, row_group_size 122880",
    "csv": "format csv, header true",
    "pipe": "format csv, header false, delimiter '|'",
    "json": "format json",
    # A quote and a delimiter that no line has leave it as it is.
    "text": "format csv, header false, quote '', escape '', delimiter '\t'",
}

TAXI = {
    "trips": Table(
        "parquet",
        2_400_000,
        """row as trip_id,
        sometimes(pick_skewed([2, 1, 6], row, 1), row, 2, 0.01)::int as vendor_id,
        pickup as tpep_pickup_datetime,
        pickup + to_seconds(case when seldom(row, 4, 0.003) then -60 else 60 + skewed(row, 5, 7200) end)
            as tpep_dropoff_datetime,
        sometimes(1 + skewed(row, 6, 6), row, 7, 0.04)::double as passenger_count,
        case when seldom(row, 8, 0.001) then 90000.0 else round(30 * pow(fraction(row, 9), 3), 2) end as trip_distance,
        sometimes(case when seldom(row, 10, 0.02) then 99 else 1 + skewed(row, 11, 5) end, row, 7, 0.04)::double
            as ratecode_id,
        sometimes(pick_skewed(['N', 'Y'], row, 12), row, 7, 0.04) as store_and_fwd_flag,
        1 + skewed(row, 13, 265)::int as pu_location_id,
        1 + even(row, 14, 265)::int as do_location_id,
        1 + skewed(row, 15, 5) as payment_type,
        case when seldom(row, 16, 0.004) then -1 else 1 end * round(3 + 2.5 * 30 * pow(fraction(row, 9), 3), 2)
            as fare_amount,
        round(case when skewed(row, 15, 5) = 0 then 12 * pow(fraction(row, 17), 2) else 0 end, 2) as tip_amount,
        case when seldom(row, 18, 0.06) then 6.94 else 0 end::double as tolls_amount,
        sometimes(2.5, row, 19, 0.1)::double as congestion_surcharge""",
        files=4,
        seeds="row, moment(row, 3, 90) as pickup",
    ),
    "zones": Table(
        "csv",
        265,
        """row + 1 as LocationID,
        pick(['Manhattan', 'Brooklyn', 'Queens', 'Bronx', 'Staten Island', 'EWR', 'Unknown'], row, 20) as Borough,
        'Zone ' || row || case when seldom(row, 21, 0.1) then ', North' else '' end as Zone,
        pick(['Boro Zone', 'Yellow Zone', 'Airports', 'N/A'], row, 22) as service_zone""",
        fixed=True,
    ),
    "weather": Table(
        "json",
        2160,
        """strftime(timestamp '2024-01-01' + to_hours(row::int), '%Y-%m-%dT%H:%M:%S') as "time",
        round(-5 + 25 * fraction(row, 23), 1) as temperature,
        sometimes(round(8 * pow(fraction(row, 24), 6), 1), row, 25, 0.05) as rain_mm,
        pick_skewed(['clear', 'cloudy', 'rain', 'snow', 'fog'], row, 26) as sky""",
        fixed=True,
    ),
}

MORTGAGE = {
    "acquisitions": Table(
        "csv",
        120_000,
        """'L' || lpad(row::varchar, 9, '0') as loan_id,
        sometimes(pick_skewed(['WELLS BANK', 'Wells Bank, N.A.', 'QuickLoans Inc', 'PENNYWISE', 'Other', 'other',
            'Main St. Savings'], row, 1), row, 2, 0.01) as seller,
        strftime(date '2018-01-01' + to_months(even(row, 3, 24)::int), '%m/%Y') as orig_date,
        round(2.5 + 4 * fraction(row, 4), 3) as orig_rate,
        (20 + skewed(row, 5, 780)) * 1000 as orig_upb,
        case when seldom(row, 6, 0.02) then '' else (300 + even(row, 7, 550))::varchar end as credit_score,
        case when seldom(row, 8, 0.005) then 'n/a' else (40 + even(row, 9, 58))::varchar end as ltv,
        pick(['CA', 'TX', 'FL', 'NY', 'IL', 'WA', 'OH', 'GA', 'PR', '??'], row, 10) as state,
        pick_skewed(['SF', 'PU', 'CO', 'MH', 'CP'], row, 11) as property_type,
        pick(['P', 'R', 'C'], row, 12) as purpose""",
        files=2,
    ),
    "performance": Table(
        "pipe",
        2_400_000,
        """'L' || lpad(loan::varchar, 9, '0'), strftime(date '2019-01-01' + to_months(age::int), '%m/%d/%Y'),
        case when age % 12 = 0 then 'SERVICER ' || even(loan, 20, 9) else '' end,
        case when seldom(row, 21, 0.02) then ''
            else ((20000 + 1000 * even(loan, 22, 700)) * (1 - age / 360.0))::decimal(12, 2)::varchar end,
        age, case when not seldom(loan, 23, 0.12) then case when seldom(row, 24, 0.01) then 'X' else '0' end
            else greatest(age - even(loan, 25, 12), 0)::varchar end,
        pick_skewed(['N', 'Y'], row, 26),
        case when age = 19 and seldom(loan, 27, 0.2) then pick(['01', '09', '03'], loan, 28) else '' end""",
        files=4,
        seeds="row, row // 20 as loan, row % 20 as age",
    ),
    "rates": Table(
        "json",
        24,
        """strftime(date '2018-01-01' + to_months(row::int), '%Y-%m') as month,
        round(3.5 + fraction(row, 30), 2) as rate,
        case when row % 6 = 0 then 'revised' end as note""",
        fixed=True,
    ),
}

CLICKSTREAM = {
    "events": Table(
        "json",
        700_000,
        """md5(row::varchar) as event_id,
        case when seldom(row, 1, 0.03) then null else 'u' || skewed(row, 2, greatest({n} // 40, 4)) end as user_id,
        strftime(moment(row, 3, 14), '%Y-%m-%dT%H:%M:%S.000Z') as ts,
        pick_skewed(['page_view', 'click', 'scroll', 'add_to_cart', 'search', 'purchase', 'error'], row, 4) as event,
        '/' || pick_skewed(['', 'product', 'category', 'cart', 'help', 'Account'], row, 5) || '/' || skewed(row, 6, 500)
            || case when seldom(row, 7, 0.3) then '?utm_source=' || pick(['mail', 'ads', 'social'], row, 8)
            || '&id=' || row                else '' end as url,
        {country: pick_skewed(['US', 'DE', 'FR', 'IN', 'BR', 'JP', null], row, 9), city: 'City ' || skewed(row, 10, 90)}
            as geo,
        pick(['Mozilla/5.0 (Windows NT 10.0)', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)', 'curl/8.1', 'Googlebot/2.1'],
            row, 11) as agent,
        case when seldom(row, 12, 0.2) then round(200 * fraction(row, 13), 2) end as value""",
        files=4,
    ),
    "users": Table(
        "parquet",
        17_500,
        """'u' || row as user_id, date '2020-01-01' + even(row, 20, 1500)::int as signed_up,
        pick_skewed(['free', 'basic', 'pro', 'team'], row, 21) as plan,
        sometimes(pick(['f', 'm', 'x'], row, 22), row, 23, 0.2) as gender, 1950 + even(row, 24, 58)::int as born""",
    ),
    "pages": Table(
        "csv",
        500,
        """row as page_id, 'Page ' || row as title,
        pick_skewed(['shop', 'blog', 'support', 'legal'], row, 25) as section""",
        fixed=True,
    ),
}

LOGS = {
    "access": Table(
        "text",
        1_000_000,
        """case when seldom(row, 1, 0.004) then '-- MARK --' else
        '10.' || skewed(row, 2, 40) || '.' || skewed(row, 3, 250) || '.' || even(row, 4, 250) || ' - '
        || case when seldom(row, 5, 0.3) then 'user' || skewed(row, 6, 300) else '-' end
        || strftime(timestamp '2024-03-01' + to_seconds((row * 864000 // {n})::bigint), ' [%d/%b/%Y:%H:%M:%S +0000] "')
        || pick_skewed(['GET', 'POST', 'PUT', 'DELETE'], row, 7) || ' /'
        || pick_skewed(['index.html', 'api/v1/items', 'api/v1/orders', 'static/app.js', 'login', 'favicon.ico'], row, 8)
        || case when seldom(row, 9, 0.2) then '?page=' || skewed(row, 10, 30) else '' end || ' HTTP/1.1" '
        || pick_skewed(['200', '304', '404', '500', '503'], row, 11) || ' '
        || case when seldom(row, 12, 0.05) then '-' else skewed(row, 13, 90000)::varchar end
        || ' ' || round(3 * pow(fraction(row, 14), 5), 3) end as line""",
        files=4,
    ),
    "spans": Table(
        "orc",
        1_200_000,
        """row as span_id, row // 8 as trace_id, pick_skewed(['gateway', 'orders', 'stock', 'billing', 'mail'], row, 20)
            as service,
        'op_' || skewed(row, 21, 60) as operation, moment(row // 8, 22, 7) as started,
        (skewed(row, 23, 4000000) + 50)::bigint as micros,
        sometimes(pick_skewed(['OK', 'ERROR', 'TIMEOUT'], row, 24), row,
            25, 0.02) as status,
        case when row % 8 > 0 then row - 1 end as parent_id""",
        files=3,
    ),
    "services": Table(
        "csv",
        5,
        """['gateway', 'orders', 'stock', 'billing', 'mail'][row + 1] as service, 'team ' || row % 3 as team,
        (row + 1) * 100 as objective_ms""",
        fixed=True,
    ),
}

STAR = {
    "sales": Table(
        "parquet",
        2_500_000,
        """row as sale_id, sometimes(even(row, 1, 1096), row, 2, 0.005)::int as date_key,
        skewed(row, 3, greatest({n} // 20, 4))::int as customer_key, skewed(row, 4, 5000)::int as item_key,
        sometimes(even(row, 5, 60), row, 6, 0.01)::int as store_key, 1 + skewed(row, 7, 20)::int as quantity,
        ((100 + even(row, 8, 99900)) / 100.0)::decimal(10, 2) as price,
        (pick_skewed([0, 5, 10, 25, 50], row, 9) / 100.0)::decimal(4, 2) as discount""",
        files=4,
    ),
    "customers": Table(
        "orc",
        125_000,
        """row::int as customer_key, 'Customer ' || row as name,
        sometimes(pick_skewed(['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY'], row, 20), row, 21, 0.03) as segment,
        pick_skewed(['US', 'DE', 'FR', 'GB', 'IN', 'BR'], row, 22) as country,
        date '1940-01-01' + even(row, 23, 23000)::int as birthday""",
    ),
    "items": Table(
        "parquet",
        5000,
        """row::int as item_key, 'Item ' || row as item,
        pick(['Books', 'Music', 'Home', 'Sports', 'Toys'], row, 24) as category,
        'Brand ' || skewed(row, 25, 70) as brand, (50 + even(row, 26, 50000))::double / 100 as cost""",
        fixed=True,
    ),
    "stores": Table(
        "csv",
        60,
        """row as store_key, 'Store #' || row as store, pick(['North', 'South', 'East', 'West'], row, 27) as region,
        strftime(date '1990-01-01' + even(row, 28, 9000)::int, '%Y-%m-%d') as opened""",
        fixed=True,
    ),
    "dates": Table(
        "parquet",
        1096,
        """row::int as date_key, date '2022-01-01' + row::int as day, year(date '2022-01-01' + row::int)::int as year,
        month(date '2022-01-01' + row::int)::int as month, dayname(date '2022-01-01' + row::int) as weekday,
        seldom(row, 29, 0.03) as holiday""",
        fixed=True,
    ),
}

DIMENSIONS = {
    "current": Table(
        "parquet",
        600_000,
        """row as customer_id, 'Name ' || row as name, lower(md5(row::varchar))[1:8] || '@example.com' as email,
        sometimes('Street ' || even(row, 1, 900), row, 2, 0.03) as address, 'City ' || skewed(row, 3, 300) as city,
        pick_skewed(['bronze', 'silver', 'gold'], row, 4) as tier, date '2020-01-01' + even(row, 5, 1400)::int
            as valid_from, null::date as valid_to, true as is_current""",
        files=2,
    ),
    "changes": Table(
        "csv",
        300_000,
        """case when seldom(row, 10, 0.01) then '' else (even(row, 11, {n} * 9 // 4))::varchar end as customer_id,
        case when seldom(row, 12, 0.5) then 'Name ' || even(row, 11, {n} * 9 // 4)
            else '  name ' || row || ' ' end as name,
        lower(md5(row::varchar))[1:8] || '@' || pick(['example.com', 'EXAMPLE.ORG', 'mail.test'], row, 13) as email,
        'Street ' || even(row, 14, 900) as address, 'City ' || skewed(row, 15, 300) as city,
        pick_skewed(['bronze', 'silver', 'gold', 'GOLD'], row, 16) as tier,
        strftime(timestamp '2024-06-01' + to_seconds(row::bigint), '%Y-%m-%d %H:%M:%S') as changed_at,
        pick_skewed(['U', 'I', 'D'], row, 17) as op""",
        files=2,
    ),
    "orders": Table(
        "orc",
        1_200_000,
        """row as order_id, skewed(row, 20, {n} // 2) as customer_id, date '2020-01-01' + even(row, 21, 1800)::int
            as ordered, round(500 * pow(fraction(row, 22), 2), 2) as amount""",
        files=2,
    ),
}

FEATURES = {
    "transactions": Table(
        "parquet",
        1_800_000,
        """row as tx_id, skewed(row, 1, greatest({n} // 60, 4)) as account_id, moment(row, 2, 180) as at,
        round(exp(2 + 5 * fraction(row, 3)), 2) * case when seldom(row, 4, 0.2) then -1 else 1 end as amount,
        pick_skewed(['grocery', 'fuel', 'travel', 'online', 'cash', 'other'], row, 5) as kind,
        sometimes('M' || skewed(row, 6, 4000), row, 7, 0.05) as merchant,
        case when seldom(row, 8, 0.01) then 'nan'::double else 180 * fraction(row, 9) - 90 end as lat,
        360 * fraction(row, 10) - 180 as lon, seldom(row, 11, 0.002) as fraud""",
        files=4,
    ),
    "accounts": Table(
        "csv",
        30_000,
        """row as account_id, strftime(date '2010-01-01' + even(row, 20, 5000)::int, '%d.%m.%Y') as opened,
        sometimes(round(1000 * pow(fraction(row, 21), 2), 2), row, 22, 0.1) as credit_limit,
        pick_skewed(['DE', 'AT', 'CH', 'de', ''], row, 23) as country,
        pick(['web', 'branch', 'app'], row, 24) as channel""",
    ),
    "merchants": Table(
        "json",
        4000,
        """'M' || row as merchant, pick(['A', 'B', 'C', 'D'], row, 25) as risk, round(fraction(row, 26), 4) as score""",
        fixed=True,
    ),
}

REPORTS = {
    "orders": Table(
        "orc",
        1_500_000,
        """row as order_id, moment(row, 1, 365) as ordered_at,
        'C' || skewed(row, 2, greatest({n} // 30, 4)) as customer,
        pick_skewed(['EU', 'US', 'APAC', 'LATAM', 'MEA'], row, 3) as region,
        pick_skewed(['web', 'store', 'phone', 'partner'], row, 4) as channel,
        ((skewed(row, 5, 500000) + 99) / 100.0)::decimal(12, 2) as amount,
        sometimes(((skewed(row, 6, 9000)) / 100.0)::decimal(8, 2), row, 7, 0.1) as shipping,
        pick_skewed(['shipped', 'open', 'returned', 'cancelled'], row, 8) as status""",
        files=3,
    ),
    "budget": Table(
        "csv",
        60,
        """['EU', 'US', 'APAC', 'LATAM', 'MEA'][row % 5 + 1] as region, 1 + row // 5 as month,
        100000 + even(row, 10, 900000)
            as budget""",
        fixed=True,
    ),
    "tickets": Table(
        "json",
        200_000,
        """row as ticket, 'C' || skewed(row, 20, 50000) as customer,
        strftime(moment(row, 21, 365), '%Y-%m-%d') as opened, case when not seldom(row, 22, 0.1)
            then strftime(moment(row, 21, 365) + to_days(skewed(row, 23, 40)::int), '%Y-%m-%d') end as closed,
        pick_skewed(['low', 'normal', 'high', 'URGENT'], row, 24) as priority,
        pick(['late', 'broken', 'refund', 'question'], row, 25) || ' ' || even(row, 26, 99) as subject""",
    ),
}

THEMES = {
    "taxi": TAXI,
    "mortgage": MORTGAGE,
    "clickstream": CLICKSTREAM,
    "logs": LOGS,
    "star": STAR,
    "dimensions": DIMENSIONS,
    "features": FEATURES,
    "reports": REPORTS,
}


def write_table(connection: duckdb.DuckDBPyConnection, folder: Path, table: Table, scale: float) -> None:
    """Writes the files of a table."""
    folder.mkdir(parents=True)
    for part in range(table.files):
        path = folder / f"part-{part}.{SUFFIXES[table.format]}"
        select = table.select(scale, part)
        if table.format == "orc":
            pyarrow.orc.write_table(connection.sql(select).to_arrow_table(), str(path), compression="zlib")
        else:
            connection.execute(f"copy ({select}) to '{path}' ({OPTIONS[table.format]})")


def written(root: Path, theme: str, scale: float) -> Path:
    """Returns the folder with a theme's tables, a folder each; writes those that are missing or of another text."""
    home = root / f"{scale:g}" / theme
    home.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as connection:
        connection.execute(MACROS.read_text() + MORE_MACROS)
        connection.execute("set preserve_insertion_order = true")
        for name, table in THEMES[theme].items():
            stamp = home / f".{name}.json"
            columns = re.sub(r"\s+", " ", table.columns)
            recipe = json.dumps([columns, table.seeds, table.rows, table.files, table.format])
            if not stamp.is_file() or stamp.read_text() != recipe:
                print(f"generating {theme}/{name}, scale {scale:g}", flush=True)
                shutil.rmtree(home / name, ignore_errors=True)
                write_table(connection, home / name, table, scale)
                stamp.write_text(recipe)
    return home
