#include "base/error.h"
#include "plan/limit.h"
#include "plan/operator_rules.h"

#include <memory>
#include <string>
#include <utility>

namespace accelerant::plan {

int64_t rows_after_offset(int64_t limit, int64_t offset) {
  if (limit < -1 || offset < 0 || (limit >= 0 && limit < offset)) {
    throw_unsupported("limit " + std::to_string(limit) + " with offset " + std::to_string(offset));
  }
  return limit < 0 ? Limit::kAll : limit - offset;
}

Relation Limit::bind(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  auto node = std::make_shared<Limit>();
  node->offset = fields.take_integer("offset");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  node->limit = rows_after_offset(rows, node->offset);
  stand_above(input, std::move(node), fields.index());
  return input;
}

}  // namespace accelerant::plan
