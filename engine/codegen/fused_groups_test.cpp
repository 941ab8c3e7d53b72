#include "codegen/fused_groups.h"

#include "codegen/test_pipelines.h"
#include "columns/gather.h"
#include "columns/test_columns.h"
#include "device/emulator/failing_stream.h"
#include "expressions/example_values.h"

#include <map>
#include <random>

namespace accelerant::codegen {
namespace {

using test::aggregate;
using test::budget;
using test::Slot;
using test::Texts;

/// What a group's aggregates are: the number of its rows, and a text a call.
struct Group {
  int64_t num_rows = 0;
  Texts results;

  bool operator==(const Group&) const = default;
};

void PrintTo(const Group& group, std::ostream* out) {
  *out << group.num_rows << " rows";
  for (const std::string& result : group.results) *out << ", " << result;
}

using Groups = std::map<Texts, Group>;

Texts key_of(std::span<const columns::ColumnPtr> keys, int64_t row) {
  Texts texts;
  for (const columns::ColumnPtr& key : keys) texts.push_back(expressions::format_row(*key, row));
  return texts;
}

/// Groups on the host, of its own rows or of what a device made.
class HostGroups {
 public:
  explicit HostGroups(const std::vector<GroupCall>& calls) : calls_(calls) {
    const execution::OperatorContext ctx{budget(), nullptr, nullptr, 0, 1024};
    for (const GroupCall& call : calls) accumulators_.push_back(call.call.make_accumulator(ctx));
  }

  void take_in(const columns::Batch& rows, int num_keys) {
    const std::span<const columns::ColumnPtr> keys(rows.columns.data(), static_cast<size_t>(num_keys));
    std::vector<int32_t> groups;
    for (int64_t row = 0; row < rows.num_rows; ++row) {
      groups.push_back(number_of(key_of(keys, row)));
      ++num_rows_[groups.back()];
    }
    for (size_t i = 0; i < calls_.size(); ++i) {
      std::vector<columns::ColumnPtr> arguments;
      for (const int at : calls_[i].arguments) {
        arguments.push_back(columns::flatten(rows.columns[static_cast<size_t>(at)], budget()));
      }
      accumulators_[i]->resize(num_groups());
      accumulators_[i]->update({groups.data(), rows.num_rows, num_groups()}, arguments);
    }
  }

  void take_in(const GroupPart& part) {
    std::vector<int32_t> groups;
    for (int64_t i = 0; i < part.num_groups; ++i) {
      const int64_t num_rows = part.num_rows[static_cast<size_t>(i)];
      groups.push_back(num_rows == 0 ? 0 : number_of(key_of(part.keys, i)));
      num_rows_[groups.back()] += num_rows;
    }
    for (size_t i = 0; i < calls_.size(); ++i) {
      accumulators_[i]->resize(num_groups());
      accumulators_[i]->merge_words(part.states[i], groups);
    }
  }

  Groups result() const {
    Groups groups;
    for (const auto& [key, number] : numbers_) {
      Group& group = groups[key];
      group.num_rows = num_rows_.at(number);
      for (const auto& accumulator : accumulators_) {
        std::vector<columns::RowError> errors;
        group.results.push_back(expressions::format_row(*accumulator->finish(number, 1, errors), 0));
      }
    }
    return groups;
  }

 private:
  int64_t num_groups() const { return static_cast<int64_t>(numbers_.size()) + 1; }
  int32_t number_of(const Texts& key) {
    return numbers_.try_emplace(key, static_cast<int32_t>(numbers_.size() + 1)).first->second;
  }

