#include "io/arrow_messages.h"

#include "base/error.h"
#include "io/arrow_pool.h"
#include "io/arrow_schema.h"

#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/dictionary.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <utility>

namespace accelerant::io {

namespace {

void check(const arrow::Status& status) {
  if (!status.ok()) throw Error(ErrorKind::Internal, "an Arrow message can't be made: " + status.ToString());
}

std::shared_ptr<arrow::Schema> read_schema(std::span<const uint8_t> message) {
  arrow::io::BufferReader reader(std::make_shared<arrow::Buffer>(message.data(), static_cast<int64_t>(message.size())));
  arrow::ipc::DictionaryMemo no_dictionaries;
  auto schema = arrow::ipc::ReadSchema(&reader, &no_dictionaries);
  if (!schema.ok()) throw_unsupported("an Arrow schema that can't be read: " + schema.status().ToString());
  return std::move(schema).ValueUnsafe();
}

bool has_layout_of(const arrow::DataType& type, const arrow::DataType& other) {
  if (type.id() != other.id()) return false;
  if (type.id() == arrow::Type::TIMESTAMP) {
    return static_cast<const arrow::TimestampType&>(type).unit() ==
           static_cast<const arrow::TimestampType&>(other).unit();
  }
  if (type.num_fields() == 0) return type.Equals(other);
  return std::ranges::equal(type.fields(), other.fields(), [](const auto& field, const auto& other_field) {
    return has_layout_of(*field->type(), *other_field->type());
  });
}

/// Returns `type` as Arrow's schema, which is what `wanted` lays out.
std::shared_ptr<arrow::Schema> agreed_schema(std::span<const uint8_t> wanted, const types::DataType& type) {
  const auto theirs = read_schema(wanted);
  auto ours = arrow_schema(type);
  if (!has_layout_of(*arrow::struct_(theirs->fields()), *arrow::struct_(ours->fields()))) {
    throw_unsupported("batches of the Arrow schema " + theirs->ToString() + " instead of " + ours->ToString());
  }
  return ours;
}

}  // namespace

int64_t ArrowMessage::size_bytes() const { return arrow::ipc::GetPayloadSize(*parts_); }

void ArrowMessage::write(uint8_t* to) const {
  arrow::io::FixedSizeBufferWriter out(std::make_shared<arrow::MutableBuffer>(to, size_bytes()));
  int32_t header_bytes;
  check(arrow::ipc::WriteIpcPayload(*parts_, arrow::ipc::IpcWriteOptions::Defaults(), &out, &header_bytes));
}

ArrowMessageWriter::ArrowMessageWriter(std::span<const uint8_t> schema, const types::DataType& type,
                                       const std::shared_ptr<memory::Budget>& budget)
    : pool_(std::make_unique<ArrowPool>(budget)), schema_(agreed_schema(schema, type)) {}

ArrowMessageWriter::~ArrowMessageWriter() = default;

std::vector<ArrowMessage> ArrowMessageWriter::write(ArrowArray* batch, int64_t max_rows) const {
  const auto rows = arrow::ImportRecordBatch(batch, schema_);
  check(rows.status());
  auto options = arrow::ipc::IpcWriteOptions::Defaults();
  options.memory_pool = pool_.get();
  options.use_threads = false;
  const int64_t num_rows = (*rows)->num_rows();
  const int64_t step = max_rows > 0 ? max_rows : num_rows;
  std::vector<ArrowMessage> messages;
  for (int64_t first = 0; first < num_rows; first += step) {
    auto parts = std::make_shared<arrow::ipc::IpcPayload>();
    const auto status = arrow::ipc::GetRecordBatchPayload(*(*rows)->Slice(first, step), options, parts.get());
    if (status.IsOutOfMemory()) throw Error(ErrorKind::Resource, pool_->failure());
    check(status);
    messages.emplace_back(std::move(parts));
  }
  return messages;
}

}  // namespace accelerant::io
