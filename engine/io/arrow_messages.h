#pragma once

#include "columns/arrow_abi.h"
#include "io/message_limits.h"
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
  /// Makes a message of nothing but what is set to stand before and after it.
  ArrowMessage() = default;
  explicit ArrowMessage(std::shared_ptr<const arrow::ipc::IpcPayload> parts) : parts_(std::move(parts)) {}

  /// Sets other bytes that are written before and after the message.
  void set_before(std::vector<uint8_t> bytes) { before_ = std::move(bytes); }
  void set_after(std::vector<uint8_t> bytes) { after_ = std::move(bytes); }

  /// Returns the length of the whole message with its prefix and padding, and of what stands around it.
  int64_t size_bytes() const;
  /// Writes the message into `size_bytes()` bytes.
  void write(uint8_t* to) const;

 private:
  std::shared_ptr<const arrow::ipc::IpcPayload> parts_;
  std::vector<uint8_t> before_;
  std::vector<uint8_t> after_;
};

/// Makes messages of exported batches for a reader that has a schema already. One thread at a time; outlives its
/// messages.
class ArrowMessageWriter {
 public:
  using Rows = std::shared_ptr<arrow::RecordBatch>;

  /// @param schema a message of Arrow's IPC format: what the reader has
  /// @param type a struct of the batches' columns; a schema of one such struct gets them as one column without nulls
  /// @throws Error Unsupported when the schema can't be read, or lays out other types, or the same ones otherwise, than
  /// columns::export_schema; names, nullability and the zone of timestamps are the reader's affair
  ArrowMessageWriter(std::span<const uint8_t> schema, const types::DataType& type,
                     const std::shared_ptr<memory::Budget>& budget);
  ~ArrowMessageWriter();

  /// Takes over batches, also when an exception leaves, and returns their rows, one batch after the other, in messages.
  /// Several batches are put together in a copy, if one array can hold them.
  /// @throws Error Resource when the budget has no memory for what can't be shared
  std::vector<ArrowMessage> write(std::span<ArrowArray* const> batches, MessageLimits limits) const;

  /// Takes over batches likewise, and returns their rows.
  std::vector<Rows> take(std::span<ArrowArray* const> batches) const;
  /// Returns rows put together in a copy, or as they are where one array can't hold them.
  std::vector<Rows> together(std::vector<Rows> rows) const;
  /// Appends messages of some rows.
  void append(const Rows& rows, MessageLimits limits, std::vector<ArrowMessage>& messages) const;

 private:
  void append_halved(const Rows& rows, int64_t max_bytes, std::vector<ArrowMessage>& messages) const;

  const std::unique_ptr<ArrowPool> pool_;
  const std::shared_ptr<arrow::Schema> schema_;
  const bool is_wrapped_;
};

/// Makes messages of groups of rows: of each the number 1, in four bytes with the highest first, and a stream of
/// Arrow's IPC format of its own; after the last one 0. So Spark sends groups to Python.
class ArrowGroupWriter {
 public:
  /// See ArrowMessageWriter; each group's stream begins with the schema.
  ArrowGroupWriter(std::vector<uint8_t> schema, const types::DataType& type,
                   const std::shared_ptr<memory::Budget>& budget)
      : schema_(std::move(schema)), writer_(schema_, type, budget) {}

  /// Takes over a batch, also when an exception leaves, and returns messages. Rows of the last group wait for those
  /// that follow, so that a group's messages are as large as the limits allow, whatever the batches.
  /// @param begins the rows with which groups begin, in order; those before are of the last group until now
  /// @throws Error Resource when the budget has no memory for what can't be shared
  std::vector<ArrowMessage> write(ArrowArray* batch, std::span<const int64_t> begins, MessageLimits limits);
  /// Returns messages of the rows that have waited; none where there was no row at all.
  std::vector<ArrowMessage> finish(MessageLimits limits);

 private:
  using Rows = ArrowMessageWriter::Rows;

  void wait(Rows rows);
  void emit(const Rows& rows, MessageLimits limits, std::vector<ArrowMessage>& messages);
  void emit_full(MessageLimits limits, std::vector<ArrowMessage>& messages);
  void emit_waiting(MessageLimits limits, std::vector<ArrowMessage>& messages);
  void end_group(MessageLimits limits, std::vector<ArrowMessage>& messages);

  const std::vector<uint8_t> schema_;
  const ArrowMessageWriter writer_;
  std::vector<Rows> waiting_;  ///< of the last group
  int64_t num_waiting_ = 0;    ///< rows of these
  int64_t waiting_bytes_ = 0;  ///< of the buffers that they refer to
  bool is_begun_ = false;      ///< whether the last group's stream is
  bool is_first_ = true;       ///< whether no stream is before that
};

}  // namespace accelerant::io