  const std::vector<GroupCall>& calls_;
  std::map<Texts, int32_t> numbers_;
  std::map<int32_t, int64_t> num_rows_;
  std::vector<std::unique_ptr<aggregates::Accumulator>> accumulators_;
};

GroupCall count_rows() { return aggregate("count", -1, "", "bigint"); }
GroupCall sum_of_longs(int argument) { return aggregate("sum", argument, "bigint", "bigint"); }
GroupCall sum_of_doubles(int argument) { return aggregate("sum", argument, "double", "double"); }
GroupCall extreme(std::string_view name, int argument, const char* type) {
  return aggregate(name, argument, type, type);
}

class FusedGroupsTest : public test::PipelineTest {
 protected:
  /// Compares the groups of the batch, taken in `times` times, in every order.
  void expect_equal(int num_keys, const std::vector<GroupCall>& calls, int times = 2) {
    ASSERT_EQ(FusedGroups::refusal_of(steps_, num_keys, calls), std::nullopt);
    const columns::Batch rows = on_host();
    const Groups expected = grouped(rows, num_keys, calls, times);
    for (const device::emulator::Schedule& order : device::emulator::test_orders()) {
      device::emulator::TestDevice device(order);
      FusedGroups groups(steps_, num_keys, calls, test::compiler());
      ASSERT_TRUE(groups.ready());
      for (int i = 0; i < times; ++i) {
        const device::DeviceBatch batch = on_device(device.stream());
        ASSERT_EQ(groups.update(device.stream(), batch, budget()), rows.errors.empty());
      }
      EXPECT_EQ(merged(groups.take(device.stream(), budget()), calls), rows.errors.empty() ? expected : Groups());
    }
  }

  /// Compares the groups of the batch, taken in by pieces whose dictionaries differ, in every order.
  void expect_equal_in_pieces(int num_keys, const std::vector<GroupCall>& calls, int64_t piece_rows) {
    const Groups expected = grouped(on_host(), num_keys, calls, 1);
    for (const device::emulator::Schedule& order : device::emulator::test_orders()) {
      device::emulator::TestDevice device(order);
      FusedGroups groups(steps_, num_keys, calls, test::compiler());
      ASSERT_TRUE(groups.ready());
      for (int64_t first = 0; first < batch_.num_rows; first += piece_rows) {
        const device::DeviceBatch piece = copied(device.stream(), piece_at(first, piece_rows));
        ASSERT_TRUE(groups.update(device.stream(), piece, budget()));
      }
      EXPECT_EQ(merged(groups.take(device.stream(), budget()), calls), expected);
    }
  }

  /// Takes the batch in twice, with one allocation on the device that fails, each in turn: what it belongs to is done
  /// again.
  void expect_equal_after_failures(int num_keys, const std::vector<GroupCall>& calls) {
    const Groups expected = grouped(on_host(), num_keys, calls, 2);
    bool has_failed = true;
    for (int64_t num_good = 0; has_failed; ++num_good) {
      SCOPED_TRACE(std::to_string(num_good) + " good allocations");
      const auto own_budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
      device::emulator::TestDevice device(device::emulator::test_orders().back(), own_budget);
      device::emulator::FailingStream stream(device.stream(), num_good);
      EXPECT_EQ(taken_in_twice(stream, num_keys, calls, own_budget), expected);
      stream.synchronize();
      EXPECT_EQ(own_budget->used_bytes(), 0);
      has_failed = stream.has_failed();
    }
  }

  /// Does the same with ever larger budgets, each without a limit from its first failure on.
  void expect_equal_in_budgets(int num_keys, const std::vector<GroupCall>& calls) {
    const Groups expected = grouped(on_host(), num_keys, calls, 2);
    constexpr int kSteps = 12;
    int64_t most_bytes = 0;
    for (int step = kSteps; step >= 0; --step) {
      const int64_t limit = step == kSteps ? memory::Budget::kUnlimited : most_bytes / kSteps * step;
      SCOPED_TRACE("budget of " + std::to_string(limit));
      const auto own_budget = std::make_shared<memory::Budget>("test", limit);
      device::emulator::TestDevice device(device::emulator::test_orders().front(), own_budget);
      EXPECT_EQ(taken_in_twice(device.stream(), num_keys, calls, own_budget), expected);
      device.stream().synchronize();
      EXPECT_EQ(own_budget->used_bytes(), 0);
      most_bytes = std::max(most_bytes, own_budget->peak_bytes());
    }
  }

 private:
  /// Returns a dictionary column whose entries begin with another one.
  static columns::ColumnPtr rotated(const columns::Column& column, int64_t by) {
    const Texts entries = columns::test::show(*column.child_values());
    const auto n = static_cast<int64_t>(entries.size());
    std::vector<std::optional<std::string>> texts;
    for (int64_t i = 0; i < n; ++i) texts.emplace_back(entries[static_cast<size_t>((i + by) % n)]);
    std::vector<std::optional<int32_t>> codes;
    for (int64_t row = 0; row < column.length(); ++row) {
      const int64_t code = (column.indices()[row] + n - by % n) % n;
      codes.push_back(column.is_null(row) ? std::nullopt : std::optional(static_cast<int32_t>(code)));
    }
    return columns::test::make_dictionary(columns::test::make_strings(texts), codes);
  }

