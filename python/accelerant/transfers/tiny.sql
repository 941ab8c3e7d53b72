copy (
    select row as number, ['red', 'green', 'blue'][row % 3 + 1] as color, (row * 5 / 4)::decimal(8, 2) as price
    from range(9) as numbers (row)
) to '{folder}/tiny.parquet' (format parquet);
