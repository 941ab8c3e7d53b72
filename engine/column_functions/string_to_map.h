#pragma once

#include "column_functions/java_text.h"
#include "column_functions/map_keys_check.h"
#include "column_functions/split_pattern.h"
#include "column_functions/text_slice.h"
#include "memory/array.h"
#include "memory/offset_limit.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace accelerant::column_functions {

struct StringToMap {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringToMap",
      .sql = "str_to_map(text, pairDelim, keyValueDelim)",
      .text = "Makes a map of a text of keys and values, at delimiters that each stand for a text.",
  };
  static constexpr const char* kSignatures[] = {"string, string, string -> map<string, string>"};
  static constexpr functions::Example kExamples[] = {
      {{"a:1;b:2;c string", "; string", ": string"}, "{a:1,b:2,c:null} map<string,string>"},
      {{"k=v=w&a key of many bytes=a value of as many string", "& string", "= string"},
       "{k:v=w,a key of many bytes:a value of as many} map<string,string>"},
      {{"null string", "; string", ": string"}, "null map<string,string>"},
  };
  static constexpr bool can_fail(bool) { return true; }

  template <class Call>
  static auto bind(Call& call) {
    const auto text = call.argument("text");
    const auto pairs = call.argument("pairDelim");
    const auto values = call.argument("keyValueDelim");
    call.finish();
    const auto between_pairs = bind_pattern(call, pairs);
    const auto before_value = bind_pattern(call, values);
    return bind_map(call, [&](auto mode) { return call.call({text, between_pairs, before_value}, mode); });
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const columns::ColumnPtr texts = as_java_text(call, 0);
    const StoredRows rows(*texts);
    const StoredRows between_pairs(call.argument(1));
    const StoredRows before_value(call.argument(2));
    Entries entries(call);
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row)) {
        split_text(TextSlice::of(rows.values(), rows.place(row)), bytes_of(between_pairs, row), -1,
                   [&](const TextSlice& pair) { entries.add(pair, bytes_of(before_value, row)); });
      }
      entries.end_row();
    }
    return std::move(entries).finish(call, rows.values());
  }

 private:
  /// The maps so far: views of keys and of values.
  class Entries {
   public:
    explicit Entries(const ColumnCall& call)
        : keys_(call.budget()), values_(call.budget()), has_value_(call.budget()), offsets_(call.budget()) {
      offsets_.push_back(0);
    }

    /// Adds an entry, the pair's up to where the part that comes before a value lies first.
    void add(const TextSlice& pair, std::string_view before_value) {
      const size_t end = pair.find(before_value, pair.begin);
      const bool has_value = end != std::string_view::npos;
      keys_.push_back(pair.from_to(pair.begin, has_value ? end : pair.end).view());
      values_.push_back(has_value ? pair.from_to(end + before_value.size(), pair.end).view() : types::StringView{});
      has_value_.push_back(has_value);
    }
    void end_row() {
      memory::check_offsets(static_cast<int64_t>(keys_.size()), "map entries");
      offsets_.push_back(static_cast<int32_t>(keys_.size()));
    }
    /// @param texts what the views point into
    columns::ColumnPtr finish(ColumnCall& call, const columns::Column& texts) && {
      columns::ColumnPtr keys = column_of(call, keys_.span(), texts, {});
      check_keys(call, *keys, offsets_.span());
      auto offsets = memory::Buffer::allocate(offsets_.size() * static_cast<int64_t>(sizeof(int32_t)), call.budget());
      std::ranges::copy(offsets_.span(), offsets->mutable_as<int32_t>());
      return columns::Column::flat({call.type(),
                                    types::PhysicalType::Map,
                                    call.num_rows(),
                                    0,
                                    std::move(offsets),
                                    nullptr,
                                    {},
                                    {std::move(keys), column_of(call, values_.span(), texts, has_value_.span())}});
    }

   private:
    /// @param is_valid of each view; empty: all are
    static columns::ColumnPtr column_of(const ColumnCall& call, std::span<const types::StringView> views,
                                        const columns::Column& texts, std::span<const uint8_t> is_valid) {
      columns::FlatBuilder builder(types::DataType(types::TypeId::String), types::PhysicalType::String,
                                   static_cast<int64_t>(views.size()), call.budget());
      std::ranges::copy(views, builder.values<types::StringView>());
      for (size_t i = 0; i < is_valid.size(); ++i) {
        if (!is_valid[i]) bits::clear(builder.validity(), static_cast<int64_t>(i));
      }
      builder.set_heap(texts.heap());
      return builder.finish();
    }

    memory::Array<types::StringView> keys_;
    memory::Array<types::StringView> values_;
    memory::Array<uint8_t> has_value_;
    memory::Array<int32_t> offsets_;
  };
};

}  // namespace accelerant::column_functions
