#include "plan/splits_message.h"

#include "plan/byte_reader.h"
#include "plan/value_decoder.h"

namespace accelerant::plan {

namespace {

constexpr uint64_t kFormatVersion = 1;
constexpr size_t kMinScanBytes = 2;
constexpr size_t kMinSplitBytes = 6;

MessageSplit decode_split(ByteReader& reader, ValueDecoder& decoder) {
  MessageSplit split;
  split.path = reader.text();
  split.start = reader.int64();
  split.length = reader.int64();
  if (split.start > INT64_MAX - split.length) reader.fail("a split ends beyond 64 bits");
  split.file_size = reader.int64();
  split.modification_millis = reader.svarint();
  const size_t count = reader.count();
  split.partition_values.reserve(count);
  for (size_t i = 0; i < count; ++i) split.partition_values.push_back(decoder.value(0));
  return split;
}

MessageScan decode_scan(ByteReader& reader, ValueDecoder& decoder) {
  MessageScan scan;
  scan.plan_node = reader.int32();
  scan.partitions.resize(reader.count());
  for (auto& partition : scan.partitions) {
    const size_t count = reader.count(kMinSplitBytes);
    partition.reserve(count);
    for (size_t i = 0; i < count; ++i) partition.push_back(decode_split(reader, decoder));
  }
  return scan;
}

}  // namespace

SplitsMessage decode_splits(std::span<const uint8_t> bytes) {
  SplitsMessage message;
  auto storage = std::make_unique<std::vector<uint8_t>>(bytes.begin(), bytes.end());
  ByteReader reader(*storage, "splits message");
  reader.header("ACCS", kFormatVersion);
  const std::vector<std::string> no_strings;
  ValueDecoder decoder(reader, no_strings);
  const size_t count = reader.count(kMinScanBytes);
  message.scans.reserve(count);
  for (size_t i = 0; i < count; ++i) message.scans.push_back(decode_scan(reader, decoder));
  reader.expect_end();
  message.storage = std::move(storage);
  return message;
}

}  // namespace accelerant::plan
