-- One row a sale, in the order of time. A tenth of the stores have two thirds of the sales; accounts have about a hundred each.
copy (
    select
        row as id,
        even(row, 1, {rows} // 100 + 1)::int as account,
        store,
        ['north', 'east', 'south', 'west', 'centre'][store % 5 + 1] as region,
        (row * 366 // {rows})::int as day_number,
        (skewed(row, 3, 100) + 1)::int as quantity,
        ((skewed(row, 4, 1000000) + 100) / 100)::decimal(10, 2) as amount,
        case when seldom(row, 5, 0.6) then null else even(row, 6, 1000) end as reading
    from (
        select row, skewed(row, 2, 500)::int as store
        from range({rows}) as numbers (row)
    )
) to '{folder}/sales.parquet' (format parquet, compression snappy, row_group_size 122880);
