// Filters and projections: what expressions cost.
#include "drive.h"
#include "memory_rate.h"
#include "operators/filter.h"
#include "operators/project.h"

namespace accelerant::bench {
namespace {

using expressions::ProgramBuilder;
using expressions::Slot;
using types::DataType;
using types::TypeId;

const DataType kBoolean(TypeId::Boolean);

/// Makes the one output of a program from the first column of a table.
using Expression = Slot (*)(ProgramBuilder& builder, Slot column);

std::shared_ptr<const expressions::Program> program_of(const Table& table, Expression expression) {
  ProgramBuilder builder;
  const Slot output = expression(builder, builder.input(0, table.types[0], false));
  return std::move(builder).finish({&output, 1});
}

template <class Operator>
void run(benchmark::State& state, const ColumnMaker& column, Expression expression) {
  const Table table = make_table({column});
  const Operator transform(program_of(table, expression), context());
  for (auto _ : state) benchmark::DoNotOptimize(pass(transform, table));
  count_rates(state, table.num_rows, table.num_bytes);
}

Slot like(ProgramBuilder& builder, Slot column, const char* pattern) {
  return call(builder, "Like",
              {column, builder.literal(string_literal(pattern)), builder.literal(string_literal("\\"))}, kBoolean);
}

void filter_int(benchmark::State& state) {
  run<operators::Filter>(state, ints(100), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "LessThan", {column, builder.literal(int_literal(50))}, kBoolean);
  });
}

void filter_decimal(benchmark::State& state) {
  run<operators::Filter>(state, decimals(), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "LessThan", {column, builder.literal(decimal_literal(500'000, 12, 2))}, kBoolean);
  });
}

void filter_string(benchmark::State& state) {
  run<operators::Filter>(state, strings(100), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "LessThan", {column, builder.literal(string_literal("furious packages 50"))}, kBoolean);
  });
}

void filter_like_prefix(benchmark::State& state) {
  run<operators::Filter>(state, strings(100'000),
                         [](ProgramBuilder& builder, Slot column) { return like(builder, column, "special%"); });
}

void filter_like_inside(benchmark::State& state) {
  run<operators::Filter>(state, strings(100'000), [](ProgramBuilder& builder, Slot column) {
    return like(builder, column, "%special%deposits%");
  });
}

/// price * (1 - price), as discounts are computed.
void project_decimal_product(benchmark::State& state) {
  run<operators::Project>(state, decimals(), [](ProgramBuilder& builder, Slot column) {
    const Slot one = builder.literal(decimal_literal(100, 12, 2));
    const Slot rest = call(builder, "Subtract", {one, column}, DataType::decimal(13, 2));
    return call(builder, "Multiply", {column, rest}, DataType::decimal(26, 4));
  });
}

void project_decimal_sum(benchmark::State& state) {
  run<operators::Project>(state, decimals(), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "Add", {column, column}, DataType::decimal(13, 2));
  });
}

void project_int_sum(benchmark::State& state) {
  run<operators::Project>(state, ints(1'000'000), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "Add", {column, builder.literal(int_literal(7))}, DataType(TypeId::Int));
  });
}

void project_upper(benchmark::State& state) {
  run<operators::Project>(state, strings(100'000), [](ProgramBuilder& builder, Slot column) {
    return call(builder, "Upper", {column}, DataType(TypeId::String));
  });
}

BENCHMARK(filter_int);
BENCHMARK(filter_decimal);
BENCHMARK(filter_string);
BENCHMARK(filter_like_prefix);
BENCHMARK(filter_like_inside);
BENCHMARK(project_int_sum);
BENCHMARK(project_decimal_sum);
BENCHMARK(project_decimal_product);
BENCHMARK(project_upper);

}  // namespace
}  // namespace accelerant::bench
