#pragma once

#include "functions/aggregate/sorted_list.h"
#include "functions/comparison/order.h"

namespace accelerant::functions {

struct ListAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.ListAgg",
      .sql = "listagg(expr, delimiter)",
      .text =
          "Returns the strings that are not null, in the order of their rows, their own or that of other values, with "
          "a delimiter between them.",
      .fields = {"child", "delimiter"},
      .literals = {"delimiter"},
      .order = "orderExpressions",
      .order_sensitive = true,
      .takes_nested = true,
  };
  /// Instead of a value a struct of it and what it is ordered by.
  template <class Type>
  using Of = SignatureList<Signature<Type, Type, Type>, Signature<Type, Type, types::NullType>,
                           Signature<Type, types::AnyType, Type>, Signature<Type, types::AnyType, types::NullType>>;
  using Signatures = Concatenate<Of<types::StringType>, Of<types::BinaryType>>::Type;
  static constexpr AggregateExample kExamples[] = {
      {"a string ; - string | null string ; - string | a string of more than twelve bytes string ; - string",
       "a-a string of more than twelve bytes string"},
      {"a string ; null string | b string ; null string", "ab string"},
      {"null string ; - string", "null string"},
      {"b string ; - string | a string ; - string | b string ; - string", "a-b-b string", 0, {.is_ordered = true}},
      {"a string ; null string | c string ; null string | b string ; null string",
       "cba string",
       0,
       {.is_ordered = true, .descending = true}},
  };

  static constexpr bool kCollects = true;

  ACC_HD static int64 size(List<types::StringRef> texts, types::Nullable<types::StringRef> delimiter,
                           const AggregateContext& context) {
    if (texts.length == 0) return -1;
    if (context.options.is_ordered) sort(texts, context.options.descending);
    int64 bytes = delimiter.valid ? delimiter.value.length * (texts.length - 1) : 0;
    for (int64 i = 0; i < texts.length; ++i) bytes += texts.values[i].length;
    return bytes;
  }

  ACC_HD static void write(List<types::StringRef> texts, types::Nullable<types::StringRef> delimiter, char* out) {
    for (int64 i = 0; i < texts.length; ++i) {
      if (i > 0 && delimiter.valid) out = types::append(delimiter.value, out);
      out = types::append(texts.values[i], out);
    }
  }

 private:
  ACC_HD static void sort(List<types::StringRef> texts, bool descending) {
    sort_list(texts, [descending](types::StringRef lhs, types::StringRef rhs) {
      return descending ? less(rhs, lhs) : less(lhs, rhs);
    });
  }
};

}  // namespace accelerant::functions
