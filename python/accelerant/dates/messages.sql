-- One row a message: moments as texts in the ways of several systems, some of which are no moments.
copy (
    select
        row as id,
        strftime(moment, '%Y-%m-%d %H:%M:%S') as created,
        strftime(moment, '%d/%m/%Y') as day,
        strftime(moment, '%Y%m%d%H%M%S') as compact,
        strftime(moment + to_milliseconds(even(row, 2, 1000)), '%Y-%m-%dT%H:%M:%S.%g') as precise,
        strftime(moment, '%-d %b %Y %-I:%M %p') as spoken,
        case when seldom(row, 3, 0.02) then 'unknown' else strftime(moment + to_seconds(skewed(row, 4, 100000)),
            '%Y-%m-%d %H:%M:%S') end as answered,
        second + 1640995200 as seconds,
        moment,
        skewed(row, 5, 1000)::int as length
    from (
        select row, second, timestamp '2022-01-01 00:00:00' + to_seconds(second) as moment
        from (select row, even(row, 1, 94608000) as second from range({rows}) as numbers (row)) as seconds
    ) as moments
) to '{folder}/messages.parquet' (format parquet, compression snappy, row_group_size 122880);
