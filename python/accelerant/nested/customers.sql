-- Customers of the baskets, with the tags that they like and what they have bought before.
copy (
    select
        row::int as customer,
        ['club', 'guest', 'trade'][skewed(row, 20, 3)::int + 1] as kind,
        list_transform(range(even(row, 21, 4)), lambda i: ['new', 'sale', 'gift', 'bulk', 'cold', 'local'][even(row * 31 + i, 22,
            6)::int + 1]) as favourites,
        list_transform(range(even(row, 23, 12)), lambda i: skewed(row * 31 + i, 24, 5000)::int) as bought
    from range({rows} // 10 + 1) as numbers (row)
) to '{folder}/customers.parquet' (format parquet, compression snappy, row_group_size 122880);
