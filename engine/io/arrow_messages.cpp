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
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <utility>

namespace accelerant::io {

namespace {

constexpr uint8_t kOneGroup[] = {0, 0, 0, 1};
constexpr uint8_t kNoGroup[] = {0, 0, 0, 0};
constexpr uint8_t kEndOfStream[] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};

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

int64_t ArrowMessage::size_bytes() const {
  return std::ssize(before_) + (parts_ ? arrow::ipc::GetPayloadSize(*parts_) : 0) + std::ssize(after_);
}

void ArrowMessage::write(uint8_t* to) const {
  to = std::ranges::copy(before_, to).out;
  if (parts_) {
    const int64_t size = arrow::ipc::GetPayloadSize(*parts_);
    arrow::io::FixedSizeBufferWriter out(std::make_shared<arrow::MutableBuffer>(to, size));
    int32_t header_bytes;
    check_message(arrow::ipc::WriteIpcPayload(*parts_, arrow::ipc::IpcWriteOptions::Defaults(), &out, &header_bytes));
    to += size;
  }
  std::ranges::copy(after_, to);
}

ArrowMessageWriter::ArrowMessageWriter(std::span<const uint8_t> schema, const types::DataType& type,
                                       const std::shared_ptr<memory::Budget>& budget)
    : pool_(std::make_unique<ArrowPool>(budget)),
      schema_(arrow_schema(type)),
      is_wrapped_(wraps(*read_schema(schema), *schema_)) {}

ArrowMessageWriter::~ArrowMessageWriter() = default;

std::vector<ArrowMessage> ArrowMessageWriter::write(std::span<ArrowArray* const> batches, MessageLimits limits) const {
  std::vector<ArrowMessage> messages;
  for (const Rows& rows : together(take(batches))) append(rows, limits, messages);
  return messages;
}

std::vector<ArrowMessageWriter::Rows> ArrowMessageWriter::take(std::span<ArrowArray* const> batches) const {
  std::vector<Rows> rows;
  arrow::Status status;
  for (ArrowArray* batch : batches) {
    auto imported = arrow::ImportRecordBatch(batch, schema_);
    status &= imported.status();
    if (imported.ok()) rows.push_back(std::move(imported).ValueUnsafe());
  }
  check_message(status);
  return rows;
}

std::vector<ArrowMessageWriter::Rows> ArrowMessageWriter::together(std::vector<Rows> rows) const {
  if (rows.size() < 2) return rows;
  auto joined = arrow::ConcatenateRecordBatches(rows, pool_.get());
  if (joined.status().IsOutOfMemory()) pool_->raise_out_of_memory();
  return joined.ok() ? std::vector<Rows>{std::move(joined).ValueUnsafe()} : rows;
}

void ArrowMessageWriter::append(const Rows& rows, MessageLimits limits, std::vector<ArrowMessage>& messages) const {
  const int64_t step = limits.max_rows > 0 ? limits.max_rows : rows->num_rows();
  for (int64_t first = 0; first < rows->num_rows(); first += step) {
    append_halved(rows->Slice(first, step), limits.max_bytes, messages);
  }
}

/// Appends rows in halves until these are small enough; a payload shares its buffers, so that one too many costs
/// little.
void ArrowMessageWriter::append_halved(const Rows& rows, int64_t max_bytes, std::vector<ArrowMessage>& messages) const {
  auto options = arrow::ipc::IpcWriteOptions::Defaults();
  options.memory_pool = pool_.get();
  options.use_threads = false;
  auto parts = std::make_shared<arrow::ipc::IpcPayload>();
  const auto status = arrow::ipc::GetRecordBatchPayload(is_wrapped_ ? *wrapped(*rows) : *rows, options, parts.get());
  if (status.IsOutOfMemory()) pool_->raise_out_of_memory();
  check_message(status);
  if (max_bytes > 0 && parts->raw_body_length > max_bytes && rows->num_rows() > 1) {
    const int64_t half = rows->num_rows() / 2;
    append_halved(rows->Slice(0, half), max_bytes, messages);
    append_halved(rows->Slice(half), max_bytes, messages);
  } else {
    messages.emplace_back(std::move(parts));
  }
}

std::vector<ArrowMessage> ArrowGroupWriter::write(ArrowArray* batch, std::span<const int64_t> begins,
                                                  MessageLimits limits) {
  const Rows rows = writer_.take({&batch, 1}).front();
  std::vector<ArrowMessage> messages;
  int64_t first = 0;
  for (const int64_t begin : begins) {
    if (begin > first) waiting_.push_back(rows->Slice(first, begin - first));
    end_group(limits, messages);
    first = begin;
  }
  wait(rows->Slice(first));
  if (limits.max_bytes > 0 && waiting_bytes_ >= limits.max_bytes) {
    emit_waiting(limits, messages);
  } else if (limits.max_rows > 0 && num_waiting_ > limits.max_rows) {
    emit_full(limits, messages);
  }
  return messages;
}

std::vector<ArrowMessage> ArrowGroupWriter::finish(MessageLimits limits) {
  std::vector<ArrowMessage> messages;
  end_group(limits, messages);
  if (is_first_) return messages;
  std::vector<uint8_t> end(std::begin(kEndOfStream), std::end(kEndOfStream));
  end.insert(end.end(), std::begin(kNoGroup), std::end(kNoGroup));
  messages.emplace_back().set_after(std::move(end));
  return messages;
}

void ArrowGroupWriter::wait(Rows rows) {
  if (rows->num_rows() == 0) return;
  const auto bytes = arrow::util::ReferencedBufferSize(*rows);
  check_message(bytes.status());
  num_waiting_ += rows->num_rows();
  waiting_bytes_ += *bytes;
  waiting_.push_back(std::move(rows));
}

/// Emits what waits but for the last message of the group, as far as can be seen now.
void ArrowGroupWriter::emit_full(MessageLimits limits, std::vector<ArrowMessage>& messages) {
  waiting_ = writer_.together(std::move(waiting_));
  if (waiting_.size() > 1) return emit_waiting(limits, messages);  // No array holds them.
  const Rows rows = std::exchange(waiting_, {}).front();
  const int64_t num_left = (rows->num_rows() - 1) % limits.max_rows + 1;
  const int64_t num_emitted = rows->num_rows() - num_left;
  num_waiting_ = waiting_bytes_ = 0;
  emit(rows->Slice(0, num_emitted), limits, messages);
  wait(rows->Slice(num_emitted));
}

void ArrowGroupWriter::emit_waiting(MessageLimits limits, std::vector<ArrowMessage>& messages) {
  for (const Rows& rows : writer_.together(std::exchange(waiting_, {}))) emit(rows, limits, messages);
  num_waiting_ = waiting_bytes_ = 0;
}

void ArrowGroupWriter::end_group(MessageLimits limits, std::vector<ArrowMessage>& messages) {
  emit_waiting(limits, messages);
  is_begun_ = false;
}

void ArrowGroupWriter::emit(const Rows& rows, MessageLimits limits, std::vector<ArrowMessage>& messages) {
  const size_t first = messages.size();
  writer_.append(rows, limits, messages);
  if (std::exchange(is_begun_, true)) return;
  std::vector<uint8_t> begin;
  if (!std::exchange(is_first_, false)) begin.assign(std::begin(kEndOfStream), std::end(kEndOfStream));
  begin.insert(begin.end(), std::begin(kOneGroup), std::end(kOneGroup));
  begin.insert(begin.end(), schema_.begin(), schema_.end());
  messages[first].set_before(std::move(begin));
}

}  // namespace accelerant::io
