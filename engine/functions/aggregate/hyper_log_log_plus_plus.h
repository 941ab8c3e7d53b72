#pragma once

#include "functions/aggregate/cardinality.h"
#include "functions/hash/xx_hash64_of_value.h"

namespace accelerant::functions {

/// The registers of values' hashes.
struct HashedValues : HashRegisters {
  ACC_HD static HashedValues init() { return {HashRegisters::init()}; }

  template <class T, class Store>
  ACC_HD ACC_INLINE void update(T value, const AggregateContext& context, Store& store) {
    add(static_cast<uint64>(hash(value, context.decimals)), context.options.precision, store);
  }
  template <class T, class Store>
  ACC_HD void update_times(T value, int64, const AggregateContext& context, Store& store) {
    update(value, context, store);
  }
  template <class Store>
  ACC_HD void merge(const HashedValues& other, const AggregateContext& context, Store& store) {
    HashRegisters::merge(other, context.options.precision, store);
  }

 private:
  static constexpr int64 kSeed = 42;

  template <class T>
  ACC_HD ACC_INLINE static int64 hash(T value, const types::DecimalContext&) {
    return XxHash64::call(value, kSeed);
  }
  // These may be decimals, whose type counts.
  ACC_HD ACC_INLINE static int64 hash(int64 value, const types::DecimalContext& decimals) {
    return XxHash64::call_wide(value, kSeed, decimals);
  }
  ACC_HD ACC_INLINE static int64 hash(int128 value, const types::DecimalContext& decimals) {
    return XxHash64::call_wide(value, kSeed, decimals);
  }
};

struct HyperLogLogPlusPlus {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.HyperLogLogPlusPlus",
      .sql = "approx_count_distinct(expr, relativeSD)",
      .text = "Returns about how many different values that are not null there are, by HyperLogLog++.",
      .fields = {"child"},
      .ignored = "relativeSD",
      .precision = "precision",
      .numbers = "corrections",
  };
  using Signatures = From<types::LongType, types::BooleanType, types::ByteType, types::ShortType, types::IntType,
                          types::LongType, types::FloatType, types::DoubleType, types::DecimalType, types::StringType,
                          types::BinaryType, types::DateType, types::TimestampType, types::TimestampNtzType,
                          types::DayTimeIntervalType, types::YearMonthIntervalType>;
  static constexpr AggregateExample kExamples[] = {
      {"0 int | null int | 1 int | 0 int | -1 int", "3 bigint"},
      {"null string", "0 bigint"},
      {"a string | abc string | a string | a string of more than twelve bytes string", "3 bigint"},
      {"-0.0 double | 0 double | nan double | nan double", "2 bigint"},
      {"-0.0 float | 0 float", "1 bigint"},
      {"true boolean | false boolean | true boolean", "2 bigint"},
      {"1.50 decimal(10,2) | 1.50 decimal(10,2) | -1.50 decimal(10,2)", "2 bigint"},
      {"128 decimal(20,0) | 128 decimal(20,0) | -129 decimal(20,0)", "2 bigint"},
      {"0 int | 1 int | -1 int | 2147483647 int", "3 bigint", 0, {.precision = 4}},
  };

  template <class>
  using State = HashedValues;

  ACC_HD static types::Nullable<int64> finish(const HashedValues& state, const AggregateContext& context) {
    return {Cardinality(context.options.precision, context.numbers, context.num_numbers).of(state), true};
  }
};

}  // namespace accelerant::functions
