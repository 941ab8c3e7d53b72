-- Many sums over one column.
select sum(resolution_width + 0) as sum_0, sum(resolution_width + 1) as sum_1, sum(resolution_width + 2) as
    sum_2, sum(resolution_width + 3) as sum_3, sum(resolution_width + 4) as sum_4, sum(resolution_width + 5)
    as sum_5, sum(resolution_width + 6) as sum_6, sum(resolution_width + 7) as sum_7, sum(resolution_width +
    8) as sum_8, sum(resolution_width + 9) as sum_9, sum(resolution_width + 10) as sum_10,
    sum(resolution_width + 11) as sum_11, sum(resolution_width + 12) as sum_12, sum(resolution_width + 13) as
    sum_13, sum(resolution_width + 14) as sum_14, sum(resolution_width + 15) as sum_15, sum(resolution_width +
    16) as sum_16, sum(resolution_width + 17) as sum_17, sum(resolution_width + 18) as sum_18,
    sum(resolution_width + 19) as sum_19, sum(resolution_width + 20) as sum_20, sum(resolution_width + 21) as
    sum_21, sum(resolution_width + 22) as sum_22, sum(resolution_width + 23) as sum_23, sum(resolution_width +
    24) as sum_24, sum(resolution_width + 25) as sum_25, sum(resolution_width + 26) as sum_26,
    sum(resolution_width + 27) as sum_27, sum(resolution_width + 28) as sum_28, sum(resolution_width + 29) as
    sum_29, sum(resolution_width + 30) as sum_30, sum(resolution_width + 31) as sum_31, sum(resolution_width +
    32) as sum_32, sum(resolution_width + 33) as sum_33, sum(resolution_width + 34) as sum_34,
    sum(resolution_width + 35) as sum_35, sum(resolution_width + 36) as sum_36, sum(resolution_width + 37) as
    sum_37, sum(resolution_width + 38) as sum_38, sum(resolution_width + 39) as sum_39
from hits
