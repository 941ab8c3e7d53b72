-- One row a basket: up to eight numbers and tags, one to six items, a map of one to four measures, an address with a point.
copy (
    select
        row as id,
        even(row, 1, {rows} // 10 + 1)::int as customer,
        list_transform(range(even(row, 2, 9)), lambda i: even(row * 31 + i, 3, 1000)) as numbers,
        list_transform(range(even(row, 4, 9)), lambda i: ['new', 'sale', 'gift', 'bulk', 'fragile', 'cold', 'last chance',
            'returned', 'handmade', 'local'][skewed(row * 31 + i, 5, 10)::int + 1]) as tags,
        list_transform(range(1 + even(row, 6, 6)), lambda i: {'sku': skewed(row * 31 + i, 7, 5000)::int,
            'price': ((skewed(row * 31 + i, 8, 20000) + 50) / 100)::decimal(8, 2),
            'count': (even(row * 31 + i, 9, 5) + 1)::int}) as items,
        map(list_slice(['height', 'width', 'weight', 'grade'], 1, 1 + even(row, 10, 4)), list_slice([even(row, 11, 200)::int,
            even(row, 12, 200)::int, skewed(row, 13, 9000)::int, even(row, 14, 6)::int], 1, 1 + even(row, 10, 4))) as measures,
        {'city': 'city ' || skewed(row, 15, 300), 'zip': even(row, 16, 90000)::int + 10000,
            'point': {'lat': even(row, 17, 18000)::int - 9000, 'lon': even(row, 18, 36000)::int - 18000}} as address
    from range({rows}) as numbers (row)
) to '{folder}/baskets.parquet' (format parquet, compression snappy, row_group_size 122880);
