-- The same keys in another order.
copy (
    select
        (row * 29 % {rows}) * 2654435761 % 4294967291 as k,
        even(row, 3, 1000003)::bigint as y
    from range({rows}) as numbers (row)
) to '{folder}/others.parquet' (format parquet, compression snappy, row_group_size 122880);
