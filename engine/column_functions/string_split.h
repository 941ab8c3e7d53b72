#pragma once

#include "base/error.h"
#include "column_functions/integers.h"
#include "column_functions/java_text.h"
#include "column_functions/split_pattern.h"
#include "memory/array.h"
#include "types/string_view.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
    const columns::ColumnPtr constant = call.builder().constant_of(pattern);
    if (!constant || constant->is_null(0)) call.refuse("at a pattern that is no constant");
    const types::StringRef bytes = constant->string_at(0);
    const std::optional<std::string> part = text_of_pattern({bytes.data, static_cast<size_t>(bytes.length)});
    if (!part) call.refuse("at a pattern that stands for more than one text");
    return call.call({text, call.constant_text(*part), limit});
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
        split(rows.values(), rows.place(row), parts.values().string_at(parts.place(row)), limits.at(row), views);
      }
      if (views.size() > INT32_MAX) throw Error(ErrorKind::Resource, "a batch holds more than 2^31 array elements");
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

 private:
  /// Adds views of what stands between places where a part lies, into the same heap.
  static void split(const columns::Column& texts, int64_t place, types::StringRef part, int64_t limit,
                    memory::Array<types::StringView>& views) {
    const types::StringView whole = texts.values<types::StringView>()[place];
    const types::StringRef text = texts.string_at(place);
    const std::string_view searched(text.data, static_cast<size_t>(text.length));
    const std::string_view wanted(part.data, static_cast<size_t>(part.length));
    size_t begin = 0;
    for (int64_t count = 1; count != limit && !wanted.empty(); ++count) {
      const size_t end = searched.find(wanted, begin);
      if (end == searched.npos) break;
      views.push_back(view_of(whole, text, begin, end));
      begin = end + wanted.size();
    }
    views.push_back(view_of(whole, text, begin, searched.size()));
  }

  static types::StringView view_of(const types::StringView& whole, types::StringRef text, size_t begin, size_t end) {
    const types::StringRef slice{text.data + begin, static_cast<int32_t>(end - begin)};
    if (slice.length <= types::StringView::kMaxInlineBytes) return types::inline_view(slice);
    return types::heap_view(slice, whole.ref.buffer, whole.ref.offset + static_cast<int32_t>(begin));
  }
};

}  // namespace accelerant::column_functions
