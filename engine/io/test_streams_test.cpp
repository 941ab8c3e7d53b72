#include "io/test_streams.h"

#include "columns/arrow_c_data.h"
#include "columns/test_columns.h"

#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/status.h>

#include <cstring>
#include <stdexcept>

namespace accelerant::io::test {

namespace {

void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

}  // namespace

memory::BufferPtr write_arrow_stream(const columns::Batch& batch, const types::DataType& type) {
  ArrowSchema c_schema;
  ArrowArray c_array;
  columns::export_schema(type, "", false, &c_schema);
  columns::export_batch(batch, columns::test::unlimited(), &c_array);
  const auto schema = arrow::ImportSchema(&c_schema).ValueOrDie();
  const auto rows = arrow::ImportRecordBatch(&c_array, schema).ValueOrDie();
  const auto out = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const auto writer = arrow::ipc::MakeStreamWriter(out, schema).ValueOrDie();
  check(writer->WriteRecordBatch(*rows));
  check(writer->Close());
  const auto bytes = out->Finish().ValueOrDie();
  auto buffer = memory::Buffer::allocate(bytes->size(), columns::test::unlimited());
  std::memcpy(buffer->mutable_data(), bytes->data(), static_cast<size_t>(bytes->size()));
  return buffer;
}

}  // namespace accelerant::io::test
