#include "runtime/splits.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "plan/splits_message.h"

namespace accelerant::runtime {

namespace {

io::FileSplit to_file_split(const plan::MessageSplit& split) {
  if (!split.partition_values.empty()) throw_unsupported("partitioned table");
  io::FileSplit file;
  file.path = std::string(split.path);
  file.start = split.start;
  file.length = split.length;
  file.file_size = split.file_size;
  file.modification_millis = split.modification_millis;
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
      for (const plan::MessageSplit& split : files) partition.push_back(to_file_split(split));
    }
    return partitions;
  }
  throw Error(ErrorKind::Internal, "no splits for the scan at plan node " + std::to_string(scan.plan_node));
}

}  // namespace accelerant::runtime
