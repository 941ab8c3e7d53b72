#pragma once

#include "column_functions/floats.h"
#include "column_functions/map_keys_check.h"
#include "column_functions/taken_rows.h"
#include "columns/gather.h"

#include <utility>
#include <vector>

namespace accelerant::column_functions {

struct CreateMap {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.CreateMap",
      .sql = "map(key, value, ...)",
      .text = "Makes a map of keys and values.",
  };
  static constexpr const char* kSignatures[] = {"any... -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"a string", "1 int"}, "{a:1} map<string,int>"},
      {{"a string", "null int"}, "{a:null} map<string,int>"},
      {{"null string", "1 int"}, "null map<string,int>", functions::kExternalError},
  };
  static constexpr bool kSeesNulls = true;
  static constexpr bool can_fail(bool) { return true; }

  static bool supports(std::span<const types::DataType>, const types::DataType& result) {
    return !has_floats(result.fields().front().type);
  }

  template <class Call>
  static auto bind(Call& call) {
    const auto entries = call.arguments("children");
    call.flag("useStringTypeWhenEmpty", false);
    call.finish();
    if (entries.empty()) call.refuse("of no entries");
    return bind_map(call, [&](auto mode) { return call.call(entries, mode); });
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const auto width = static_cast<int64_t>(call.arguments().size()) / 2;
    TakenRows taken(call.num_rows() * width, call.budget());
    TakenRows offsets(call.num_rows() + 1, call.budget());
    for (int64_t row = 0; row <= call.num_rows(); ++row) offsets[row] = static_cast<int32_t>(row * width);
    for (int64_t i = 0; i < call.num_rows() * width; ++i) {
      taken[i] = static_cast<int32_t>(i % width * call.num_rows() + i / width);
    }
    columns::ColumnPtr keys = every_other(call, 0, taken.span());
    columns::ColumnPtr values = every_other(call, 1, taken.span());
    check_keys(call, *keys, offsets.span());
    return columns::Column::flat({call.type(),
                                  types::PhysicalType::Map,
                                  call.num_rows(),
                                  0,
                                  offsets.buffer(),
                                  nullptr,
                                  {},
                                  {std::move(keys), std::move(values)}});
  }

 private:
  /// Returns every other argument's values from `first` on, as `taken` says.
  static columns::ColumnPtr every_other(const ColumnCall& call, size_t first, std::span<const int32_t> taken) {
    std::vector<columns::ColumnPtr> parts;
    for (size_t i = first; i < call.arguments().size(); i += 2) parts.push_back(call.arguments()[i]);
    return columns::gather(*columns::concatenate(parts, call.budget()), taken, call.budget());
  }
};

}  // namespace accelerant::column_functions
