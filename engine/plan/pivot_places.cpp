#include "plan/pivot_places.h"

#include "base/error.h"
#include "column_functions/value_order.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"

#include <vector>

namespace accelerant::plan {

using columns::Column;
using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kArrayPosition = "org.apache.spark.sql.catalyst.expressions.ArrayPosition";

/// Each row is compared with so many at most.
constexpr int64_t kMostPlaces = 1000;

void check_different(const Column& constants) {
  column_functions::with_equality(constants, constants, [&](auto equal) {
    for (int64_t i = 0; i < constants.length(); ++i) {
      for (int64_t j = 0; j < i; ++j) {
        const bool any_null = constants.is_null(i) || constants.is_null(j);
        if (any_null ? constants.is_null(i) == constants.is_null(j) : equal(i, j))
          throw_unsupported("a pivot with the same value twice");
      }
    }
  });
}

/// Says whether values are found alike by all of Spark's versions: they look floats up by Java's equality or by their
/// own, and bytes as objects before 4.3.
bool is_found_alike(const DataType& type) {
  return !type.is_floating() && !type.is(TypeId::Null) && !type.is(TypeId::Binary);
}

/// Returns the place of null, from 1; 0: it is none.
int64_t place_of_null(const Column& constants) {
  for (int64_t i = 0; i < constants.length(); ++i) {
    if (constants.is_null(i)) return i + 1;
  }
  return 0;
}

}  // namespace

Slot bind_place(ExpressionBinder& binder, Slot value, const FieldValue& constants, int expression) {
  expressions::ProgramBuilder& builder = binder.builder();
  const DataType type = builder.type(value);
  if (!is_found_alike(type)) throw_unsupported("a pivot by a column of type " + type.to_string());
  const FieldValue* values[] = {&constants};
  const columns::ColumnPtr list = make_constants(values, DataType::array(type, true));
  const Column& elements = *list->children().front();
  if (elements.length() > kMostPlaces) throw_unsupported("a pivot with more than 1,000 values");
  check_different(elements);
  const DataType place(TypeId::Long);
  const Slot found = builder.call(kArrayPosition, {builder.literal(list), value}, place, EvalMode::Ansi, expression);
  const int64_t of_null = place_of_null(elements);
  if (of_null == 0) return found;
  // Spark finds no place for it, or fails, by version.
  if (type.is_nested()) throw_unsupported("a pivot by null and values of type " + type.to_string());
  const FieldValue number{of_null};
  const FieldValue* numbers[] = {&number};
  return builder.coalesce({found, builder.literal(make_constants(numbers, place))}, place);
}

}  // namespace accelerant::plan
