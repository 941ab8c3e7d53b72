#include "types/same_values.h"

#include "base/error.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace accelerant::types {

bool same_values(const DataType& a, const DataType& b) {
  if (!a.is_nested() || a.id() != b.id()) return a == b;
  return std::ranges::equal(a.fields(), b.fields(),
                            [](const Field& x, const Field& y) { return same_values(x.type, y.type); });
}

DataType null_as_either(const DataType& a, const DataType& b) {
  if (!a.is_nested() || a == b) return a;
  ACC_CHECK(same_values(a, b));
  std::vector<Field> fields = a.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    fields[i].type = null_as_either(fields[i].type, b.fields()[i].type);
    fields[i].nullable |= b.fields()[i].nullable;
  }
  if (a.is(TypeId::Array)) return DataType::array(std::move(fields[0].type), fields[0].nullable);
  if (a.is(TypeId::Map)) {
    return DataType::map(std::move(fields[0].type), std::move(fields[1].type), fields[1].nullable);
  }
  return DataType::structure(std::move(fields));
}

}  // namespace accelerant::types
