#pragma once

#include "column_functions/integers.h"
#include "column_functions/java_text.h"
#include "column_functions/split_pattern.h"
#include "column_functions/text_slice.h"
#include "memory/array.h"
#include "memory/offset_limit.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstdint>

namespace accelerant::column_functions {

struct StringSplit {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringSplit",
      .sql = "split(text, pattern, limit)",
      .text = "Splits a text at a pattern that stands for a text, into so many parts at most if the limit is over 0.",
  };
  static constexpr const char* kSignatures[] = {"string, string, int -> array<string>"};
  static constexpr functions::Example kExamples[] = {
      {{"a,b,,c string", ", string", "-1 int"}, "[a,b,,c] array<string>"},
      {{",a, string", ", string", "0 int"}, "[,a,] array<string>"},
      {{"a;b;c string", "; string", "2 int"}, "[a,b;c] array<string>"},
      {{"a--b string", "-- string", "1 int"}, "[a--b] array<string>"},
      {{"a text of many bytes and another of as many string", " and another string", "-1 int"},
       "[a text of many bytes, of as many] array<string>"},
      {{"null string", ", string", "-1 int"}, "null array<string>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto text = call.argument("str");
    const auto pattern = call.argument("regex");
    const auto limit = call.argument("limit");
    call.finish();
    return call.call({text, bind_pattern(call, pattern), limit});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const columns::ColumnPtr texts = as_java_text(call, 0);
    const StoredRows rows(*texts);
    const StoredRows parts(call.argument(1));
    const Integers limits(call.argument(2));
    memory::Array<types::StringView> views(call.budget());
    auto offsets =
        memory::Buffer::allocate((call.num_rows() + 1) * static_cast<int64_t>(sizeof(int32_t)), call.budget());
    offsets->mutable_as<int32_t>()[0] = 0;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row)) {
        split_text(TextSlice::of(rows.values(), rows.place(row)), bytes_of(parts, row), limits.at(row),
                   [&](const TextSlice& part) { views.push_back(part.view()); });
      }
      memory::check_offsets(static_cast<int64_t>(views.size()), "array elements");
      offsets->mutable_as<int32_t>()[row + 1] = static_cast<int32_t>(views.size());
    }
    columns::FlatBuilder builder(call.type().fields().front().type, types::PhysicalType::String, views.size(),
                                 call.budget());
    std::ranges::copy(views.span(), builder.values<types::StringView>());
    builder.set_heap(rows.values().heap());
    return columns::Column::flat({call.type(),
                                  types::PhysicalType::Array,
                                  call.num_rows(),
                                  0,
                                  std::move(offsets),
                                  nullptr,
                                  {},
                                  {builder.finish()}});
  }
};

}  // namespace accelerant::column_functions
