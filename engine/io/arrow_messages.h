#pragma once

#include "columns/arrow_abi.h"
#include "memory/budget.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace arrow {
class RecordBatch;
class Schema;
namespace ipc {
struct IpcPayload;
}
}  // namespace arrow

namespace accelerant::io {

class ArrowPool;

/// A record batch as a message of Arrow's IPC format: header and buffers, which it shares with the batch.
class ArrowMessage {
 public:
  explicit ArrowMessage(std::shared_ptr<const arrow::ipc::IpcPayload> parts) : parts_(std::move(parts)) {}

  /// Returns the length of the whole message with its prefix and padding.
  int64_t size_bytes() const;
  /// Writes the message into `size_bytes()` bytes.
  void write(uint8_t* to) const;

 private:
  std::shared_ptr<const arrow::ipc::IpcPayload> parts_;
};

/// Makes messages of exported batches for a reader that has a schema already. One thread at a time; outlives its
/// messages.
class ArrowMessageWriter {
 public:
  /// @param schema a message of Arrow's IPC format: what the reader has
  /// @param type a struct of the batches' columns; a schema of one such struct gets them as one column without nulls
  /// @throws Error Unsupported when the schema can't be read, or lays out other types, or the same ones otherwise, than
  /// columns::export_schema; names, nullability and the zone of timestamps are the reader's affair
  ArrowMessageWriter(std::span<const uint8_t> schema, const types::DataType& type,
                     const std::shared_ptr<memory::Budget>& budget);
  ~ArrowMessageWriter();

  /// Takes over batches, also when an exception leaves, and returns their rows, one batch after the other, in messages
  /// of at most `max_rows` rows and, but for single rows, `max_bytes` each; where a limit is not positive there is
  /// none. Several batches are put together in a copy, if one array can hold them.
  /// @throws Error Resource when the budget has no memory for what can't be shared
  std::vector<ArrowMessage> write(std::span<ArrowArray* const> batches, int64_t max_rows, int64_t max_bytes) const;

 private:
  using Rows = std::shared_ptr<arrow::RecordBatch>;

  std::vector<Rows> together(std::span<ArrowArray* const> batches) const;
  void append(const Rows& rows, int64_t max_bytes, std::vector<ArrowMessage>& messages) const;

  const std::unique_ptr<ArrowPool> pool_;
  const std::shared_ptr<arrow::Schema> schema_;
  const bool is_wrapped_;
};

}  // namespace accelerant::io
