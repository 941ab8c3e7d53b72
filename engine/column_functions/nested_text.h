#pragma once

#include "column_functions/built_texts.h"
#include "column_functions/stored_rows.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::column_functions {

/// What stands for nulls is the second argument.
struct NestedText {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.NestedText",
      .sql = "(the text of a nested value)",
      .text = "Joins the texts of elements, entries or members as Spark prints a nested value.",
      .setting = {"spark.sql.legacy.castComplexTypesToString.enabled", "false"},
  };
  static constexpr const char* kSignatures[] = {"array<string>, string -> string",
                                                "map<string, string>, string -> string", "struct, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"[a,null,c] array<string>", "NULL string"}, "[a, NULL, c] string"},
      {{"[] array<string>", "NULL string"}, "[] string"},
      {{"{a:b,c:null} map<string,string>", "NULL string"}, "{a -> b, c -> NULL} string"},
      {{"{} map<string,string>", "NULL string"}, "{} string"},
      {{"(a member,null) struct<x:string,y:string>", "NULL string"}, "{a member, NULL} string"},
      {{"(null) struct<x:string>", "nothing string"}, "{nothing} string"},
      {{"null array<string>", "NULL string"}, "null string"},
  };

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return std::ranges::all_of(arguments.front().fields(),
                               [](const types::Field& child) { return child.type.is(types::TypeId::String); });
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const StoredRows null_texts(call.argument(1));
    const auto build = [&](auto visit_children) {
      return build_texts(call, [&](int64_t row, auto show) { visit_children(row, text_of(null_texts, row), show); });
    };
    const types::PhysicalType physical = call.argument(0).physical();
    if (physical == types::PhysicalType::Struct) return build(Members(call.argument(0)));
    if (physical == types::PhysicalType::Map) return build(Entries(call.argument(0)));
    return build(Elements(call.argument(0)));
  }

 private:
  static types::StringRef text_of(const StoredRows& rows, int64_t row) {
    return rows.values().string_at(rows.place(row));
  }
  static types::StringRef piece(const char* text, int32_t length) { return {text, length}; }

  /// Each shows the pieces of a row's text.
  class Elements {
   public:
    explicit Elements(const columns::Column& column) : lists_(column), texts_(lists_.elements()) {}

    template <class Show>
    void operator()(int64_t row, types::StringRef null_text, Show& show) const {
      show(piece("[", 1));
      for (int64_t i = 0; i < lists_.size(row); ++i) {
        if (i > 0) show(piece(", ", 2));
        const int64_t element = lists_.first(row) + i;
        show(texts_.is_null(element) ? null_text : text_of(texts_, element));
      }
      show(piece("]", 1));
    }

   private:
    const ListRows lists_;
    const StoredRows texts_;
  };

  class Entries {
   public:
    explicit Entries(const columns::Column& column)
        : maps_(column), keys_(maps_.elements()), values_(maps_.map_values()) {}

    template <class Show>
    void operator()(int64_t row, types::StringRef null_text, Show& show) const {
      show(piece("{", 1));
      for (int64_t i = 0; i < maps_.size(row); ++i) {
        if (i > 0) show(piece(", ", 2));
        const int64_t entry = maps_.first(row) + i;
        show(text_of(keys_, entry));
        show(piece(" -> ", 4));
        show(values_.is_null(entry) ? null_text : text_of(values_, entry));
      }
      show(piece("}", 1));
    }

   private:
    const ListRows maps_;
    const StoredRows keys_;
    const StoredRows values_;
  };

  class Members {
   public:
    explicit Members(const columns::Column& column) : structs_(column) {
      for (const columns::ColumnPtr& member : structs_.values().children()) members_.emplace_back(*member);
    }

    template <class Show>
    void operator()(int64_t row, types::StringRef null_text, Show& show) const {
      show(piece("{", 1));
      const int64_t place = structs_.values().offset() + structs_.place(row);
      for (size_t i = 0; i < members_.size(); ++i) {
        if (i > 0) show(piece(", ", 2));
        show(members_[i].is_null(place) ? null_text : text_of(members_[i], place));
      }
      show(piece("}", 1));
    }

   private:
    const StoredRows structs_;
    std::vector<StoredRows> members_;
  };
};

}  // namespace accelerant::column_functions
