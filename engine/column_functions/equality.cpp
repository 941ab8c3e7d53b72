#include "column_functions/equality.h"

#include "column_functions/stored_rows.h"

namespace accelerant::column_functions {

using columns::Column;
using types::PhysicalType;

namespace {

/// Compares values of any encoding, which may be null.
bool equal_or_null(const Column& a, int64_t i, const Column& b, int64_t j) {
  if (a.is_null(i) || b.is_null(j)) return a.is_null(i) && b.is_null(j);
  const StoredRows left(a);
  const StoredRows right(b);
  return equal_values(left.values(), left.place(i), right.values(), right.place(j));
}

bool equal_structs(const Column& a, int64_t i, const Column& b, int64_t j) {
  for (size_t member = 0; member < a.children().size(); ++member) {
    if (!equal_or_null(*a.children()[member], a.offset() + i, *b.children()[member], b.offset() + j)) return false;
  }
  return true;
}

/// Compares lists element by element; maps, whose keys have an order of their own, are never compared.
bool equal_lists(const Column& a, int64_t i, const Column& b, int64_t j) {
  const int32_t* left = a.values<int32_t>() + i;
  const int32_t* right = b.values<int32_t>() + j;
  if (left[1] - left[0] != right[1] - right[0]) return false;
  for (int32_t element = 0; element < left[1] - left[0]; ++element) {
    for (size_t child = 0; child < a.children().size(); ++child) {
      if (!equal_or_null(*a.children()[child], left[0] + element, *b.children()[child], right[0] + element))
        return false;
    }
  }
  return true;
}

}  // namespace

bool equal_values(const Column& a, int64_t i, const Column& b, int64_t j) {
  if (a.physical() == PhysicalType::Struct) return equal_structs(a, i, b, j);
  if (a.type().is_nested()) return equal_lists(a, i, b, j);
  bool equal = true;
  with_equality(a, b, [&](auto compare) { equal = compare(i, j); });
  return equal;
}

}  // namespace accelerant::column_functions