  columns::Batch piece_at(int64_t first, int64_t num_rows) const {
    columns::Batch piece;
    piece.num_rows = std::min(num_rows, batch_.num_rows - first);
    for (const columns::ColumnPtr& column : batch_.columns) {
      const columns::ColumnPtr rows = column->slice(first, piece.num_rows);
      piece.columns.push_back(rows->is_dictionary() ? rotated(*rows, first) : rows);
    }
    return piece;
  }

  /// Calls a function; where memory was too little, a second time with enough.
  template <class Function>
  static auto with_memory(memory::Budget& own_budget, const Function& function) {
    try {
      return function();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
      own_budget.set_limit_bytes(memory::Budget::kUnlimited);
      return function();
    }
  }

  Groups taken_in_twice(device::DeviceStream& stream, int num_keys, const std::vector<GroupCall>& calls,
                        const std::shared_ptr<memory::Budget>& own_budget) {
    FusedGroups groups(steps_, num_keys, calls, test::compiler());
    EXPECT_TRUE(groups.ready());
    for (int i = 0; i < 2; ++i) {
      const device::DeviceBatch batch = with_memory(*own_budget, [&] { return on_device(stream); });
      EXPECT_TRUE(with_memory(*own_budget, [&] { return groups.update(stream, batch, own_budget); }));
    }
    return merged(with_memory(*own_budget, [&] { return groups.take(stream, own_budget); }), calls);
  }

  static Groups grouped(const columns::Batch& rows, int num_keys, const std::vector<GroupCall>& calls, int times) {
    HostGroups groups(calls);
    for (int i = 0; i < times; ++i) groups.take_in(rows, num_keys);
    return groups.result();
  }

  static Groups merged(const std::vector<GroupPart>& parts, const std::vector<GroupCall>& calls) {
    HostGroups groups(calls);
    for (const GroupPart& part : parts) groups.take_in(part);
    return groups.result();
  }
};

TEST_F(FusedGroupsTest, GroupsByDictionaries) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "N", "R"}), {0, 1, 2, 1, 0, std::nullopt, 2}));
  add(columns::test::make_dictionary(columns::test::make_strings({"F", "O"}), {0, 1, 0, 1, 1, 0, std::nullopt}));
  column("bigint", {"1", "2", "null", "9223372036854775807", "9223372036854775807", "-5", "7"});
  column("int", {"1", "2", "3", "4", "5", "6", "7"});
  filter({call("GreaterThan", {input(3), literal("1 int")}, "boolean")});
  project({input(0), input(1), input(2), input(3)});
  expect_equal(2, {sum_of_longs(2), aggregate("count", 2, "bigint", "bigint"), count_rows(), extreme("min", 3, "int"),
                   extreme("max", 2, "bigint"), aggregate("bit_xor", 2, "bigint", "bigint"),
                   aggregate("bit_and", 3, "int", "int"), aggregate("bit_or", 3, "int", "int")});
}

