copy (
    select
        row * 3 as id,
        (bits % 1000)::int as quantity,
        (bits >> 10)::double / 9007199254740992 as share,
        (bits % 100003)::double / 7 as ratio,
        ((bits % 1000000007) / 100)::decimal(12, 2) as amount,
        ['Bolivia', 'Chad', 'Denmark', 'Estonia', 'Fiji'][floor(5 * pow((bits >> 10)::double / 9007199254740992, 2))::int + 1]
            as country,
        case when bits % 50 = 0 then null else concat('order ', (bits % 3000000)::text, ' came late') end as remark,
        date '2020-01-01' + (bits % 2000)::int as day
    from (select row, (hash(row) >> 1)::bigint as bits from range({rows}) as numbers (row))
) to '{folder}/wide.parquet' (format parquet, compression snappy);
