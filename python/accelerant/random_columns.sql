-- Macros that make the columns of a generated row from its number. `salt` tells the columns apart.
create macro bits(row, salt) as (hash(row * 1000003 + salt) >> 1)::bigint;

create macro fraction(row, salt) as (bits(row, salt) >> 10)::double / 9007199254740992;

create macro even(row, salt, count) as bits(row, salt) % count;

-- Small numbers are frequent, large ones are rare: half of all are below a sixteenth of `count`.
create macro skewed(row, salt, count) as floor(count * pow(fraction(row, salt), 4))::bigint;

create macro seldom(row, salt, share) as fraction(row, salt) < share;
