copy (
    select
        row * 3 as id,
        even(row, 1, 1000)::int as quantity,
        fraction(row, 2) as share,
        even(row, 3, 100003)::double / 7 as ratio,
        (even(row, 4, 1000000007) / 100)::decimal(12, 2) as amount,
        ['Bolivia', 'Chad', 'Denmark', 'Estonia', 'Fiji'][skewed(row, 5, 5) + 1] as country,
        case when seldom(row, 6, 0.02) then null else concat('order ', even(row, 7, 3000000)::text, ' came late') end
            as remark,
        date '2020-01-01' + even(row, 8, 2000)::int as day
    from range({rows}) as numbers (row)
) to '{folder}/wide.parquet' (format parquet, compression snappy);
