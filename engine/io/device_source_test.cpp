// Here and not beside the operator, because files come from Arrow.
#include "operators/device_source.h"

#include "aggregates/registry.h"
#include "base/error.h"
#include "columns/test_columns.h"
#include "expressions/program.h"
#include "io/test_files.h"
#include "operators/device_aggregation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::test::unlimited;
using io::test::FileOptions;
using io::test::TemporaryFile;
using io::test::TestColumn;

/// What became of the rows of a file.
struct Outcome {
  int64_t num_taken = 0;  ///< that the device has grouped
  int64_t num_left = 0;   ///< that batches have
  int64_t num_batches = 0;
};

/// A number and one of five strings a row.
std::vector<TestColumn> some_columns() {
  return {io::test::long_column("a", [](int64_t row) { return row; }),
          io::test::text_column("s", true, [](int64_t row) { return "value " + std::to_string(row % 5); })};
}

/// Groups by the string and counts, after the scan's own filter.
DeviceGrouping grouping_of(const io::ScanSpec& spec) {
  DeviceGrouping grouping;
  for (const io::ScanColumn& column : spec.columns) grouping.steps.inputs.push_back({column.type, column.nullable});
  for (const auto& filter : spec.filters) grouping.steps.steps.push_back({codegen::RowStep::Kind::Filter, filter});
  expressions::ProgramBuilder builder;
  const std::vector<expressions::Slot> key = {builder.input(1, spec.columns[1].type, spec.columns[1].nullable)};
  grouping.steps.steps.push_back({codegen::RowStep::Kind::Project, std::move(builder).finish(key)});
  grouping.num_keys = 1;
  grouping.calls = {{aggregates::call_of("count", {}, types::DataType(types::TypeId::Long)), {}}};
  return grouping;
}

/// Has a device take in what it can of a file whose rows from 1,000 on are filtered out.
Outcome run(const TemporaryFile& file, bool is_strict = false, int64_t budget_bytes = memory::Budget::kUnlimited) {
  const auto spec = io::test::spec_of(some_columns());
  spec->filters = {io::test::compare(0, "LessThan", 1000)};
  const auto budget = std::make_shared<memory::Budget>("device", budget_bytes);
  const execution::Cancellation cancellation;
  const execution::OperatorContext ctx{unlimited(), &cancellation, nullptr, 0, 0};
  const execution::OperatorContext device_ctx{budget, &cancellation, nullptr, 0, 0};
  const auto dataset = io::open_files(spec, {{file.split()}}, 1, unlimited());
  execution::Metrics metrics;
  auto opened = codegen::open_emulator();
  const auto device =
      std::make_shared<DeviceAggregation>(std::get<std::shared_ptr<codegen::Accelerator>>(std::move(opened)),
                                          grouping_of(*spec), DeviceCounters{&metrics, {}, {}}, is_strict, device_ctx);
  columns::Batch empty;
  for (const io::ScanColumn& column : spec->columns) {
    empty.columns.push_back(columns::Column::nulls(column.type, 0, unlimited()));
  }
  DeviceSource source(dataset->scan(0, 1, ctx), device, {}, empty, 0);
  const auto state = source.make_state();
  Outcome outcome;
  columns::Batch batch;
  int64_t num_ended = 0;
  while (source.next(*state, batch).kind == Step::Kind::HasOutput) {
    EXPECT_EQ(batch.morsel, num_ended);
    EXPECT_EQ(batch.columns.size(), 2U);
    num_ended += batch.ends_morsel;
    outcome.num_left += batch.num_selected();
    ++outcome.num_batches;
  }
  EXPECT_EQ(batch.morsel, source.num_morsels());
  EXPECT_EQ(num_ended, source.num_morsels());
  for (const codegen::GroupPart& part : device->take()) {
    outcome.num_taken += std::accumulate(part.num_rows.begin(), part.num_rows.end(), int64_t{0});
  }
  return outcome;
}

FileOptions options_of(bool dictionary) {
  FileOptions options;
  options.num_rows = 1100;
  options.group_rows = 300;
  options.page_bytes = 4000;
  options.dictionary = dictionary;
  return options;
}

TEST(DeviceSource, HasTheDeviceTakeInRowGroups) {
  const Outcome outcome = run(TemporaryFile(io::test::write_parquet(some_columns(), options_of(true))));
  EXPECT_EQ(outcome.num_taken, 1000);
  EXPECT_EQ(outcome.num_left, 0);
  EXPECT_EQ(outcome.num_batches, 5);
}

/// Strings that are no codes are no keys of a device.
TEST(DeviceSource, GivesOutWhatNoKernelGroups) {
  const TemporaryFile file(io::test::write_parquet(some_columns(), options_of(false)));
  const Outcome outcome = run(file);
  EXPECT_EQ(outcome.num_taken, 0);
  EXPECT_EQ(outcome.num_left, 1000);
  EXPECT_THROW(run(file, true), Error);
}

TEST(DeviceSource, GivesOutWhatTheDeviceHasNoRoomFor) {
  const TemporaryFile file(io::test::write_parquet(some_columns(), options_of(true)));
  const Outcome outcome = run(file, false, 100);
  EXPECT_EQ(outcome.num_taken, 0);
  EXPECT_EQ(outcome.num_left, 1000);
  EXPECT_THROW(run(file, true, 100), Error);
}

/// The host says what is wrong with it.
TEST(DeviceSource, GivesOutTheRowGroupWhoseChunkIsBad) {
  FileOptions options = options_of(false);
  options.codec = parquet::Compression::UNCOMPRESSED;
  std::string bytes = io::test::write_parquet(some_columns(), options);
  bytes[bytes.find("value 1") - 1] = 100;
  const TemporaryFile file(bytes);
  try {
    run(file);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("can't read column s of " + file.uri()), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace accelerant::operators
