#include "expressions/external_function.h"

#include "expressions/evaluator.h"
#include "expressions/example_values.h"
#include "expressions/instruction.h"
#include "functions/error_codes.h"

#include <gtest/gtest.h>

namespace accelerant::expressions {
namespace {

using columns::Batch;
using types::DataType;
using types::TypeId;

/// Adds the number of its calls to each value; negative values fail.
class CountingFunction final : public ExternalFunction {
 public:
  struct Count final : State {
    int32_t calls = 0;
  };
  mutable int states = 0;
  mutable int rows = 0;  ///< computed

  std::string_view name() const override { return "counting"; }
  std::unique_ptr<State> make_state() const override {
    ++states;
    return std::make_unique<Count>();
  }
  ExternalResult evaluate(State& state, std::span<const columns::ColumnPtr> arguments, const DataType&,
                          int64_t num_rows, const uint8_t* wanted,
                          const std::shared_ptr<memory::Budget>& budget) const override {
    const int32_t calls = ++static_cast<Count&>(state).calls;
    columns::FlatBuilder builder(DataType(TypeId::Int), types::PhysicalType::Int32, num_rows, budget);
    std::vector<uint8_t> codes(static_cast<size_t>(num_rows), 0);
    for (int64_t row = 0; row < num_rows; ++row) {
      builder.values<int32_t>()[row] = 0;
      if (wanted && !bits::get(wanted, row)) continue;
      ++rows;
      const int32_t value = arguments[0]->values<int32_t>()[row];
      builder.values<int32_t>()[row] = value + calls;
      if (value < 0) codes[static_cast<size_t>(row)] = functions::kExternalError;
    }
    return {builder.finish(), std::move(codes)};
  }
};

constexpr ExternalCall kCall{3};

struct World {
  ProgramBuilder builder;
  Batch batch;
  std::shared_ptr<CountingFunction> function = std::make_shared<CountingFunction>();
  Slot a = -1;
  Slot b = -1;
  Slot called = -1;

  World() {
    batch.columns = {parse_column("int", {"1", "-2", "-3"}), parse_column("boolean", {"true", "true", "false"})};
    batch.num_rows = 3;
    a = builder.input(0, DataType(TypeId::Int), true);
    b = builder.input(1, DataType(TypeId::Boolean), true);
    called = builder.callback(kCall, {a}, DataType(TypeId::Int), 9);
  }
  Evaluator evaluator(Slot output) {
    const Slot outputs[] = {output};
    auto parameters = std::make_shared<execution::Parameters>();
    parameters->functions.emplace(kCall.number, function);
    return Evaluator(std::move(builder).finish(outputs), memory::process_budget(), 1, std::move(parameters));
  }
};

TEST(ExternalFunction, KeepsAStatePerWorker) {
  World world;
  Evaluator first = world.evaluator(world.called);
  EXPECT_EQ(format_row(*first.project(world.batch).columns[0], 0), "2");
  EXPECT_EQ(format_row(*first.project(world.batch).columns[0], 0), "3");
  EXPECT_EQ(world.function->states, 1);
}

TEST(ExternalFunction, FailsRowsThatReachIt) {
  World world;
  const Batch out = world.evaluator(world.called).project(world.batch);
  ASSERT_EQ(out.errors.size(), 2u);
  EXPECT_EQ(out.errors[0].code, functions::kExternalError);
  EXPECT_EQ(out.errors[0].expression, 9);
}

TEST(ExternalFunction, DropsErrorsOfABranchNotTaken) {
  World world;
  const Slot guarded = world.builder.case_when({{world.b, world.called}}, world.a, DataType(TypeId::Int));
  const Batch out = world.evaluator(guarded).project(world.batch);
  ASSERT_EQ(out.errors.size(), 1u);
  EXPECT_EQ(out.errors[0].row, 1);
  EXPECT_EQ(format_row(*out.columns[0], 2), "-3");
}

TEST(ExternalFunction, ComputesOnlyRowsThatCount) {
  World world;
  const Slot guarded = world.builder.case_when({{world.b, world.called}}, world.a, DataType(TypeId::Int));
  static_cast<void>(world.evaluator(guarded).project(world.batch));
  EXPECT_EQ(world.function->rows, 2);
}

TEST(ExternalFunction, IsNotCalledForNoRows) {
  World world;
  Batch none = world.batch;
  none.num_rows = 0;
  for (auto& column : none.columns) column = columns::Column::constant(column->slice(0, 1), 0);
  static_cast<void>(world.evaluator(world.called).project(none));
  EXPECT_EQ(world.function->rows, 0);
}

TEST(ExternalFunction, ComputesWhatIsTheSameInEveryRowOnce) {
  World world;
  const Slot same =
      world.builder.callback(kCall, {world.builder.literal(parse_column("int", {"4"}))}, DataType(TypeId::Int), 9);
  const Batch out = world.evaluator(same).project(world.batch);
  EXPECT_EQ(world.function->rows, 1);
  EXPECT_EQ(format_row(*out.columns[0], 2), "5");
}

TEST(ExternalFunction, IsCalledOnceForEqualArguments) {
  World world;
  EXPECT_EQ(world.called, world.builder.callback(kCall, {world.a}, DataType(TypeId::Int), 10));
}

}  // namespace
}  // namespace accelerant::expressions
