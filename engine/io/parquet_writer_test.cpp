#include "io/parquet_writer.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/parquet_write_options.h"
#include "io/parquet_write_schema.h"
#include "io/test_files.h"
#include "io/value_storage.h"
#include "memory/reservation_probe.h"
#include "memory/test_disk_memory.h"

#include <gtest/gtest.h>
#include <parquet/file_reader.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::unlimited;
using test::TemporaryFile;
using types::DataType;
using types::TypeId;

columns::Batch batch_of(const columns::ColumnPtr& column) {
  columns::Batch batch;
  batch.num_rows = column->length();
  batch.columns = {column};
  return batch;
}

WriteSpec spec_of(const DataType& type, std::map<std::string, std::string> settings = {}) {
  return {{{"a", type}}, "4.3.0", std::move(settings)};
}

/// Writes a column in two pieces, the first row after the others.
void write_rotated(const columns::ColumnPtr& column, const WriteSpec& spec, const TemporaryFile& file) {
  const auto writer = open_parquet_writer(spec, file.uri(), unlimited());
  writer->write(batch_of(column), 1, column->length() - 1);
  writer->write(batch_of(column), 0, 1);
  writer->close();
}

std::vector<std::string> read_back(const DataType& type, const TemporaryFile& file) {
  auto scan = std::make_shared<ScanSpec>();
  scan->columns.push_back({"a", type});
  return test::run_scan(scan, {{file.split()}}, 100).rows;
}

TEST(ParquetWriter, WritesEveryTypeInEveryEncoding) {
  const std::vector<std::map<std::string, std::string>> settings = {
      {},
      {{"spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"}, {"spark.sql.parquet.writeLegacyFormat", "true"}}};
  int num_written = 0;
  for (const auto& sample : columns::test::samples(300)) {
    const DataType& type = sample.column->type();
    if (!is_storable(type)) continue;
    for (const auto& chosen : settings) {
      const TemporaryFile file("");
      write_rotated(sample.column, spec_of(type, chosen), file);
      std::vector<std::string> expected = columns::test::show(*sample.column);
      std::rotate(expected.begin(), expected.begin() + 1, expected.end());
      EXPECT_EQ(read_back(type, file), expected) << sample.name;
      ++num_written;
    }
  }
  EXPECT_GT(num_written, 50);
}

/// Writes a column where one of the reservations would have to wait; returns whether that came to a whole file.
bool writes_though_it_would_wait(const columns::ColumnPtr& column, int64_t reservation) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(column->type()), file.uri(), budget);
  bool is_written = true;
  try {
    const memory::ReservationProbe probe(reservation, nullptr);
    writer->write(batch_of(column), 0, column->length());
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), memory::kOutOfBudget);
    is_written = false;
  }
  writer->close();
  writer.reset();
  EXPECT_EQ(budget->used_bytes(), 0);
  if (is_written) {
    EXPECT_EQ(read_back(column->type(), file), columns::test::show(*column));
  } else {
    EXPECT_THROW(read_back(column->type(), file), Error);
  }
  return is_written;
}