TEST_F(FusedGroupsTest, AggregatesWithoutKeys) {
  column("decimal(15,2)", {"901.00", "-0.01", "null", "9999999999999.99"});
  column("decimal(38,0)",
         {"99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "1", "null"});
  project({call("Multiply", {input(0), input(0)}, "decimal(31,4)"), input(1)});
  expect_equal(
      0,
      {aggregate("sum", 0, "decimal(31,4)", "decimal(38,4)"), aggregate("sum", 1, "decimal(38,0)", "decimal(38,0)"),
       aggregate("count", 1, "decimal(38,0)", "bigint")},
      1);
}

TEST_F(FusedGroupsTest, TakesNothingOfABatchWithErrors) {
  column("boolean", {"true", "false", "true"});
  column("int", {"1", "2147483647", "3"});
  project({input(0), call("Add", {input(1), literal("1 int")}, "int")});
  expect_equal(1, {aggregate("sum", 1, "int", "bigint")});
}

TEST_F(FusedGroupsTest, GroupsByManyKeys) {
  std::mt19937 random(7);
  Texts keys;
  Texts values;
  Texts doubles;
  for (int i = 0; i < 300; ++i) {
    keys.push_back(random() % 9 == 0 ? "null" : std::to_string(static_cast<int>(random() % 120) - 60));
    values.push_back(
        random() % 5 == 0 ? "null" : std::to_string((static_cast<int64_t>(random()) - 2'147'483'648) * 4'000'000'000));
    doubles.push_back(random() % 5 == 0 ? "NaN" : std::to_string(static_cast<int>(random() % 100) - 50) + ".5");
  }
  column("int", keys);
  column("bigint", values);
  column("double", doubles);
  column("string", keys);
  filter({call("IsNotNull", {input(1)}, "boolean")});
  project({input(0), input(1), input(2)});
  expect_equal(1, {sum_of_longs(1), extreme("min", 2, "double"), extreme("max", 1, "bigint")});
}

TEST_F(FusedGroupsTest, SumsUpDoublesAsTheHostDoes) {
  column("boolean", {"true", "false", "true", "null", "false", "true", "true", "false"});
  column("double", {"1.0E300", "0.1", "1.0", "NaN", "null", "-1.0E300", "0.3", "-0.2"});
  column("float", {"0.1", "Infinity", "0.2", "null", "1.5", "3.0E38", "null", "7.0"});
  project({input(0), input(1), input(2)});
  expect_equal(1, {sum_of_doubles(1), aggregate("avg", 2, "float", "double")});
  expect_equal(0, {sum_of_doubles(1)}, 1);
}

TEST_F(FusedGroupsTest, SumsUpDoublesOfManyKeys) {
  std::mt19937_64 random(11);
  Texts keys;
  Texts values;
  for (int i = 0; i < 200; ++i) {
    keys.push_back(std::to_string(random() % 60));
    values.push_back(random() % 9 == 0 ? "null" : std::to_string(random() % 1000) + ".25E" + std::to_string(i % 40));
  }
  column("int", keys);
  column("double", values);
  project({input(0), input(1)});
  expect_equal(1, {sum_of_doubles(1), extreme("max", 1, "double")});
}

TEST_F(FusedGroupsTest, GroupsByStringsAndWideDecimals) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "an entry of more than twelve bytes", "R"}),
                                     {0, 1, 2, 1, 0, std::nullopt, 2}));
  column("int", {"1", "2", "1", "2", "1", "6", "1"});
  column("decimal(38,0)", {"99999999999999999999999999999999999999", "1", "null", "1", "null", "-1", "null"});
  project({input(0), input(1), input(2)});
  expect_equal(2, {aggregate("sum", 2, "decimal(38,0)", "decimal(38,0)")});
}

TEST_F(FusedGroupsTest, MayKeepNoRows) {
  column("int", {"1", "2", "null"});
  add(columns::test::make_dictionary(columns::test::make_strings({"x"}), {0, std::nullopt, 0}));
  filter({call("GreaterThan", {input(0), literal("9 int")}, "boolean")});
  project({input(0), input(1)});
  expect_equal(1, {aggregate("sum", 0, "int", "bigint")});
  expect_equal(2, {aggregate("count", 1, "string", "bigint")});
}

TEST_F(FusedGroupsTest, GroupsByWideDecimals) {
  column("decimal(38,0)", {"99999999999999999999999999999999999999", "1", "null", "1", "null", "-1", "0"});
  column("int", {"1", "2", "3", "4", "5", "6", "7"});
  project({input(0), input(1)});
  expect_equal(1, {aggregate("sum", 1, "int", "bigint")});
}

/// Columns of random values, the keys among them of few.
class RandomGroupsTest : public FusedGroupsTest, public testing::WithParamInterface<unsigned> {
 protected:
  uint64_t below(uint64_t n) { return random_() % n; }

  template <class ValueAt>
  Texts texts(const ValueAt& value_at) {
    Texts made(static_cast<size_t>(num_rows_));
    for (std::string& text : made) text = below(7) == 0 ? "null" : value_at();
    return made;
  }

  std::string some_double() {
    if (below(20) == 0) return below(2) == 0 ? "NaN" : "-Infinity";
    return (below(2) == 0 ? "-" : "") + std::to_string(below(1000)) + ".5E" + std::to_string(below(30));
  }

