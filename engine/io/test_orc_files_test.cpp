#include "io/test_orc_files.h"

#include "columns/arrow_c_data.h"
#include "columns/test_columns.h"
#include "io/arrow_schema.h"
#include "io/orc_read_options.h"

#include <arrow/adapters/orc/adapter.h>
#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <optional>

namespace accelerant::io::test {

using columns::ColumnPtr;
using columns::test::unlimited;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

template <class T>
ColumnPtr every_third_null(const DataType& type, int64_t num_rows, T (*value)(int64_t)) {
  std::vector<std::optional<T>> rows;
  for (int64_t i = 0; i < num_rows; ++i) rows.push_back(i % 3 == 1 ? std::nullopt : std::optional(value(i)));
  return columns::test::make_flat<T>(type, rows, type.physical());
}

ColumnPtr texts(int64_t num_rows, std::string (*value)(int64_t)) {
  std::vector<std::optional<std::string>> rows;
  for (int64_t i = 0; i < num_rows; ++i) rows.push_back(i % 3 == 1 ? std::nullopt : std::optional(value(i)));
  return columns::test::make_strings(rows);
}

/// A number that looks random.
int64_t mixed(int64_t i) { return static_cast<int64_t>(static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15); }

types::DataType row_type(const std::vector<OrcTestColumn>& columns) {
  std::vector<types::Field> fields;
  for (const OrcTestColumn& column : columns) fields.push_back({column.name, column.values->type(), true});
  return DataType::structure(fields);
}

std::shared_ptr<arrow::RecordBatch> record_batch(const std::vector<OrcTestColumn>& columns) {
  columns::Batch batch;
  batch.num_rows = columns[0].values->length();
  for (const OrcTestColumn& column : columns) batch.columns.push_back(column.values);
  ArrowArray array;
  columns::export_batch(batch, unlimited(), &array);
  return arrow::ImportRecordBatch(&array, arrow_schema(row_type(columns))).ValueOrDie();
}

}  // namespace

std::vector<OrcTestColumn> orc_columns(int64_t num_rows) {
  std::vector<std::optional<int64_t>> ids;
  for (int64_t i = 0; i < num_rows; ++i) ids.emplace_back(i);
  return {
      {"id", columns::test::make_longs(ids)},
      {"random", every_third_null<int64_t>(DataType(TypeId::Long), num_rows, mixed)},
      {"patched", every_third_null<int64_t>(DataType(TypeId::Long), num_rows,
                                            [](int64_t i) { return i % 50 == 8 ? int64_t{1} << 40 : i % 60; })},
      {"flag", every_third_null<uint8_t>(DataType(TypeId::Boolean), num_rows,
                                         [](int64_t i) { return static_cast<uint8_t>(mixed(i) >> 20 & 1); })},
      {"tiny", every_third_null<int8_t>(DataType(TypeId::Byte), num_rows,
                                        [](int64_t i) { return static_cast<int8_t>(i / 10); })},
      {"number", every_third_null<int32_t>(DataType(TypeId::Int), num_rows,
                                           [](int64_t i) { return static_cast<int32_t>(mixed(i) >> 32); })},
      {"x", every_third_null<double>(DataType(TypeId::Double), num_rows,
                                     [](int64_t i) { return static_cast<double>(i) / 7; })},
      {"day", every_third_null<int32_t>(DataType(TypeId::Date), num_rows,
                                        [](int64_t i) { return static_cast<int32_t>(i * 3); })},
      {"amount",
       every_third_null<int64_t>(DataType::decimal(12, 2), num_rows, [](int64_t i) { return i * 997 - 5000; })},
      {"word", texts(num_rows, [](int64_t i) { return "word " + std::to_string(i % 5); })},
      {"text", texts(num_rows, [](int64_t i) { return std::string(static_cast<size_t>(i % 40), 'x'); })},
  };
}

std::string write_orc(const std::vector<OrcTestColumn>& columns, const OrcFileOptions& options) {
  namespace orc = arrow::adapters::orc;
  const auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  orc::WriteOptions settings;
  settings.compression = arrow::util::Codec::GetCompressionType(options.codec).ValueOrDie();
  settings.stripe_size = options.stripe_bytes;
  settings.batch_size = options.batch_rows;
  settings.compression_block_size = 64 * 1024;
  settings.dictionary_key_size_threshold = options.dictionary_share;
  const auto writer = orc::ORCFileWriter::Open(sink.get(), settings).ValueOrDie();
  const auto rows = record_batch(columns);
  for (int64_t first = 0; first < rows->num_rows(); first += options.batch_rows) {
    const arrow::Status status = writer->Write(*rows->Slice(first, options.batch_rows));
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  EXPECT_TRUE(writer->Close().ok());
  return sink->Finish().ValueOrDie()->ToString();
}

std::shared_ptr<ScanSpec> orc_spec(const std::vector<OrcTestColumn>& columns) {
  auto spec = std::make_shared<ScanSpec>();
  spec->format = FileFormat::Orc;
  spec->options = std::make_shared<OrcReadOptions>();
  for (const OrcTestColumn& column : columns) spec->columns.push_back({column.name, column.values->type()});
  return spec;
}

std::string orc_row(const std::vector<OrcTestColumn>& columns, int64_t row) {
  std::string text;
  for (const OrcTestColumn& column : columns) {
    text += (text.empty() ? "" : "|") + columns::test::show(*column.values, row);
  }
  return text;
}

}  // namespace accelerant::io::test
