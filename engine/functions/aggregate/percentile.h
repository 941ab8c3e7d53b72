#pragma once

#include "functions/aggregate/definition.h"
#include "functions/aggregate/ordered_code.h"
#include "functions/comparison/order.h"

namespace accelerant::functions {

/// Finds values by their place in Spark's order, in time that depends on their number alone.
template <class T>
class OrderStatistic {
 public:
  /// @param values at least one; short lists are sorted
  ACC_HD explicit OrderStatistic(List<T> values) : values_(values) {
    if (values.length <= kSorted) sort();
  }

  /// Returns the value that `place` others precede.
  ACC_HD T at(int64 place) const {
    if (values_.length <= kSorted) return values_.values[place];
    uint64 prefix = 0;
    uint64 known = 0;
    for (int32 shift = 64 - kDigitBits; shift >= 0; shift -= kDigitBits) {
      int64 counts[kDigits] = {};
      for (int64 i = 0; i < values_.length; ++i) {
        const uint64 code = code_of(values_.values[i]);
        if ((code & known) == prefix) ++counts[code >> shift & (kDigits - 1)];
      }
      uint64 digit = 0;
      for (; place >= counts[digit]; ++digit) place -= counts[digit];
      prefix |= digit << shift;
      known |= uint64{kDigits - 1} << shift;
    }
    return from_ordered<T>(static_cast<int64>(prefix ^ kSign));
  }

 private:
  static constexpr int64 kSorted = 32;
  static constexpr int32 kDigitBits = 8;
  static constexpr uint64 kDigits = uint64{1} << kDigitBits;
  static constexpr uint64 kSign = uint64{1} << 63;

  ACC_HD static uint64 code_of(T value) { return static_cast<uint64>(ordered(value)) ^ kSign; }

  ACC_HD void sort() {
    for (int64 i = 1; i < values_.length; ++i) {
      const T value = values_.values[i];
      int64 at = i;
      for (; at > 0 && code_of(values_.values[at - 1]) > code_of(value); --at) {
        values_.values[at] = values_.values[at - 1];
      }
      values_.values[at] = value;
    }
  }

  List<T> values_;
};

struct Percentile {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Percentile",
      .sql = "percentile(expr, percentage)",
      .text = "Returns the exact percentile of the values that are not null, between two of them if need be.",
      .fields = {"child", "percentageExpression"},
      .literals = {"percentageExpression"},
      .unset = {"reverse"},
      .one = "frequencyExpression",
      .differs_by_version = true,
  };
  template <class... Types>
  using Of = SignatureList<Signature<types::DoubleType, Types, types::DoubleType>...>;
  using Signatures =
      Of<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType, types::DoubleType>;
  static constexpr AggregateExample kExamples[] = {
      {"3 int ; 0.5 double | 1 int ; 0.5 double | null int ; 0.5 double | 2 int ; 0.5 double", "2 double"},
      {"0 int ; 0.3 double | 10 int ; 0.3 double", "3 double"},
      {"nan double ; 1 double | inf double ; 1 double", "nan double"},
      {"-1 bigint ; 0 double | -9223372036854775808 bigint ; 0 double", "-9223372036854775808 double"},
      {"null int ; 0.5 double", "null double"},
      {"3 int ; nan double | 1 int ; nan double", "1 double"},
      {"0.1 double ; 0.1 double | 0.8 double ; 0.1 double", "0.17 double"},
      {"0.1 double ; 0.1 double | 0.8 double ; 0.1 double", "0.17000000000000004 double", 0, {.before_43 = true}},
  };

  static constexpr bool kCollects = true;

  template <class T>
  ACC_HD static types::Nullable<double> finish(List<T> values, types::Nullable<double> percentage,
                                               const AggregateContext& context) {
    if (values.length == 0 || !percentage.valid) return {0, false};
    const OrderStatistic<T> ordered_values(values);
    // Java's place of NaN is 0.
    const bool is_number = percentage.value == percentage.value;
    const double position = is_number ? static_cast<double>(values.length - 1) * percentage.value : 0;
    const auto lower = static_cast<int64>(position);
    const T low = ordered_values.at(lower);
    if (static_cast<double>(lower) == position) return {static_cast<double>(low), true};
    const T high = ordered_values.at(lower + 1);
    if (equals(low, high)) return {static_cast<double>(low), true};
    const auto from = static_cast<double>(low);
    const auto to = static_cast<double>(high);
    const double share = position - static_cast<double>(lower);
    if (!context.options.before_43) return {from + share * (to - from), true};
    return {(static_cast<double>(lower + 1) - position) * from + share * to, true};
  }
};

}  // namespace accelerant::functions
