#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"
#include "columns/gather.h"

namespace accelerant::column_functions {

/// The number of the member comes as a constant second argument.
struct GetArrayStructFields {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetArrayStructFields",
      .sql = "array.member",
      .text = "Returns a member of each struct of an array.",
  };
  static constexpr const char* kSignatures[] = {"array<struct>, int -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[(1,a),null,(2,b)] array<struct<x:int,y:string>>", "1 int"}, "[a,null,b] array<string>"},
      {{"[] array<struct<x:int,y:string>>", "0 int"}, "[] array<int>"},
      {{"null array<struct<x:int,y:string>>", "0 int"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto value = call.argument("child");
    const auto ordinal = call.integer("ordinal");
    for (const char* field : {"field", "numFields", "containsNull"}) call.skip(field);
    call.finish();
    return call.call({value, call.number(ordinal)});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    if (call.num_rows() == 0) return columns::Column::nulls(call.type(), 0, call.budget());
    const auto member = static_cast<size_t>(StoredRows(call.argument(1)).values().values<int32_t>()[0]);
    const columns::ColumnPtr lists = columns::flatten(call.arguments().front(), call.budget());
    columns::FlatParts parts = lists->parts();
    parts.type = call.type();
    parts.children = {members_of(*lists->children().front(), member, call.budget())};
    return columns::Column::flat(std::move(parts));
  }

 private:
  /// Returns a member of each struct, null where there is no struct.
  static columns::ColumnPtr members_of(const columns::Column& structs, size_t member,
                                       const std::shared_ptr<memory::Budget>& budget) {
    if (structs.is_flat() && !structs.may_have_nulls()) {
      return structs.children()[member]->slice(structs.offset(), structs.length());
    }
    const StoredRows rows(structs);
    TakenRows taken(structs.length(), budget);
    for (int64_t row = 0; row < structs.length(); ++row) {
      taken[row] = rows.is_null(row) ? -1 : static_cast<int32_t>(rows.values().offset() + rows.place(row));
    }
    return columns::gather_or_null(*rows.values().children()[member], taken.span(), budget);
  }
};

}  // namespace accelerant::column_functions
