-- Words, hosts and addresses, some of them far more frequent than others.
create macro word(number) as ['maps', 'news', 'mail', 'cars', 'flats', 'music', 'film', 'shop', 'travel', 'weather', 'games',
    'recipes', 'phones', 'books', 'garden', 'sport', 'money', 'health', 'school', 'jobs'][(number % 20)::int + 1];

create macro host(number) as concat('www.', word(number), number::varchar, case when number % 3 = 0 then '.example.org'
    when number % 3 = 1 then '.example.com' else '.example.net' end);

create macro address(row, salt) as concat(case when even(row, salt, 4) = 0 then 'http://' else 'https://' end,
    host(skewed(row, salt + 1, 5000)), '/', word(even(row, salt + 2, 20)), '/', word(skewed(row, salt + 3, 20)),
    case when even(row, salt + 4, 3) = 0 then concat('?id=', skewed(row, salt + 5, 1000000)::varchar, '&page=',
    skewed(row, salt + 6, 50)::varchar) else '' end);

create macro phrase(row, salt) as case when seldom(row, salt, 0.85) then '' else concat(word(even(row, salt + 1, 20)), ' ',
    word(skewed(row, salt + 2, 20)), ' ', skewed(row, salt + 3, 3000)::varchar) end;
