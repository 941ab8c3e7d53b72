#include "base/error.h"
#include "columns/gather.h"
#include "columns/test_columns.h"
#include "expressions/binding.h"
#include "expressions/column_function.h"
#include "expressions/evaluator.h"
#include "expressions/example_values.h"
#include "expressions/function_call.h"
#include "expressions/program.h"
#include "expressions/registry.h"

#include <gtest/gtest.h>

// Runs the examples of every function as constants, flat, dictionary and sliced columns, with and without nulls beside
// them, at lengths around the sizes of words and blocks, in the three modes.

namespace accelerant::expressions {
namespace {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;

enum class Layout { Constant, Flat, Dictionary, Sliced, SlicedDictionary, BesideNulls };
constexpr Layout kLayouts[] = {Layout::Constant,         Layout::Flat,       Layout::Dictionary, Layout::Sliced,
                               Layout::SlicedDictionary, Layout::BesideNulls};
#ifdef __SANITIZE_THREAD__
constexpr int64_t kLengths[] = {33};  // one thread runs all of it: TSan has nothing to find, and takes twenty minutes
#else
constexpr int64_t kLengths[] = {0, 1, 31, 32, 33, 65, 1500};
#endif

const std::shared_ptr<memory::Budget>& budget() { return memory::process_budget(); }

/// Repeats a flat column's row, every other row null if `nulls`, starting at row `offset` of its buffers.
ColumnPtr repeat_flat(const ColumnPtr& value, int64_t length, int64_t offset, bool nulls) {
  std::vector<int32_t> rows(static_cast<size_t>(length + offset), 0);
  for (size_t row = 1; nulls && row < rows.size(); row += 2) rows[row] = -1;
  return columns::gather_or_null(*value, rows, budget())->slice(offset, length);
}

ColumnPtr lay_out(const ColumnPtr& value, Layout layout, int64_t length) {
  const auto dictionary = [&](int64_t offset) {
    auto indices = memory::Buffer::allocate_zeroed((length + offset) * 4, budget());
    for (int64_t row = 0; row < length + offset; ++row)
      indices->mutable_as<int32_t>()[row] = static_cast<int32_t>(row % 2);
    return Column::dictionary(repeat_flat(value, 2, 0, false), indices, length + offset)->slice(offset, length);
  };
  switch (layout) {
    case Layout::Constant:
      return Column::constant(value, length);
    case Layout::Flat:
      return repeat_flat(value, length, 0, false);
    case Layout::Sliced:
      return repeat_flat(value, length, 3, false);
    case Layout::BesideNulls:
      return repeat_flat(value, length, 0, true);
    case Layout::Dictionary:
      return dictionary(0);
    case Layout::SlicedDictionary:
      return dictionary(5);
  }
  return nullptr;
}

struct Case {
  const Function& function;
  const functions::Example& example;
  EvalMode mode;

  size_t arity() const {
    size_t count = 0;
    while (count < 3 && example.arguments[count]) ++count;
    return count;
  }
  /// Says whether in this mode another function of the class computes it.
  bool is_another_ones() const {
    std::vector<types::DataType> types;
    for (size_t i = 0; i < arity(); ++i) types.push_back(type_of_example(example.arguments[i]));
    return !function.overloads.empty() &&
           bind_call(function.description->spark_class, types, type_of_example(example.result), mode).function !=
               &function;
  }
  bool fails() const {
    if (mode == EvalMode::Ansi) return example.error != 0;
    return (example.error & functions::kFailsAlways) && !is_another_ones();
  }
  std::string expected() const {
    if (example.error && mode == EvalMode::Try) return "null";
    return format_row(*parse_example(example.result), 0);
  }
  std::string name() const {
    std::string text = function.description->spark_class;
    for (size_t i = 0; i < arity(); ++i) text += std::string(" ") + example.arguments[i];
    return text;
  }
};

/// An expression whose fields are an example's arguments, in their order.
class ExampleCall final : public FunctionCall {
 public:
  ExampleCall(ProgramBuilder& program, const Case& item, const std::vector<Slot>& slots)
      : builder_(program), item_(item), slots_(slots), type_(type_of_example(item.example.result)) {}

  Slot argument(std::string_view field) override {
    if (field != "scale") return slots_[next_++];
    return builder_.literal(parse_example(item_.example.arguments[next_++]));  // of which Spark has a literal
  }
  std::vector<Slot> arguments(std::string_view) override { return arguments(); }
  std::vector<Slot> arguments() override {
    return {slots_.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_, slots_.size())), slots_.end()};
  }
  int64_t integer(std::string_view) override {
    return parse_example(item_.example.arguments[next_++])->values<int32_t>()[0];
  }
  void finish() override { EXPECT_EQ(next_, slots_.size()); }

  std::optional<Slot> argument_if(std::string_view) override { return std::nullopt; }
  std::string_view text(std::string_view) override { return ""; }
  bool flag(std::string_view, bool otherwise) override { return otherwise; }
  types::DataType type_field(std::string_view) override { return type_; }
  EvalMode mode() override { return item_.mode; }
  std::shared_ptr<const types::ZoneRules> zone() override { return zone_of_example(item_.example.zone); }
  std::shared_ptr<const types::ZoneRules> zone_argument(std::string_view) override { return zone(); }
  BoundLambda lambda(std::string_view) override { throw_unsupported("a lambda in an example"); }
  void skip(std::string_view) override {}
  void require_unset(std::string_view) override {}
  [[noreturn]] void refuse(std::string_view why) const override { throw_unsupported(std::string(why)); }

