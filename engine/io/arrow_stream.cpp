#include "io/arrow_stream.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "io/arrow_schema.h"

#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>

#include <utility>

namespace accelerant::io {

namespace {

/// A buffer of ours in Arrow's hands.
class SharedBuffer final : public arrow::Buffer {
 public:
  explicit SharedBuffer(memory::BufferPtr bytes)
      : arrow::Buffer(bytes->data(), bytes->size_bytes()), bytes_(std::move(bytes)) {}

 private:
  const memory::BufferPtr bytes_;
};

void check_stream(const arrow::Status& status) {
  if (!status.ok()) throw Error(ErrorKind::Internal, "an Arrow stream can't be read: " + status.ToString());
}

template <class T>
T read_value(arrow::Result<T> result) {
  check_stream(result.status());
  return std::move(result).ValueUnsafe();
}

}  // namespace

std::vector<columns::Batch> read_arrow_stream(const memory::BufferPtr& bytes, const types::DataType& type,
                                              const std::shared_ptr<memory::Budget>& budget) {
  auto stream = std::make_shared<arrow::io::BufferReader>(std::make_shared<SharedBuffer>(bytes));
  const auto reader = read_value(arrow::ipc::RecordBatchStreamReader::Open(std::move(stream)));
  const auto expected = arrow_schema(type);
  if (!reader->schema()->Equals(*expected)) {
    throw_unsupported("rows of the Arrow schema " + reader->schema()->ToString() + " instead of " +
                      expected->ToString());
  }
  std::vector<columns::Batch> batches;
  while (const auto batch = read_value(reader->Next())) {
    check_stream(batch->Validate());
    ArrowArray array;
    check_stream(arrow::ExportRecordBatch(*batch, &array));
    batches.push_back(columns::import_batch(&array, type, budget));
  }
  return batches;
}

}  // namespace accelerant::io
