#include "plan/splits_message.h"

#include "plan/byte_reader.h"
#include "plan/value_decoder.h"
#include "plan/varint.h"

namespace accelerant::plan {

namespace {

constexpr uint64_t kSplitsVersion = 1;
constexpr size_t kMinScanBytes = 2;
constexpr size_t kMinSplitBytes = 6;

MessageSplit decode_split(ByteReader& reader, ValueDecoder& decoder) {
  MessageSplit split;
  split.path_at = reader.position();
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
  reader.header("ACCS", kSplitsVersion);
  const std::vector<std::string> no_strings;
  ValueDecoder decoder(reader, no_strings);
  const size_t count = reader.count(kMinScanBytes);
  message.scans.reserve(count);
  for (size_t i = 0; i < count; ++i) message.scans.push_back(decode_scan(reader, decoder));
  reader.expect_end();
  message.storage = std::move(storage);
  return message;
}

std::vector<uint8_t> with_paths(std::span<const uint8_t> bytes,
                                const std::function<std::string(std::string_view)>& rename) {
  const SplitsMessage message = decode_splits(bytes);
  const std::vector<uint8_t>& from = *message.storage;
  std::vector<uint8_t> out;
  auto copied = from.begin();
  for (const MessageScan& scan : message.scans) {
    for (const auto& partition : scan.partitions) {
      for (const MessageSplit& split : partition) {
        out.insert(out.end(), copied, from.begin() + static_cast<int64_t>(split.path_at));
        const std::string path = rename(split.path);
        append_varint(path.size(), out);
        out.insert(out.end(), path.begin(), path.end());
        const auto* path_end = reinterpret_cast<const uint8_t*>(split.path.data() + split.path.size());
        copied = from.begin() + (path_end - from.data());
      }
    }
  }
  out.insert(out.end(), copied, from.end());
  return out;
}

}  // namespace accelerant::plan
