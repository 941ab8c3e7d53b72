-- Revenue by currency and language: nulls and decimals.
select currency, browser_language, count(cart_price) as orders, sum(cart_price) as revenue, avg(cart_price) as
    mean_price, max(scroll_depth) as depth
from hits
group by currency, browser_language
order by revenue desc nulls last, currency nulls last, browser_language
