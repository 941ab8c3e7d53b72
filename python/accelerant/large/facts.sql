-- One row a key; keys come in no order. The prime is larger than any number of rows that a machine holds.
copy (
    select
        row * 2654435761 % 4294967291 as k,
        even(row, 1, 1000003)::bigint as v,
        even(row, 2, 997)::int as x
    from range({rows}) as numbers (row)
) to '{folder}/facts.parquet' (format parquet, compression snappy, row_group_size 122880);
