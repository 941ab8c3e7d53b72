#include "io/test_files.h"

#include "columns/test_columns.h"
#include "expressions/key_set.h"
#include "types/integers.h"

#include <arrow/io/memory.h>
#include <arrow/util/key_value_metadata.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

namespace accelerant::io::test {

using parquet::LogicalType;
using parquet::Repetition;
using types::DataType;
using types::TypeId;

namespace {

using LogicalPtr = std::shared_ptr<const LogicalType>;

bool is_null(bool optional, int64_t row) { return optional && row % 3 == 1; }

/// Rows repeat so that dictionaries pay, and hold small and negative numbers.
int64_t number(int64_t row) { return row * 7 % 50 - 20; }

/// Bytes and lengths of a fixed-width or byte-array value.
void assign(parquet::ByteArray& value, const std::string& bytes) {
  value = parquet::ByteArray(static_cast<uint32_t>(bytes.size()), reinterpret_cast<const uint8_t*>(bytes.data()));
}
void assign(parquet::FixedLenByteArray& value, const std::string& bytes) {
  value.ptr = reinterpret_cast<const uint8_t*>(bytes.data());
}
template <class T>
void assign(T& value, const T& stored) {
  value = stored;
}

/// A column as it is stored: parquet type, annotation, and the value of a row.
template <class ParquetType, class Value>
struct Stored {
  std::string name;
  LogicalPtr logical;
  DataType type;
  std::function<Value(int64_t)> value;
  std::function<std::string(int64_t)> text;
  int fixed_bytes = -1;
};

/// Writes the values of rows, which are not null.
template <class ParquetType, class Value>
void write_values(const Stored<ParquetType, Value>& stored, parquet::ColumnWriter& writer, const TestLevels& levels,
                  const std::vector<int64_t>& rows) {
  std::vector<Value> kept;
  for (const int64_t row : rows) kept.push_back(stored.value(row));
  const auto values = std::make_unique<typename ParquetType::c_type[]>(kept.size() + 1);
  for (size_t i = 0; i < kept.size(); ++i) assign(values[i], static_cast<const Value&>(kept[i]));
  auto& typed = static_cast<parquet::TypedColumnWriter<ParquetType>&>(writer);
  typed.WriteBatch(static_cast<int64_t>(levels.definitions.size()), levels.definitions.data(),
                   levels.repetitions.empty() ? nullptr : levels.repetitions.data(), values.get());
}

template <class ParquetType, class Value>
TestColumn make_column(const Stored<ParquetType, Value>& stored, bool optional) {
  const auto repetition = optional ? Repetition::OPTIONAL : Repetition::REQUIRED;
  TestColumn column;
  column.node = parquet::schema::PrimitiveNode::Make(stored.name + (optional ? "_optional" : ""), repetition,
                                                     stored.logical, ParquetType::type_num, stored.fixed_bytes);
  column.type = stored.type;
  column.expected = [stored, optional](int64_t row) { return is_null(optional, row) ? "null" : stored.text(row); };
  column.write = [stored, optional](parquet::ColumnWriter& writer, int64_t first, int64_t n) {
    TestLevels levels;
    std::vector<int64_t> kept;
    for (int64_t row = first; row < first + n; ++row) {
      levels.definitions.push_back(!is_null(optional, row));
      if (!is_null(optional, row)) kept.push_back(row);
    }
    write_values(stored, writer, levels, kept);
  };
  column.write_entries = [stored](parquet::ColumnWriter& writer, const TestLevels& levels,
                                  const std::vector<int64_t>& rows) { write_values(stored, writer, levels, rows); };
  return column;
}

std::string big_endian(int128 value, int num_bytes) {
  std::string bytes;
  for (int i = num_bytes - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string number_text(int64_t row) { return std::to_string(number(row)); }
std::string text_of(int64_t row) {
  return std::string(static_cast<size_t>(row * 5 % 23), 'x') + std::to_string(row % 40);
}

template <class ParquetType, class Value>
void add(std::vector<TestColumn>& all, const Stored<ParquetType, Value>& stored) {
  all.push_back(make_column(stored, false));
  all.push_back(make_column(stored, true));
}

void add_int32(std::vector<TestColumn>& all, const std::string& name, LogicalPtr logical, DataType type) {
  add<parquet::Int32Type, int32_t>(all, {name, std::move(logical), std::move(type),
                                         [](int64_t row) { return static_cast<int32_t>(number(row)); }, number_text});
}

void add_int64(std::vector<TestColumn>& all, const std::string& name, LogicalPtr logical, DataType type,
               const std::string& suffix = "") {
  const auto text = [suffix](int64_t row) { return number(row) == 0 ? "0" : number_text(row) + suffix; };
  add<parquet::Int64Type, int64_t>(all, {name, std::move(logical), std::move(type), number, text});
}

void add_integers(std::vector<TestColumn>& all) {
  const LogicalPtr none = LogicalType::None();
  add_int32(all, "int", none, DataType(TypeId::Int));
  add_int32(all, "byte", LogicalType::Int(8, true), DataType(TypeId::Byte));
  add_int32(all, "short", LogicalType::Int(16, true), DataType(TypeId::Short));
  add_int32(all, "int_as_long", none, DataType(TypeId::Long));
  add_int32(all, "date", LogicalType::Date(), DataType(TypeId::Date));
  add_int32(all, "int_decimal", LogicalType::Decimal(7, 2), DataType::decimal(7, 2));
  add_int32(all, "int_decimal_wide", LogicalType::Decimal(7, 2), DataType::decimal(30, 2));
  add_int32(all, "months", none, DataType::interval(TypeId::YearMonthInterval, 0, 1));
  add_int64(all, "long", none, DataType(TypeId::Long));
  add_int64(all, "long_decimal", LogicalType::Decimal(15, 2), DataType::decimal(15, 2));
  add_int64(all, "long_decimal_wide", LogicalType::Decimal(15, 2), DataType::decimal(38, 2));
  add_int64(all, "micros", LogicalType::Timestamp(true, LogicalType::TimeUnit::MICROS), DataType(TypeId::Timestamp));
  add_int64(all, "millis", LogicalType::Timestamp(true, LogicalType::TimeUnit::MILLIS), DataType(TypeId::Timestamp),
            "000");
  add_int64(all, "ntz", LogicalType::Timestamp(false, LogicalType::TimeUnit::MICROS), DataType(TypeId::TimestampNtz));
  add_int64(all, "seconds", none, DataType::interval(TypeId::DayTimeInterval, 0, 3));
  add<parquet::Int32Type, int32_t>(all,
                                   {"unsigned_int", LogicalType::Int(32, false), DataType(TypeId::Long),
                                    [](int64_t row) { return static_cast<int32_t>(number(row)); },
                                    [](int64_t row) { return std::to_string(static_cast<uint32_t>(number(row))); }});
  add<parquet::Int64Type, int64_t>(all,
                                   {"unsigned_long", LogicalType::Int(64, false), DataType::decimal(20, 0), number,
                                    [](int64_t row) { return std::to_string(static_cast<uint64_t>(number(row))); }});
}

void add_floats(std::vector<TestColumn>& all) {
  const LogicalPtr none = LogicalType::None();
  const auto text = [](int64_t row) { return std::to_string(static_cast<double>(number(row)) / 4); };
  const auto single = [](int64_t row) { return static_cast<float>(number(row)) / 4; };
  const auto wide = [](int64_t row) { return static_cast<double>(number(row)) / 4; };
  add<parquet::FloatType, float>(all, {"float", none, DataType(TypeId::Float), single, text});
  add<parquet::FloatType, float>(all, {"float_as_double", none, DataType(TypeId::Double), single, text});
  add<parquet::DoubleType, double>(all, {"double", none, DataType(TypeId::Double), wide, text});
  add<parquet::BooleanType, bool>(
      all, {"boolean", none, DataType(TypeId::Boolean), [](int64_t row) { return row / 5 % 2 == 0; },
            [](int64_t row) { return row / 5 % 2 == 0 ? "true" : "false"; }});
}

void add_bytes(std::vector<TestColumn>& all) {
  add<parquet::ByteArrayType, std::string>(
      all, {"string", LogicalType::String(), DataType(TypeId::String), text_of, text_of});
  add<parquet::ByteArrayType, std::string>(all,
                                           {"binary", LogicalType::None(), DataType(TypeId::Binary), text_of, text_of});
  add<parquet::ByteArrayType, std::string>(
      all, {"bytes_decimal", LogicalType::Decimal(20, 3), DataType::decimal(20, 3),
            [](int64_t row) { return big_endian(number(row), 1 + static_cast<int>(row % 16)); }, number_text});
}

void add_fixed(std::vector<TestColumn>& all) {
  const auto fixed_text = [](int64_t row) {
    return big_endian(number(row) + int64_t{0x4142434445464748}, 9).substr(1) + "-9-10";
  };
  add<parquet::FLBAType, std::string>(
      all, {"fixed", LogicalType::None(), DataType(TypeId::Binary), fixed_text, fixed_text, 13});
  for (const int width : {2, 5, 8, 9, 16}) {
    const int precision = width == 2 ? 4 : width == 5 ? 11 : 18;
    const DataType type = width > 8 ? DataType::decimal(precision + 3, 2) : DataType::decimal(precision, 2);
    add<parquet::FLBAType, std::string>(
        all, {"fixed_decimal" + std::to_string(width), LogicalType::Decimal(precision, 2), type,
              [width](int64_t row) { return big_endian(number(row), width); }, number_text, width});
  }
}

std::function<parquet::Int96(int64_t)> julian() {
  return [](int64_t row) {
    parquet::Int96 value;
    const int64_t nanos = 1'500;  // 1 µs and a half
    std::memcpy(&value.value[0], &nanos, sizeof nanos);
    value.value[2] = static_cast<uint32_t>(2'440'588 + number(row));
    return value;
  };
}

}  // namespace

std::vector<TestColumn> all_columns() {
  std::vector<TestColumn> all;
  add_integers(all);
  add_floats(all);
  add_bytes(all);
  add_fixed(all);
  add<parquet::Int96Type, parquet::Int96>(
      all, {"int96", LogicalType::None(), DataType(TypeId::Timestamp), julian(),
            [](int64_t row) { return std::to_string(number(row) * 86'400'000'000 + 1); }});
  return all;
}

std::vector<TestColumn> columns_for(parquet::Encoding::type encoding) {
  using parquet::Encoding;
  using parquet::Type;
  std::vector<TestColumn> fitting;
  for (auto& column : all_columns()) {
    const auto type = static_cast<const parquet::schema::PrimitiveNode&>(*column.node).physical_type();
    const bool is_integer = type == Type::INT32 || type == Type::INT64;
    const bool is_bytes = type == Type::BYTE_ARRAY;
    const bool is_fixed = type == Type::FIXED_LEN_BYTE_ARRAY;
    const bool fits = encoding == Encoding::DELTA_BINARY_PACKED       ? is_integer
                      : encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY ? is_bytes
                      : encoding == Encoding::DELTA_BYTE_ARRAY        ? is_bytes || is_fixed
                      : encoding == Encoding::RLE                     ? type == Type::BOOLEAN
                      : encoding == Encoding::BYTE_STREAM_SPLIT
                          ? is_integer || is_fixed || type == Type::FLOAT || type == Type::DOUBLE
                          : true;
    if (fits) fitting.push_back(std::move(column));
  }
  return fitting;
}

TestColumn long_column(const std::string& name, std::function<int64_t(int64_t)> value) {
  const auto text = [value](int64_t row) { return std::to_string(value(row)); };
  return make_column(
      Stored<parquet::Int64Type, int64_t>{name, LogicalType::None(), DataType(TypeId::Long), value, text}, false);
}

TestColumn text_column(const std::string& name, bool optional, std::function<std::string(int64_t)> value) {
  const Stored<parquet::ByteArrayType, std::string> stored{name, LogicalType::String(), DataType(TypeId::String), value,
                                                           value};
  TestColumn column = make_column(stored, optional);
  const auto repetition = optional ? Repetition::OPTIONAL : Repetition::REQUIRED;
  column.node =
      parquet::schema::PrimitiveNode::Make(name, repetition, LogicalType::String(), parquet::Type::BYTE_ARRAY);
  return column;
}

std::string write_parquet(const std::vector<TestColumn>& columns, const FileOptions& options) {
  parquet::schema::NodeVector nodes;
  for (const auto& column : columns) nodes.push_back(column.node);
  const auto root = parquet::schema::GroupNode::Make("schema", Repetition::REQUIRED, nodes);
  parquet::WriterProperties::Builder properties;
  properties.compression(options.codec)->data_pagesize(options.page_bytes)->write_batch_size(16);
  properties.data_page_version(options.page_version)->dictionary_pagesize_limit(options.dictionary_bytes);
  properties.encoding(options.encoding);
  options.dictionary ? properties.enable_dictionary() : properties.disable_dictionary();
  for (const auto& name : options.plain_columns) properties.encoding(name, parquet::Encoding::PLAIN);
  for (const auto& name : options.bloom_filters) properties.enable_bloom_filter(name, {options.group_rows, 0.001});
  if (options.page_index) properties.enable_write_page_index();
  const auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : options.metadata) metadata->Append(key, value);
  const auto out = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const auto writer = parquet::ParquetFileWriter::Open(out, std::static_pointer_cast<parquet::schema::GroupNode>(root),
                                                       properties.build(), metadata);
  for (int64_t first = 0; first < options.num_rows; first += options.group_rows) {
    auto* group = writer->AppendRowGroup();
    const int64_t n = std::min(options.group_rows, options.num_rows - first);
    for (const auto& column : columns) {
      column.write_leaves ? column.write_leaves(*group, first, n) : column.write(*group->NextColumn(), first, n);
    }
    group->Close();
  }
  writer->Close();
  return out->Finish().ValueOrDie()->ToString();
}

TemporaryFile::TemporaryFile(const std::string& bytes, const std::string& name) {
  std::string pattern = std::filesystem::temp_directory_path() / "accelerant-XXXXXX";
  folder_ = mkdtemp(pattern.data());
  path_ = folder_ + "/" + name;
  overwrite(bytes);
}

TemporaryFile::~TemporaryFile() { std::filesystem::remove_all(folder_); }

/// Makes a new file: some filesystems write a truncated one to disk when it is closed.
void TemporaryFile::overwrite(const std::string& bytes) const {
  std::filesystem::remove(path_);
  std::ofstream(path_, std::ios::binary) << bytes;
}

int64_t TemporaryFile::num_bytes() const { return static_cast<int64_t>(std::filesystem::file_size(path_)); }

FileSplit TemporaryFile::split() const { return {uri(), 0, num_bytes(), num_bytes(), 0, {}}; }

std::shared_ptr<ScanSpec> spec_of(const std::vector<TestColumn>& columns) {
  auto spec = std::make_shared<ScanSpec>();
  for (const auto& column : columns) spec->columns.push_back({column.node->name(), column.type});
  return spec;
}

std::shared_ptr<const expressions::Program> compare(int column, const std::string& function, int64_t value) {
  expressions::ProgramBuilder builder;
  const expressions::Slot input = builder.input(column, DataType(TypeId::Long), true);
  const expressions::Slot literal = builder.literal(columns::test::make_longs({value}));
  const expressions::Slot output =
      builder.call("org.apache.spark.sql.catalyst.expressions." + function, {input, literal}, DataType(TypeId::Boolean),
                   expressions::EvalMode::Ansi, 1);
  return std::move(builder).finish(std::span(&output, 1));
}

execution::KeyFilter key_filter(int column, const std::vector<std::optional<int64_t>>& keys) {
  return {column, std::make_shared<expressions::KeySet>(*columns::test::make_longs(keys), columns::test::unlimited())};
}

std::string expected_row(const std::vector<TestColumn>& columns, int64_t row) {
  std::string text;
  for (const auto& column : columns) text += (text.empty() ? "" : "|") + column.expected(row);
  return text;
}

namespace {

void collect(const columns::Batch& batch, ScanResult& result) {
  result.num_errors += static_cast<int64_t>(batch.errors.size());
  for (const auto& column : batch.columns) result.num_dictionaries += column && column->is_dictionary();
  for (int64_t i = 0; i < batch.num_selected(); ++i) {
    const int64_t row = batch.selection ? (*batch.selection)[static_cast<size_t>(i)] : i;
    std::string text;
    for (const auto& column : batch.columns) {
      if (column) text += (text.empty() ? "" : "|") + columns::test::show(*column, row);
    }
    result.rows.push_back(text);
  }
}

}  // namespace

ScanResult run_scan(const Dataset& dataset, int64_t batch_rows, const std::shared_ptr<memory::Budget>& budget,
                    std::vector<execution::KeyFilter> key_filters) {
  const execution::Cancellation cancellation;
  execution::Metrics metrics;
  execution::OperatorContext ctx{budget, &cancellation, &metrics, 0, batch_rows};
  ctx.key_filters = std::move(key_filters);
  const auto scan = dataset.scan(0, dataset.num_partitions(), ctx);
  const auto worker = scan->make_worker();
  ScanResult result;
  columns::Batch batch;
  int64_t sequence = 0;
  while (worker->next(batch)) {
    EXPECT_EQ(batch.morsel, result.num_morsels);
    EXPECT_EQ(batch.sequence, sequence++);
    EXPECT_TRUE(batch_rows <= 0 || batch.num_rows <= batch_rows);
    for (const auto& column : batch.columns) {
      EXPECT_EQ(column ? column->length() : batch.num_rows, batch.num_rows);
    }
    collect(batch, result);
    ++result.num_batches;
    if (batch.ends_morsel) ++result.num_morsels, sequence = 0;
  }
  EXPECT_EQ(result.num_morsels, scan->num_morsels());
  EXPECT_EQ(sequence, 0);
  result.input_bytes = metrics.input_bytes;
  result.input_files = metrics.input_files;
  EXPECT_EQ(metrics.morsels_done, dataset.num_morsels());
  return result;
}

ScanResult run_scan(const std::shared_ptr<const ScanSpec>& spec, const std::vector<std::vector<FileSplit>>& partitions,
                    int64_t batch_rows, std::shared_ptr<memory::Budget> budget,
                    std::vector<execution::KeyFilter> key_filters) {
  if (!budget) budget = columns::test::unlimited();
  return run_scan(*open_files(spec, partitions, 2, budget), batch_rows, budget, std::move(key_filters));
}

}  // namespace accelerant::io::test
