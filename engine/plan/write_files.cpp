#include "plan/write_files.h"

#include "expressions/moved_program.h"

#include <utility>

namespace accelerant::plan {

std::string WriteFiles::describe() const {
  const std::string folders = "folders=" + std::to_string(files.partition_columns.size());
  return bucket_id ? folders + " buckets sorted=" + std::to_string(files.sort_columns.size()) : folders;
}

ColumnPositions WriteFiles::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  for (std::vector<int>* columns : {&files.partition_columns, &files.sort_columns}) {
    for (int& column : *columns) column = places.front()[static_cast<size_t>(column)].value();
  }
  bucket_id = expressions::moved(bucket_id, places.front());
  return pass_on(std::move(changed), places);
}

}  // namespace accelerant::plan
