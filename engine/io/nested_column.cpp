#include "io/nested_column.h"

namespace accelerant::io {

std::vector<const FileColumn*> stored_columns(const FileColumn& column) {
  if (column.is_missing()) return {};
  if (!column.is_nested()) return {&column};
  std::vector<const FileColumn*> leaves;
  for (const NestedLeaf& leaf : column.nested->leaves) leaves.push_back(&leaf.column);
  return leaves;
}

}  // namespace accelerant::io
