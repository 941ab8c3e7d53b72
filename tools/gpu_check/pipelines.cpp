#include "pipelines.h"

#include "expressions/program.h"
#include "lineitem.h"

#include <optional>
#include <utility>

namespace accelerant::gpu_check {

using codegen::RowStep;
using device::kernels::AggregateKind;
using expressions::EvalMode;
using expressions::ProgramBuilder;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

const DataType kMoney = DataType::decimal(15, 2);
constexpr int32_t kFirstOf1994 = 8'766;
constexpr int32_t kFirstOf1995 = 9'131;
constexpr int32_t kLastDayOfQ1 = 10'471;  // 1998-09-02

/// Builds the steps of a pipeline over lineitem.
class Steps {
 public:
  Steps() {
    for (const GeneratedColumn& column : lineitem()) {
      const auto layout = column.entries.empty() ? device::ColumnLayout::Fixed : device::ColumnLayout::Codes;
      steps_.inputs.push_back({column.type, false, layout});
    }
  }

  Slot column(LineitemColumn column) { return builder_->input(column, lineitem()[column].type, false); }
  Slot money(int64_t hundredths) { return literal(kMoney, types::PhysicalType::Int64, hundredths); }
  Slot day(int32_t days) { return literal(DataType(TypeId::Date), types::PhysicalType::Int32, days); }
  Slot call(const char* name, Slot left, Slot right, const DataType& result = DataType(TypeId::Boolean)) {
    return builder_->call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, {left, right}, result,
                          EvalMode::Ansi, 0);
  }

  void filter(const std::vector<Slot>& conjuncts) { end(RowStep::Kind::Filter, conjuncts); }
  codegen::RowSteps project(const std::vector<Slot>& outputs) {
    end(RowStep::Kind::Project, outputs);
    return std::move(steps_);
  }

 private:
  template <class Value>
  Slot literal(const DataType& type, types::PhysicalType physical, Value value) {
    columns::FlatBuilder builder(type, physical, 1, memory::process_budget());
    *builder.values<Value>() = value;
    return builder_->literal(builder.finish());
  }

  void end(RowStep::Kind kind, const std::vector<Slot>& outputs) {
    steps_.steps.push_back({kind, std::move(*builder_).finish(outputs)});
    builder_.emplace();
  }

  codegen::RowSteps steps_;
  std::optional<ProgramBuilder> builder_{std::in_place};
};

Pipeline make_q1() {
  Steps steps;
  steps.filter({steps.call("LessThanOrEqual", steps.column(kShipDate), steps.day(kLastDayOfQ1))});
  const DataType kFactor = DataType::decimal(16, 2);
  const Slot rest = steps.call("Subtract", steps.money(100), steps.column(kDiscount), kFactor);
  const Slot price = steps.call("Multiply", steps.column(kExtendedPrice), rest, DataType::decimal(32, 4));
  const Slot taxed = steps.call("Add", steps.money(100), steps.column(kTax), kFactor);
  const Slot charge = steps.call("Multiply", price, taxed, DataType::decimal(38, 6));
  codegen::RowSteps made = steps.project({steps.column(kReturnFlag), steps.column(kLineStatus), steps.column(kQuantity),
                                          steps.column(kExtendedPrice), price, charge, steps.column(kDiscount)});
  return {"Q1",
          std::move(made),
          2,
          {{AggregateKind::SumInt64, 2},
           {AggregateKind::SumInt64, 3},
           {AggregateKind::SumInt128, 4},
           {AggregateKind::SumInt128, 5},
           {AggregateKind::SumInt64, 6}},
          4 * 8 + 3 * 4};
}

Pipeline make_q6() {
  Steps steps;
  steps.filter({steps.call("GreaterThanOrEqual", steps.column(kShipDate), steps.day(kFirstOf1994)),
                steps.call("LessThan", steps.column(kShipDate), steps.day(kFirstOf1995)),
                steps.call("GreaterThanOrEqual", steps.column(kDiscount), steps.money(5)),
                steps.call("LessThanOrEqual", steps.column(kDiscount), steps.money(7)),
                steps.call("LessThan", steps.column(kQuantity), steps.money(2'400))});
  codegen::RowSteps made = steps.project(
      {steps.call("Multiply", steps.column(kExtendedPrice), steps.column(kDiscount), DataType::decimal(31, 4))});
  return {"Q6", std::move(made), 0, {{AggregateKind::SumInt128, 0}}, 3 * 8 + 4};
}

Pipeline make_sum_by_day() {
  Steps steps;
  codegen::RowSteps made = steps.project({steps.column(kShipDate), steps.column(kQuantity)});
  return {"sum by day", std::move(made), 1, {{AggregateKind::SumInt64, 1}}, 8 + 4};
}

}  // namespace

std::vector<Pipeline> make_pipelines() {
  std::vector<Pipeline> all;
  all.push_back(make_q1());
  all.push_back(make_q6());
  all.push_back(make_sum_by_day());
  return all;
}

}  // namespace accelerant::gpu_check
