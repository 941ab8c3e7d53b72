#include "planner/splits.h"

#include "base/error.h"
#include "plan/constants.h"
#include "plan/splits_message.h"

#include <string>
#include <utility>

namespace accelerant::planner {

namespace {

std::vector<columns::ColumnPtr> partition_values(const plan::MessageSplit& split, const plan::Scan& scan) {
  if (split.partition_values.size() != scan.partition_types.size()) {
    throw Error(ErrorKind::Internal, "a split has " + std::to_string(split.partition_values.size()) +
                                         " partition values, not " + std::to_string(scan.partition_types.size()));
  }
  std::vector<columns::ColumnPtr> values;
  for (size_t i = 0; i < scan.partition_types.size(); ++i) {
    const plan::FieldValue* value = &split.partition_values[i];
    values.push_back(plan::make_constants(std::span(&value, 1), scan.partition_types[i]));
  }
  return values;
}

io::FileSplit to_file_split(const plan::MessageSplit& split, const plan::Scan& scan) {
  io::FileSplit file;
  file.path = std::string(split.path);
  file.start = split.start;
  file.length = split.length;
  file.file_size = split.file_size;
  file.modification_millis = split.modification_millis;
  file.partition_values = partition_values(split, scan);
  return file;
}

}  // namespace

std::vector<std::vector<io::FileSplit>> decode_scan_splits(std::span<const uint8_t> message, const plan::Scan& scan) {
  const plan::SplitsMessage splits = plan::decode_splits(message);
  for (const plan::MessageScan& entry : splits.scans) {
    if (entry.plan_node != scan.plan_node) continue;
    std::vector<std::vector<io::FileSplit>> partitions;
    for (const auto& files : entry.partitions) {
      auto& partition = partitions.emplace_back();
      for (const plan::MessageSplit& split : files) partition.push_back(to_file_split(split, scan));
    }
    return partitions;
  }
  throw Error(ErrorKind::Internal, "no splits for the scan at plan node " + std::to_string(scan.plan_node));
}

}  // namespace accelerant::planner