  const types::DataType& type() const override { return type_; }
  std::string_view spark_class() const override { return item_.function.description->spark_class; }
  int expression() const override { return 7; }
  std::string_view spark_version() const override { return "4.3.0"; }
  bool can_leave_rows() const override { return true; }
  bool is_in_lambda() const override { return false; }
  bool has_value(const functions::Setting&) const override { return true; }
  Slot java_version() const override { return number(17); }
  ProgramBuilder& builder() const override { return builder_; }
  Slot constant(int64_t value, const types::DataType& type) const override {
    return builder_.literal(parse_example((std::to_string(value) + " " + type.to_string()).c_str()));
  }
  Slot constant_text(std::string_view text) const override {
    return builder_.literal(columns::test::make_strings({std::string(text)}));
  }

 private:
  ProgramBuilder& builder_;
  const Case& item_;
  const std::vector<Slot>& slots_;
  const types::DataType type_;
  size_t next_ = 0;
};

/// Calls the function; by its header's binding where it is made of others alone.
Slot call_of(ProgramBuilder& builder, const Case& item, const std::vector<Slot>& slots) {
  if (item.function.overloads.empty() && !item.function.columns) {
    ExampleCall call(builder, item, slots);
    return item.function.bind(call);
  }
  return builder.call(item.function.description->spark_class, slots, type_of_example(item.example.result), item.mode, 7,
                      zone_of_example(item.example.zone));
}

void check(const Case& item, const std::vector<Layout>& layouts, int64_t length) {
  ProgramBuilder builder;
  std::vector<Slot> slots;
  Batch batch;
  batch.num_rows = length;
  for (size_t i = 0; i < item.arity(); ++i) {
    const ColumnPtr value = parse_example(item.example.arguments[i]);
    slots.push_back(builder.input(static_cast<int>(i), value->type(), true));
    batch.columns.push_back(lay_out(value, layouts[i], length));
  }
  const Slot outputs[] = {call_of(builder, item, slots)};
  const auto program = std::move(builder).finish(outputs);
  EXPECT_TRUE(program->can_fail() || !item.fails());
  Evaluator evaluator(program, budget(), 3);
  for (int repetition = 0; repetition < 2; ++repetition) {
    const Batch out = evaluator.project(batch);
    ASSERT_EQ(out.num_rows, length);
    if (item.fails()) {
      bool beside_nulls = false;
      for (const Layout layout : layouts) beside_nulls |= layout == Layout::BesideNulls;
      ASSERT_EQ(static_cast<int64_t>(out.errors.size()), beside_nulls ? (length + 1) / 2 : length);
      if (length > 0) {
        EXPECT_EQ(out.errors[0].code, item.example.error);
        EXPECT_EQ(out.errors[0].expression, 7);
        EXPECT_EQ(out.errors[0].plan_node, 3);
        EXPECT_EQ(out.errors[0].input->size(), item.arity());
      }
      continue;
    }
    ASSERT_TRUE(out.errors.empty());
    EXPECT_EQ(out.num_selected(), length);
    for (int64_t row = 0; row<length; row += length> 100 ? 142 : 2)
      ASSERT_EQ(format_row(*out.columns[0], row), item.expected()) << row;
  }
}

/// Says whether a null beside an example's values may be what its function fails of.
bool may_fail_of_null(const Function& function) {
  return function.columns && function.columns->sees_nulls && function.columns->can_fail;
}

void check_layouts(const Case& item) {
  for (const int64_t length : kLengths) {
    for (const Layout first : kLayouts) {
      for (const Layout second : kLayouts) {
        if (item.arity() < 2 && second != Layout::Flat) continue;
        if (item.arity() > 1 && length != 33 && first != second) continue;  // every pair at one length only
        const bool beside_nulls = first == Layout::BesideNulls || second == Layout::BesideNulls;
        if (beside_nulls && may_fail_of_null(item.function)) continue;
        SCOPED_TRACE(testing::Message() << "layouts " << static_cast<int>(first) << " " << static_cast<int>(second)
                                        << " length " << length << " mode " << static_cast<int>(item.mode));
        check(item, {first, second, second}, length);
        if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) return;
      }
    }
  }
}

TEST(Functions, GiveTheirExamples) {
  for (const Function* function : all_functions()) {
    const bool takes_lambdas = function->columns && function->columns->num_lambdas > 0;
    ASSERT_EQ(function->examples.empty(), takes_lambdas) << function->description->spark_class;
    for (const functions::Example& example : function->examples) {
      for (const EvalMode mode : {EvalMode::Legacy, EvalMode::Ansi, EvalMode::Try}) {
        const Case item{*function, example, mode};
        SCOPED_TRACE(item.name());
        check_layouts(item);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Functions, FoldLiterals) {
  for (const Function* function : all_functions()) {
    for (const functions::Example& example : function->examples) {
      const Case item{*function, example, EvalMode::Legacy};
      if (item.fails()) continue;
      SCOPED_TRACE(item.name());
      ProgramBuilder builder;
      std::vector<Slot> slots;
      for (size_t i = 0; i < item.arity(); ++i) slots.push_back(builder.literal(parse_example(example.arguments[i])));
      const Slot result = call_of(builder, item, slots);
      ASSERT_TRUE(builder.constant_of(result));
      EXPECT_EQ(format_row(*builder.constant_of(result), 0), item.expected());
    }
  }
}

}  // namespace
}  // namespace accelerant::expressions
