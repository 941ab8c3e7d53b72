#pragma once

#include "base/error.h"
#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

struct ArrayJoin {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayJoin",
      .sql = "array_join(array, delimiter, replacement)",
      .text = "Joins strings by a delimiter; nulls are left out where nothing is to stand for them.",
  };
  static constexpr const char* kSignatures[] = {"array<string>, string -> string",
                                                "array<string>, string, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"[a,null,b] array<string>", ", string"}, "a,b string"},
      {{"[null,a,null] array<string>", "-- string", "x string"}, "x--a--x string"},
      {{"[a string,of more than,twelve bytes] array<string>", "/ string"}, "a string/of more than/twelve bytes string"},
      {{"[] array<string>", ", string"}, " string"},
      {{"[null] array<string>", ", string"}, " string"},
      {{"[a] array<string>", "null string"}, "null string"},
      {{"[a] array<string>", ", string", "null string"}, "null string"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("array");
    const auto delimiter = call.argument("delimiter");
    const auto replacement = call.argument_if("nullReplacement");
    call.finish();
    return replacement ? call.call({array, delimiter, *replacement}) : call.call({array, delimiter});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const Texts texts(call);
    columns::FlatBuilder builder(call.type(), types::PhysicalType::String, call.num_rows(), call.budget());
    std::vector<memory::BufferPtr> heap;
    for (int64_t first = 0; first < call.num_rows();) {
      const auto [end, bytes] = rows_of_a_buffer(call, texts, first);
      const auto buffer = memory::Buffer::allocate(bytes, call.budget());
      int64_t used = 0;
      for (int64_t row = first; row < end; ++row) {
        char* begin = buffer->mutable_as<char>() + used;
        const auto length = static_cast<int32_t>(call.counts(row) ? texts.write(row, begin) - begin : 0);
        const types::StringRef text{begin, length};
        const bool is_inline = length <= types::StringView::kMaxInlineBytes;
        builder.values<types::StringView>()[row] =
            is_inline ? types::inline_view(text)
                      : types::heap_view(text, static_cast<int32_t>(heap.size()), static_cast<int32_t>(used));
        if (!is_inline) used += length;
      }
      heap.push_back(buffer);
      first = end;
    }
    builder.set_heap(std::move(heap));
    return builder.finish();
  }

 private:
  static constexpr int64_t kMostBufferBytes = int64_t{1} << 30;

  /// The texts that a row is joined of.
  class Texts {
   public:
    explicit Texts(const ColumnCall& call)
        : lists_(call.argument(0)), elements_(lists_.elements()), delimiters_(call.argument(1)) {
      if (call.arguments().size() > 2) replacements_.emplace(call.argument(2));
    }

    /// Shows each piece of a row's text.
    template <class Visit>
    void visit(int64_t row, Visit visit) const {
      bool is_first = true;
      const int64_t end = int64_t{lists_.first(row)} + lists_.size(row);
      for (int64_t element = lists_.first(row); element < end; ++element) {
        const bool is_null = elements_.is_null(element);
        if (is_null && !replacements_) continue;
        if (!is_first) visit(text_of(delimiters_, row));
        visit(is_null ? text_of(*replacements_, row) : text_of(elements_, element));
        is_first = false;
      }
    }
    int64_t bytes(int64_t row) const {
      int64_t bytes = 0;
      visit(row, [&](types::StringRef text) { bytes += text.length; });
      return bytes;
    }
    /// Writes a row's text; returns the place after it.
    char* write(int64_t row, char* to) const {
      visit(row, [&](types::StringRef text) { to = types::append(text, to); });
      return to;
    }

   private:
    static types::StringRef text_of(const StoredRows& rows, int64_t row) {
      return rows.values().string_at(rows.place(row));
    }

    const ListRows lists_;
    const StoredRows elements_;
    const StoredRows delimiters_;
    std::optional<StoredRows> replacements_;
  };

  /// Returns up to which row texts go into one buffer from a row on, and their bytes.
  static std::pair<int64_t, int64_t> rows_of_a_buffer(const ColumnCall& call, const Texts& texts, int64_t first) {
    int64_t bytes = 0;
    int64_t row = first;
    for (; row < call.num_rows(); ++row) {
      const int64_t more = call.counts(row) ? texts.bytes(row) : 0;
      if (more > types::kMaxStringBytes) throw Error(ErrorKind::Resource, "a text takes more than 2 GiB");
      if (row > first && bytes + more > kMostBufferBytes) break;
      bytes += more;
    }
    return {row, bytes};
  }
};

}  // namespace accelerant::column_functions
