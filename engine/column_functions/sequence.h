#pragma once

#include "column_functions/integers.h"
#include "column_functions/taken_rows.h"
#include "columns/value_reader.h"
#include "memory/offset_limit.h"
#include "types/string_view.h"

#include <climits>
#include <optional>

namespace accelerant::column_functions {

/// The step of dates is a number of days here.
struct Sequence {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Sequence",
      .sql = "sequence(start, stop, step)",
      .text = "Returns the values from one to another, in steps of 1 or -1 where none is given.",
  };
  static constexpr const char* kSignatures[] = {
      "tinyint, tinyint -> array<tinyint>",
      "tinyint, tinyint, tinyint -> array<tinyint>",
      "smallint, smallint -> array<smallint>",
      "smallint, smallint, smallint -> array<smallint>",
      "int, int -> array<int>",
      "int, int, int -> array<int>",
      "bigint, bigint -> array<bigint>",
      "bigint, bigint, bigint -> array<bigint>",
      "date, date -> array<date>",
      "date, date, bigint -> array<date>",
  };
  static constexpr functions::Example kExamples[] = {
      {{"1 int", "4 int"}, "[1,2,3,4] array<int>"},
      {{"2 bigint", "-1 bigint"}, "[2,1,0,-1] array<bigint>"},
      {{"5 int", "5 int"}, "[5] array<int>"},
      {{"1 int", "6 int", "2 int"}, "[1,3,5] array<int>"},
      {{"126 tinyint", "127 tinyint", "1 tinyint"}, "[126,127] array<tinyint>"},
      {{"-128 tinyint", "127 tinyint", "127 tinyint"}, "[-128,-1,126] array<tinyint>"},
      {{"7 smallint", "7 smallint", "0 smallint"}, "[7] array<smallint>"},
      {{"2024-02-28 date", "2024-03-01 date"}, "[2024-02-28,2024-02-29,2024-03-01] array<date>"},
      {{"2024-03-01 date", "2024-02-20 date", "-7 bigint"}, "[2024-03-01,2024-02-23] array<date>"},
      {{"1 int", "null int"}, "null array<int>"},
      {{"1 int", "3 int", "-1 int"}, "null array<int>", functions::kNeedsSpark},
      {{"1 int", "3 int", "0 int"}, "null array<int>", functions::kNeedsSpark},
      {{"0 bigint", "9223372036854775807 bigint"}, "null array<bigint>", functions::kNeedsSpark},
      {{"-9223372036854775808 bigint", "9223372036854775807 bigint"}, "null array<bigint>", functions::kNeedsSpark},
  };
  static constexpr bool can_fail(bool) { return true; }

  /// Steps of dates by months depend on the time zone; those of days are the same everywhere.
  template <class Call>
  static auto bind(Call& call) {
    const auto start = call.argument("start");
    const auto stop = call.argument("stop");
    const auto step = call.argument_if("stepOpt");
    call.skip("timeZoneId");
    call.finish();
    if (!step) return call.call({start, stop});
    if (!call.type_of(start).is(Call::TypeId::Date)) return call.call({start, stop, *step});
    const std::optional<int64_t> days = days_of(call, *step);
    if (!days) call.refuse("of dates by a step other than constant days");
    return call.call({start, stop, call.constant(*days, types::DataType(Call::TypeId::Long))});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const types::DataType element = call.type().fields().front().type;
    TakenRows offsets(call.num_rows() + 1, call.budget());
    int64_t total = 0;
    offsets[0] = 0;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      const std::optional<int64_t> length = call.counts(row) ? Range(call, row).length() : 0;
      if (!length) call.leave_to_spark(row);
      total += length.value_or(0);
      memory::check_offsets(total, "array elements");
      offsets[row + 1] = static_cast<int32_t>(total);
    }
    columns::FlatBuilder builder(element, element.physical(), total, call.budget());
    columns::visit_physical(element.physical(), [&](auto value) {
      using T = decltype(value);
      if constexpr (std::is_integral_v<T>) fill(call, offsets.span(), builder.values<T>());
      return true;
    });
    return columns::Column::flat({call.type(),
                                  types::PhysicalType::Array,
                                  call.num_rows(),
                                  0,
                                  offsets.buffer(),
                                  nullptr,
                                  {},
                                  {builder.finish()}});
  }

 private:
  /// What a row asks for.
  struct Range {
    Range(const ColumnCall& call, int64_t row)
        : start(Integers(call.argument(0)).at(row)),
          stop(Integers(call.argument(1)).at(row)),
          step(call.arguments().size() > 2 ? Integers(call.argument(2)).at(row)
               : start <= stop             ? 1
                                           : -1) {}

    /// Returns how many values it has; nothing where Spark fails.
    std::optional<int64_t> length() const {
      const bool leads_there = step > 0 ? start <= stop : step < 0 ? start >= stop : start == stop;
      if (!leads_there) return std::nullopt;
      if (start == stop) return 1;
      int64_t distance = 0;
      if (__builtin_sub_overflow(stop, start, &distance)) return std::nullopt;
      if (distance == INT64_MIN && step == -1) return std::nullopt;
      const int64_t steps = distance / step;
      return steps < types::kMaxStringBytes ? std::optional(steps + 1) : std::nullopt;
    }

    int64_t start, stop, step;
  };

  template <class T>
  static void fill(const ColumnCall& call, std::span<const int32_t> offsets, T* to) {
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      const int64_t length = offsets[static_cast<size_t>(row) + 1] - offsets[static_cast<size_t>(row)];
      if (length == 0) continue;
      const Range range(call, row);
      for (int64_t i = 0; i < length; ++i) *to++ = static_cast<T>(range.start + range.step * i);
    }
  }

  /// Returns a constant interval as days; nothing where it is no constant, or has no days or other parts.
  template <class Call>
  static std::optional<int64_t> days_of(const Call& call, auto step) {
    constexpr int64_t kMicrosPerDay = 86'400'000'000;
    const columns::ColumnPtr constant = call.builder().constant_of(step);
    if (!constant || constant->is_null(0) || !call.type_of(step).is(Call::TypeId::DayTimeInterval)) return std::nullopt;
    const int64_t micros = constant->values<int64_t>()[0];
    if (micros == 0 || micros % kMicrosPerDay != 0) return std::nullopt;
    const int64_t days = micros / kMicrosPerDay;
    return days == static_cast<int32_t>(days) ? std::optional(days) : std::nullopt;
  }
};

}  // namespace accelerant::column_functions