  void add_columns() {
    column("boolean", texts([&] { return below(2) == 0 ? "true" : "false"; }));
    std::vector<std::optional<int32_t>> codes;
    for (int i = 0; i < num_rows_; ++i) {
      codes.push_back(below(6) == 0 ? std::nullopt : std::optional(static_cast<int32_t>(below(3))));
    }
    add(columns::test::make_dictionary(columns::test::make_strings({"", "one of more than twelve bytes", "R"}), codes));
    column("int", texts([&] { return std::to_string(static_cast<int>(below(9)) - 4); }));
    column("double", texts([&] { return std::to_string(below(5)) + ".25"; }));
    column("bigint", texts([&] { return std::to_string(static_cast<int64_t>(random_())); }));
    column("double", texts([&] { return some_double(); }));
    column("decimal(38,0)", texts([&] { return std::to_string(random_()) + std::to_string(100 + below(900)); }));
  }

  std::vector<GroupCall> some_calls(int first) {
    const std::vector<GroupCall> all = {count_rows(),
                                        aggregate("count", first + 1, "double", "bigint"),
                                        sum_of_longs(first),
                                        sum_of_doubles(first + 1),
                                        aggregate("sum", first + 2, "decimal(38,0)", "decimal(38,0)"),
                                        extreme("min", first, "bigint"),
                                        extreme("max", first + 1, "double"),
                                        extreme("min", first + 1, "double"),
                                        aggregate("bit_xor", first, "bigint", "bigint"),
                                        aggregate("avg", first, "bigint", "double")};
    std::vector<GroupCall> some;
    for (const GroupCall& call : all) {
      if (below(2) == 0) some.push_back(call);
    }
    return some;
  }

  std::mt19937_64 random_{GetParam()};
  int num_rows_ = static_cast<int>(below(device::emulator::kTurnsAreSlow ? 40 : 400));
};

TEST_P(RandomGroupsTest, EqualTheHost) {
  add_columns();
  if (below(2) == 0) filter({call("GreaterThan", {input(2), literal("-2 int")}, "boolean")});
  std::vector<Slot> outputs;
  for (const int key : {0, 1, 2, 3}) {
    if (below(3) == 0 && outputs.size() < 3) outputs.push_back(input(key));
  }
  const auto num_keys = static_cast<int>(outputs.size());
  for (const int argument : {4, 5, 6}) outputs.push_back(input(argument));
  project(outputs);
  const std::vector<GroupCall> calls = some_calls(num_keys);
  ASSERT_EQ(FusedGroups::refusal_of(steps_, num_keys, calls), std::nullopt);
  expect_equal_in_pieces(num_keys, calls, 1 + static_cast<int64_t>(below(300)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGroupsTest, testing::Range(1u, 13u));

TEST_F(FusedGroupsTest, FewGroupsSurviveFailures) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "N", "R"}), {0, 1, 2, 1, 0, std::nullopt, 2}));
  column("string", {"F", "O", "F", "an entry of more than twelve bytes", "null", "O", "F"});
  column("double", {"1.5", "2", "null", "4", "-5", "6", "1E300"});
  filter({call("EqualTo", {input(1), literal("\"F\" string")}, "boolean")});
  project({input(0), input(2)});
  expect_equal_after_failures(1, {sum_of_doubles(1), count_rows()});
  expect_equal_in_budgets(1, {sum_of_doubles(1), count_rows()});
}

TEST_F(FusedGroupsTest, ManyGroupsSurviveFailures) {
  // More than a table has room for at first, so that it grows.
  const int num_rows = device::emulator::kTurnsAreSlow ? 100 : 4500;
  Texts keys;
  Texts values;
  std::vector<std::optional<int32_t>> codes;
  for (int i = 0; i < num_rows; ++i) {
    keys.push_back(i % 97 == 0 ? "null" : std::to_string(i * 7919));
    values.push_back(i % 5 == 0 ? "null" : std::to_string(i - 1000));
    codes.push_back(i % 3 == 0 ? std::nullopt : std::optional(i % 2));
  }
  column("int", keys);
  column("bigint", values);
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "an entry of more than twelve bytes"}), codes));
  filter({call("GreaterThan", {input(0), literal("5 int")}, "boolean")});
  project({input(0), input(2), input(1)});
  expect_equal_after_failures(2, {sum_of_longs(2), extreme("max", 2, "bigint")});
  expect_equal_in_budgets(2, {sum_of_longs(2), extreme("max", 2, "bigint")});
}

}  // namespace
}  // namespace accelerant::codegen
