create table catalog_sales (cs_sold_date_sk int, cs_ext_sales_price decimal(7,2)) using parquet;
create table customer (c_customer_sk int, c_customer_id string) using parquet;
create table date_dim (d_date_sk int, d_date date, d_month_seq int, d_week_seq int, d_year int, d_moy int, d_day_name string)
  using parquet;
create table item (i_item_sk int, i_brand_id int, i_brand string, i_manufact_id int, i_product_name string) using parquet;
create table store (s_store_sk int, s_state string) using parquet;
create table store_returns (sr_returned_date_sk int, sr_customer_sk int, sr_store_sk int, sr_return_amt decimal(7,2))
  using parquet;
create table store_sales (ss_sold_date_sk int, ss_item_sk int, ss_addr_sk int, ss_store_sk int, ss_sales_price decimal(7,2),
  ss_ext_sales_price decimal(7,2), ss_net_profit decimal(7,2)) using parquet;
create table web_sales (ws_sold_date_sk int, ws_item_sk int, ws_sales_price decimal(7,2), ws_ext_sales_price decimal(7,2))
  using parquet;
