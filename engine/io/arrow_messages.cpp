#include "io/arrow_messages.h"

#include "base/error.h"
#include "io/arrow_pool.h"
#include "io/arrow_schema.h"

#include <arrow/array/array_nested.h>
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

void check_message(const arrow::Status& status) {
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

/// Says whether a schema lays out `ours` as one column of structs; refuses what lays out neither that nor `ours`
/// itself.
bool wraps(const arrow::Schema& theirs, const arrow::Schema& ours) {
  const auto columns = arrow::struct_(ours.fields());
  if (has_layout_of(*arrow::struct_(theirs.fields()), *columns)) return false;
  if (theirs.num_fields() == 1 && has_layout_of(*theirs.field(0)->type(), *columns)) return true;
  throw_unsupported("batches of the Arrow schema " + theirs.ToString() + " instead of " + ours.ToString());
}

std::shared_ptr<arrow::RecordBatch> wrapped(const arrow::RecordBatch& rows) {
  const auto type = arrow::struct_(rows.schema()->fields());
  auto structs = std::make_shared<arrow::StructArray>(type, rows.num_rows(), rows.columns());
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("", type)}), rows.num_rows(), {std::move(structs)});
}

}  // namespace

int64_t ArrowMessage::size_bytes() const { return arrow::ipc::GetPayloadSize(*parts_); }

void ArrowMessage::write(uint8_t* to) const {
  arrow::io::FixedSizeBufferWriter out(std::make_shared<arrow::MutableBuffer>(to, size_bytes()));
  int32_t header_bytes;
  check_message(arrow::ipc::WriteIpcPayload(*parts_, arrow::ipc::IpcWriteOptions::Defaults(), &out, &header_bytes));
}

ArrowMessageWriter::ArrowMessageWriter(std::span<const uint8_t> schema, const types::DataType& type,
                                       const std::shared_ptr<memory::Budget>& budget)
    : pool_(std::make_unique<ArrowPool>(budget)),
      schema_(arrow_schema(type)),
      is_wrapped_(wraps(*read_schema(schema), *schema_)) {}

ArrowMessageWriter::~ArrowMessageWriter() = default;

std::vector<ArrowMessage> ArrowMessageWriter::write(std::span<ArrowArray* const> batches, int64_t max_rows,
                                                    int64_t max_bytes) const {
  std::vector<ArrowMessage> messages;
  for (const Rows& rows : together(batches)) {
    const int64_t step = max_rows > 0 ? max_rows : rows->num_rows();
    for (int64_t first = 0; first < rows->num_rows(); first += step) {
      append(rows->Slice(first, step), max_bytes, messages);
    }
  }
  return messages;
}

std::vector<ArrowMessageWriter::Rows> ArrowMessageWriter::together(std::span<ArrowArray* const> batches) const {
  std::vector<Rows> rows;
  arrow::Status status;
  for (ArrowArray* batch : batches) {
    auto imported = arrow::ImportRecordBatch(batch, schema_);
    status &= imported.status();
    if (imported.ok()) rows.push_back(std::move(imported).ValueUnsafe());
  }
  check_message(status);
  if (rows.size() < 2) return rows;
  auto joined = arrow::ConcatenateRecordBatches(rows, pool_.get());
  if (joined.status().IsOutOfMemory()) pool_->raise_out_of_memory();
  return joined.ok() ? std::vector<Rows>{std::move(joined).ValueUnsafe()} : rows;
}

/// Appends rows in halves until these are small enough; a payload shares its buffers, so that one too many costs
/// little.
void ArrowMessageWriter::append(const Rows& rows, int64_t max_bytes, std::vector<ArrowMessage>& messages) const {
  auto options = arrow::ipc::IpcWriteOptions::Defaults();
  options.memory_pool = pool_.get();
  options.use_threads = false;
  auto parts = std::make_shared<arrow::ipc::IpcPayload>();
  const auto status = arrow::ipc::GetRecordBatchPayload(is_wrapped_ ? *wrapped(*rows) : *rows, options, parts.get());
  if (status.IsOutOfMemory()) pool_->raise_out_of_memory();
  check_message(status);
  if (max_bytes > 0 && parts->raw_body_length > max_bytes && rows->num_rows() > 1) {
    const int64_t half = rows->num_rows() / 2;
    append(rows->Slice(0, half), max_bytes, messages);
    append(rows->Slice(half), max_bytes, messages);
  } else {
    messages.emplace_back(std::move(parts));
  }
}

}  // namespace accelerant::io
