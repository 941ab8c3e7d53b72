// Strings without a dictionary, gathered on the stream of who decodes a row group and read on that of the groups.

#include "codegen/emulator_compiler.h"
#include "columns/test_columns.h"
#include "device/emulator/test_orders.h"
#include "operators/device_aggregation.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::test::unlimited;
using device::emulator::Schedule;
using types::DataType;
using types::TypeId;

const DataType kString(TypeId::String);

class EmulatedAccelerator final : public codegen::Accelerator {
 public:
  explicit EmulatedAccelerator(const Schedule& schedule) : device_(schedule) {}

  const std::string& name() const override { return name_; }
  device::Device& device() override { return device_; }
  codegen::KernelCompiler& compiler() override {
    static codegen::EmulatorCompiler compiler;
    return compiler;
  }

 private:
  const std::string name_ = "an emulator of the test";
  device::emulator::Emulator device_;
};

/// Returns a row group of one column, whose strings lie in one plain page.
device::EncodedBatch plain_page(int64_t morsel, const std::vector<std::string>& strings) {
  std::string body;
  for (const std::string& text : strings) {
    const auto length = static_cast<uint32_t>(text.size());
    body.append(reinterpret_cast<const char*>(&length), sizeof length);
    body += text;
  }
  const auto num_bytes = static_cast<int64_t>(body.size());
  const auto bytes = memory::Buffer::allocate(num_bytes, unlimited());
  std::memcpy(bytes->mutable_data(), body.data(), body.size());
  device::EncodedColumn column{.type = kString, .kind = device::StoredKind::Strings};
  column.bytes = bytes;
  column.num_bytes = num_bytes;
  device::EncodedPage page;
  page.encoding = device::PageEncoding::PlainStrings;
  page.stored_bytes = page.body_bytes = num_bytes;
  page.num_rows = static_cast<int64_t>(strings.size());
  column.pages = {page};
  return {morsel, page.num_rows, {column}};
}

/// Keeps rows of one text; the groups have no keys.
DeviceGrouping rows_that_are(const std::string& text) {
  expressions::ProgramBuilder builder;
  const expressions::Slot literal = builder.literal(columns::test::make_strings({text}));
  const std::vector outputs{builder.call("org.apache.spark.sql.catalyst.expressions.EqualTo",
                                         {builder.input(0, kString, false), literal}, DataType(TypeId::Boolean),
                                         expressions::EvalMode::Legacy, 0)};
  codegen::RowSteps steps;
  steps.inputs.push_back({kString, false});
  steps.steps.push_back({codegen::RowStep::Kind::Filter, std::move(builder).finish(outputs)});
  return {std::move(steps), 0, {}};
}

class DevicePipelineStringsTest : public testing::TestWithParam<Schedule> {};

TEST_P(DevicePipelineStringsTest, AreReadWhenTheyAreThere) {
  constexpr int64_t kMorsels = 3;
  constexpr int64_t kRows = 1000;
  const execution::Cancellation cancellation;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{unlimited(), &cancellation, &metrics, 0, 16};
  DeviceAggregation groups(std::make_shared<EmulatedAccelerator>(GetParam()), rows_that_are("a text of row 1"),
                           {&metrics, {}, {}}, true, ctx);
  const auto worker = groups.make_worker();
  for (int64_t morsel = 0; morsel < kMorsels; ++morsel) {
    std::vector<std::string> strings;
    for (int64_t row = 0; row < kRows; ++row) strings.push_back("a text of row " + std::to_string(row % 2));
    columns::Batch made;
    ASSERT_EQ(groups.take_in(*worker, plain_page(morsel, strings), made).kind, Intake::Kind::Taken);
  }
  EXPECT_TRUE(groups.complete().empty());
  int64_t num_rows = 0;
  for (const codegen::GroupPart& part : groups.take()) {
    for (const int64_t rows : part.num_rows) num_rows += rows;
  }
  EXPECT_EQ(num_rows, kMorsels * kRows / 2);
}

INSTANTIATE_TEST_SUITE_P(InEveryOrder, DevicePipelineStringsTest, testing::ValuesIn(device::emulator::test_orders()));

}  // namespace
}  // namespace accelerant::operators