TEST(ParquetWriter, LeavesNoFileWhereItWouldHaveToWaitForMemory) {
  const std::vector<std::optional<int64_t>> elements(10'000, 7);
  const auto lists = columns::test::make_array(make_longs(elements), {1, 9'999});
  bool was_written = false;
  bool has_failed = false;
  for (int64_t reservation = 0; reservation < 200 && !(was_written && has_failed); ++reservation) {
    (writes_though_it_would_wait(lists, reservation) ? was_written : has_failed) = true;
  }
  EXPECT_TRUE(was_written);
  EXPECT_TRUE(has_failed);
}

TEST(ParquetWriter, WritesSchemaAndMetadata) {
  const WriteSpec spec = {{{"a", DataType(TypeId::Byte), false}, {"b.c", DataType::decimal(20, 2)}}, "4.3.0", {}};
  const TemporaryFile file("");
  open_parquet_writer(spec, file.uri(), unlimited())->close();
  const auto metadata = parquet::ParquetFileReader::OpenFile(file.path())->metadata();
  EXPECT_EQ(metadata->num_rows(), 0);
  EXPECT_EQ(metadata->num_row_groups(), 0);
  EXPECT_EQ(metadata->schema()->name(), "spark_schema");
  EXPECT_EQ(metadata->created_by().substr(0, 19), "accelerant version ");
  const auto* narrow = metadata->schema()->Column(0);
  EXPECT_EQ(narrow->physical_type(), parquet::Type::INT32);
  EXPECT_EQ(narrow->logical_type()->ToString(), "Int(bitWidth=8, isSigned=true)");
  EXPECT_EQ(narrow->max_definition_level(), 0);
  const auto* decimal = metadata->schema()->Column(1);
  EXPECT_EQ(decimal->name(), "b.c");
  EXPECT_EQ(decimal->type_length(), 9);
  EXPECT_EQ(decimal->max_definition_level(), 1);
}

TEST(ParquetWriter, RefusesTypesByName) {
  const TemporaryFile file("");
  try {
    open_parquet_writer(spec_of(DataType::array(DataType(TypeId::CalendarInterval), true)), file.uri(), unlimited());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(error.message(), "writing column element of type interval");
  }
}

TEST(ParquetWriter, EndsRowGroupsByRowsAndBytes) {
  const auto column = make_longs(std::vector<std::optional<int64_t>>(1000, 7));
  for (const auto& [name, value] : {std::pair("parquet.block.row.count.limit", "300"), {"parquet.block.size", "1"}}) {
    const TemporaryFile file("");
    write_rotated(column, spec_of(DataType(TypeId::Long), {{name, value}}), file);
    EXPECT_GT(parquet::ParquetFileReader::OpenFile(file.path())->metadata()->num_row_groups(), 1) << name;
    EXPECT_EQ(read_back(DataType(TypeId::Long), file).size(), 1000u);
  }
}

/// Returns how many rows the first row group has of so many, each another number, by what a row group may take.
int64_t rows_of_first_row_group(int64_t num_rows, const std::string& bytes) {
  std::vector<std::optional<int64_t>> rows;
  for (int64_t i = 0; i < num_rows; ++i) rows.emplace_back(i * 1'000'003);
  const TemporaryFile file("");
  write_rotated(make_longs(rows), spec_of(DataType(TypeId::Long), {{"parquet.block.size", bytes}}), file);
  return parquet::ParquetFileReader::OpenFile(file.path())->metadata()->RowGroup(0)->num_rows();
}

TEST(ParquetWriter, EndsRowGroupsWhereParquetMrLooks) {
  EXPECT_EQ(rows_of_first_row_group(1000, "64"), 100);
  // Of eight bytes a row, as long as no page is compressed: 100 rows more than fit at most.
  for (const int64_t rows : {200, 1000, 5000}) {
    const int64_t found = rows_of_first_row_group(200'000, std::to_string(rows * 8));
    EXPECT_GE(found, rows / 2);
    EXPECT_LE(found, rows + 100);
  }
}

TEST(ParquetWriter, ReservesAndGivesBackItsMemory) {
  const auto budget = std::make_shared<memory::Budget>("query budget", memory::Budget::kUnlimited);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::String)), file.uri(), budget);
  std::vector<std::optional<std::string>> texts;
  for (int i = 0; i < 20'000; ++i) texts.push_back("text number " + std::to_string(i * 7919));
  const auto column = make_strings(texts);
  writer->write(batch_of(column), 0, column->length());
  EXPECT_GT(budget->used_bytes(), 200'000);
  writer->close();
  writer.reset();
  EXPECT_EQ(budget->used_bytes(), 0);
}

/// Returns so many rows without repetitions.
columns::ColumnPtr make_distinct_longs(int64_t count) {
  std::vector<std::optional<int64_t>> rows;
  for (int64_t i = 0; i < count; ++i) rows.emplace_back(i * 1'000'003);
  return make_longs(rows);
}

/// Ends a file of longs, which must have the rows of a column and leave no memory; returns how many row groups it has.
int end_file(std::unique_ptr<FileWriter> writer, const memory::Budget& budget, const TemporaryFile& file,
             const columns::Column& column) {
  writer->close();
  writer.reset();
  EXPECT_EQ(budget.used_bytes(), 0);
  EXPECT_EQ(read_back(DataType(TypeId::Long), file), columns::test::show(column));
  return parquet::ParquetFileReader::OpenFile(file.path())->metadata()->num_row_groups();
}

TEST(ParquetWriter, EndsRowGroupsWhereMemoryIsShort) {
  const auto column = make_distinct_longs(200'000);
  const auto budget = std::make_shared<memory::Budget>("query budget", 700'000);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
  writer->write(batch_of(column), 0, column->length());
  EXPECT_GT(end_file(std::move(writer), *budget, file, *column), 2);
  EXPECT_LE(budget->peak_bytes(), 700'000);
}

TEST(ParquetWriter, LiesOnDiskWhereThereIsNoMemory) {
  const auto column = make_distinct_longs(50'000);
  memory::test::FakeDiskMemory disk;
  const auto budget = std::make_shared<memory::Budget>("query budget", 1'000'000);
  budget->set_disk_memory(&disk);
  std::optional<memory::Reservation> others(std::in_place, budget, 990'000);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
  EXPECT_GT(disk.num_bytes(), 10'000);
  EXPECT_EQ(budget->used_bytes(), 990'000);
  writer->write(batch_of(column), 0, column->length());
  EXPECT_LE(budget->peak_bytes(), 1'000'000);
  writer->close();
  others.reset();
  EXPECT_GE(end_file(std::move(writer), *budget, file, *column), 1);
  EXPECT_EQ(disk.num_bytes(), 0);
}

TEST(ParquetWriter, LeavesMemoryForDiskBetweenSteps) {
  const auto column = make_distinct_longs(50'000);
  memory::test::FakeDiskMemory disk;
  const auto budget = std::make_shared<memory::Budget>("query budget", 2'000'000);
  budget->set_disk_memory(&disk);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
  EXPECT_EQ(disk.num_bytes(), 0);
  {
    const memory::Reservation others(budget, budget->limit_bytes() - budget->used_bytes());
    writer->write(batch_of(column), 0, column->length());
    EXPECT_LE(budget->peak_bytes(), 2'000'000);
  }
  EXPECT_GE(end_file(std::move(writer), *budget, file, *column), 1);
  EXPECT_EQ(disk.num_bytes(), 0);
}

TEST(ParquetWriter, GivesItsRowGroupToOthers) {
  const auto column = make_distinct_longs(100'000);
  const auto budget = std::make_shared<memory::Budget>("query budget", 10'000'000);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
  writer->write(batch_of(column), 0, 80'000);
  const int64_t used = budget->used_bytes();
  budget->reserve(budget->limit_bytes() - used / 2);
  EXPECT_LT(budget->used_bytes() - (budget->limit_bytes() - used / 2), used / 2);
  budget->release(budget->limit_bytes() - used / 2);
  writer->write(batch_of(column), 80'000, 20'000);
  EXPECT_EQ(end_file(std::move(writer), *budget, file, *column), 2);
}

TEST(ParquetWriter, WritesWhileOthersAskForItsMemory) {
  const auto column = make_distinct_longs(400'000);
  const auto budget = std::make_shared<memory::Budget>("query budget", 8'000'000);
  const TemporaryFile file("");
  auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
  {
    const std::jthread asks([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        try {
          const memory::Reservation most(budget, 7'000'000);
        } catch (const Error& error) {
          EXPECT_EQ(error.error_class(), memory::kOutOfBudget);
        }
      }
    });
    for (int64_t row = 0; row < column->length(); row += 4'000) writer->write(batch_of(column), row, 4'000);
  }
  EXPECT_GT(end_file(std::move(writer), *budget, file, *column), 2);
}

TEST(ParquetWriter, LeavesNoFooterWhenMemoryRunsOut) {
  const auto budget = std::make_shared<memory::Budget>("query budget", 1'000'000, nullptr, "raise it");
  const TemporaryFile file("");
  const auto column = columns::test::make_array(make_distinct_longs(200'000), {100'000, 100'000});
  auto writer = open_parquet_writer(spec_of(column->type()), file.uri(), budget);
  try {
    writer->write(batch_of(column), 0, column->length());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    EXPECT_NE(error.message().find("query budget"), std::string::npos) << error.message();
  }
  writer->close();
  writer.reset();
  EXPECT_EQ(budget->used_bytes(), 0);
  EXPECT_ANY_THROW(parquet::ParquetFileReader::OpenFile(file.path()));
}

// Arrow's hash table of a dictionary keeps a pointer to what it gave back where it can't have more, and its writer's
// end would put values where what is there by then says: it gets what the budget refuses.
TEST(ParquetWriter, WritesWhereverMemoryRunsOut) {
  std::vector<std::optional<int64_t>> rows;
  for (int64_t i = 0; i < 40'000; ++i) rows.emplace_back(i * 7919 % 9000);
  const auto column = make_longs(rows);
  for (int64_t limit = 280'000; limit < 2'000'000; limit += 43'000) {
    const auto budget = std::make_shared<memory::Budget>("query budget", limit);
    const TemporaryFile file("");
    auto writer = open_parquet_writer(spec_of(DataType(TypeId::Long)), file.uri(), budget);
    writer->write(batch_of(column), 0, column->length());
    EXPECT_GE(end_file(std::move(writer), *budget, file, *column), 1) << limit;
  }
}

TEST(ParquetWriter, NamesAFileThatCantBeCreated) {
  try {
    open_parquet_writer(spec_of(DataType(TypeId::Long)), "file:/proc/nowhere/part.parquet", unlimited());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    EXPECT_NE(error.message().find("/proc/nowhere"), std::string::npos);
  }
}

}  // namespace
}  // namespace accelerant::io
