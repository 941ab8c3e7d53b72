#include "codegen/fused_rows.h"

#include "codegen/test_pipelines.h"
#include "columns/test_columns.h"
#include "device/emulator/failing_stream.h"

namespace accelerant::codegen {
namespace {

using test::budget;
using test::Slot;
using test::Texts;

class FusedRowsTest : public test::PipelineTest {
 protected:
  /// Compares what a device makes of the batch, in every order, with what the host makes.
  void expect_equal() {
    const columns::Batch expected = on_host();
    FusedRows rows(steps_, test::compiler());
    ASSERT_TRUE(rows.ready());
    for (const device::emulator::Schedule& order : device::emulator::test_orders()) {
      device::emulator::TestDevice device(order);
      const std::optional<device::DeviceBatch> made = rows.run(device.stream(), on_device(device.stream()));
      ASSERT_EQ(made.has_value(), expected.errors.empty());
      if (!made) continue;
      EXPECT_EQ(shown(device::download(device.stream(), *made, budget())), shown(expected));
    }
  }
};

/// Runs the steps with one allocation on the device that fails, each in turn.
class FailingRowsTest : public FusedRowsTest {
 protected:
  void expect_no_leaks() {
    const std::vector<Texts> expected = shown(on_host());
    FusedRows rows(steps_, test::compiler());
    ASSERT_TRUE(rows.ready());
    bool has_failed = true;
    for (int64_t num_good = 0; has_failed; ++num_good) {
      SCOPED_TRACE(std::to_string(num_good) + " good allocations");
      const auto own_budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
      device::emulator::TestDevice device(device::emulator::test_orders().back(), own_budget);
      has_failed = run(rows, device.stream(), num_good, expected, own_budget);
      device.stream().synchronize();
      EXPECT_EQ(own_budget->used_bytes(), 0);
    }
  }

 private:
  /// Says whether an allocation failed.
  bool run(FusedRows& rows, device::DeviceStream& there, int64_t num_good, const std::vector<Texts>& expected,
           const std::shared_ptr<memory::Budget>& own_budget) {
    const device::DeviceBatch batch = on_device(there);
    there.synchronize();
    device::emulator::FailingStream stream(there, num_good);
    try {
      const std::optional<device::DeviceBatch> made = rows.run(stream, batch);
      EXPECT_FALSE(stream.has_failed());
      EXPECT_EQ(shown(device::download(stream, made.value(), own_budget)), expected);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
    }
    return stream.has_failed();
  }
};

TEST_F(FusedRowsTest, FiltersAndComputes) {
  column("int", {"1", "2", "null", "4", "5"});
  column("bigint", {"10", "null", "30", "40", "50"});
  filter({call("GreaterThan", {input(0), literal("1 int")}, "boolean")});
  project({input(1), call("Add", {input(0), literal("100 int")}, "int")});
  expect_equal();
}

TEST_F(FusedRowsTest, GivesBatchesWithErrorsBack) {
  column("int", {"1", "2147483647", "3"});
  project({call("Add", {input(0), literal("1 int")}, "int")});
  expect_equal();
}

TEST_F(FusedRowsTest, NullsOnlyErrorsInTryMode) {
  column("int", {"1", "2147483647", "null"});
  project({call("Add", {input(0), literal("1 int")}, "int", expressions::EvalMode::Try)});
  expect_equal();
}

TEST_F(FusedRowsTest, KeepsNoRow) {
  column("int", {"1", "2", "null"});
  column("string", {"a", "b", "null"});
  filter({call("LessThan", {input(0), literal("0 int")}, "boolean")});
  project({input(1), call("Add", {input(0), literal("1 int")}, "int")});
  expect_equal();
}

TEST_F(FusedRowsTest, DropsErrorsOfRowsThatAreFiltered) {
  column("int", {"1", "2147483647", "3"});
  filter({call("LessThan", {input(0), literal("5 int")}, "boolean")});
  project({call("Add", {input(0), literal("1 int")}, "int")});
  expect_equal();
}

TEST_F(FusedRowsTest, ComputesDecimalsOfAllWidths) {
  column("decimal(15,2)", {"901.00", "-0.01", "null", "9999999999999.99"});
  column("decimal(15,2)", {"0.06", "0.00", "0.10", "0.01"});
  column("decimal(38,4)", {"1.5000", "null", "-9999999999999999999999999999999999.9999", "0.0001"});
  const Slot rest = call("Subtract", {literal("1 decimal(1,0)"), input(1)}, "decimal(16,2)");
  const Slot price = call("Multiply", {input(0), rest}, "decimal(32,4)");
  project({price, call("Add", {input(0), input(1)}, "decimal(16,2)"),
           call("LessThan", {input(2), literal("1.0000 decimal(38,4)")}, "boolean"),
           call("Divide", {input(0), input(1)}, "decimal(33,18)", expressions::EvalMode::Legacy)});
  expect_equal();
}

TEST_F(FusedRowsTest, MayKeepNoRows) {
  column("int", {"1", "2", "null"});
  column("string", {"a", "", "null"});
  add(columns::test::make_dictionary(columns::test::make_strings({"x"}), {0, std::nullopt, 0}));
  filter({call("GreaterThan", {input(0), literal("9 int")}, "boolean")});
  project({input(0), input(1), input(2)});
  expect_equal();
}

TEST_F(FusedRowsTest, KeepsStrings) {
  column("string", {"a", "", "null", "a string of more than twelve bytes", "b"});
  add(columns::test::make_dictionary(columns::test::make_strings({"x", "a long entry of the dictionary"}),
                                     {0, 1, 1, std::nullopt, 0}));
  column("int", {"1", "0", "1", "1", "0"});
  filter({call("EqualTo", {input(2), literal("1 int")}, "boolean")});
  project({input(0), input(1), call("StartsWith", {input(0), literal("a st string")}, "boolean"),
           call("Length", {input(1)}, "int"), call("EqualTo", {input(1), literal("x string")}, "boolean")});
  expect_equal();
}

TEST_F(FailingRowsTest, GivesMemoryBack) {
  column("string", {"a", "", "null", "a string of more than twelve bytes", "b"});
  add(columns::test::make_dictionary(columns::test::make_strings({"x", "a long entry of the dictionary"}),
                                     {0, 1, 1, std::nullopt, 0}));
  column("int", {"1", "0", "1", "1", "0"});
  filter({call("EqualTo", {input(2), literal("1 int")}, "boolean")});
  project({input(0), input(1), call("StartsWith", {input(0), literal("a st string")}, "boolean")});
  expect_no_leaks();
}

}  // namespace
}  // namespace accelerant::codegen
