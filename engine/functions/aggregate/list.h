#pragma once

// One line an aggregate: its header's name and its struct. The build and the registry read this list.
#define ACC_AGGREGATES(F)                         \
  F(count, Count)                                 \
  F(sum, Sum)                                     \
  F(average, Average)                             \
  F(min, Min)                                     \
  F(max, Max)                                     \
  F(first, First)                                 \
  F(last, Last)                                   \
  F(max_by, MaxBy)                                \
  F(min_by, MinBy)                                \
  F(bit_and_agg, BitAndAgg)                       \
  F(bit_or_agg, BitOrAgg)                         \
  F(bit_xor_agg, BitXorAgg)                       \
  F(variance_pop, VariancePop)                    \
  F(variance_samp, VarianceSamp)                  \
  F(stddev_pop, StddevPop)                        \
  F(stddev_samp, StddevSamp)                      \
  F(cov_population, CovPopulation)                \
  F(cov_sample, CovSample)                        \
  F(corr, Corr)                                   \
  F(collect_list, CollectList)                    \
  F(collect_set, CollectSet)                      \
  F(pivot_first, PivotFirst)                      \
  F(regr_sxy, RegrSXY)                            \
  F(list_agg, ListAgg)                            \
  F(percentile, Percentile)                       \
  F(skewness, Skewness)                           \
  F(kurtosis, Kurtosis)                           \
  F(regr_slope, RegrSlope)                        \
  F(regr_intercept, RegrIntercept)                \
  F(regr_r2, RegrR2)                              \
  F(regr_replacement, RegrReplacement)            \
  F(percentile_disc, PercentileDisc)              \
  F(mode, Mode)                                   \
  F(product, Product)                             \
  F(hyper_log_log_plus_plus, HyperLogLogPlusPlus) \
  F(bitmap_construct_agg, BitmapConstructAgg)     \
  F(bitmap_or_agg, BitmapOrAgg)                   \
  F(bitmap_and_agg, BitmapAndAgg)
