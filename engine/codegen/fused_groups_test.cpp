#include "codegen/fused_groups.h"

#include "base/bits.h"
#include "codegen/row_groups.h"
#include "codegen/test_pipelines.h"
#include "columns/test_columns.h"
#include "device/emulator/failing_stream.h"
#include "device/primitives/update_groups.h"

#include <bit>
#include <map>
#include <random>

namespace accelerant::codegen {
namespace {

using device::kernels::AggregateKind;
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

__extension__ using Integer = __int128;

std::string text_of(Integer value) {
  if (value < 0) return "-" + text_of(-value);
  std::string text(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? text : text_of(value / 10) + text;
}

Integer integer_at(const columns::Column& column, int64_t row) {
  if (column.physical() == types::PhysicalType::Int128) return column.values<Integer>()[row];
  if (column.physical() == types::PhysicalType::Int64) return column.values<int64_t>()[row];
  if (column.physical() == types::PhysicalType::Int32) return column.values<int32_t>()[row];
  return ordered(column.values<double>()[row]);
}

double double_at(const columns::Column& column, int64_t row) {
  if (column.physical() == types::PhysicalType::Float32) return column.values<float>()[row];
  return column.values<double>()[row];
}

/// Shows all bits.
std::string text_of(const functions::BinnedSum& sum) {
  return sum.count == 0 ? "none" : std::to_string(std::bit_cast<uint64_t>(sum.value()));
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

  Groups taken_in_twice(device::Stream& stream, int num_keys, const std::vector<GroupCall>& calls,
                        const std::shared_ptr<memory::Budget>& own_budget) {
    FusedGroups groups(steps_, num_keys, calls, test::compiler());
    EXPECT_TRUE(groups.ready());
    for (int i = 0; i < 2; ++i) {
      const device::DeviceBatch batch = with_memory(*own_budget, [&] { return on_device(stream); });
      EXPECT_TRUE(with_memory(*own_budget, [&] { return groups.update(stream, batch, own_budget); }));
    }
    return merged(with_memory(*own_budget, [&] { return groups.take(stream, own_budget); }), calls);
  }

  static Texts key_of(const std::vector<columns::ColumnPtr>& keys, int64_t row) {
    Texts texts;
    for (const columns::ColumnPtr& key : keys) texts.push_back(expressions::format_row(*key, row));
    return texts;
  }

  static std::string result_of(const GroupCall& call, const columns::Batch& rows, const std::vector<int64_t>& members) {
    const columns::Column* values =
        call.argument < 0 ? nullptr : rows.columns[static_cast<size_t>(call.argument)].get();
    if (call.kind == AggregateKind::SumDouble) return sum_of(*values, members);
    functions::ExactSum sum = functions::ExactSum::init();
    Integer extreme = 0;
    int64_t count = 0;
    for (const int64_t row : members) {
      if (values != nullptr && values->is_null(row)) continue;
      const Integer value = call.kind == AggregateKind::Count ? 0 : integer_at(*values, row);
      const bool is_better = call.kind == AggregateKind::Minimum ? value < extreme : value > extreme;
      if (count == 0 || is_better) extreme = value;
      sum.update(value);
      ++count;
    }
    if (call.kind == AggregateKind::Count) return std::to_string(count);
    if (count == 0) return "none";
    return text_of(call.kind == AggregateKind::Minimum || call.kind == AggregateKind::Maximum ? extreme : sum.value());
  }

  static std::string sum_of(const columns::Column& values, const std::vector<int64_t>& members) {
    functions::BinnedSum sum = functions::BinnedSum::init();
    for (const int64_t row : members) {
      if (!values.is_null(row)) sum.update(double_at(values, row));
    }
    return text_of(sum);
  }

  static Groups grouped(const columns::Batch& rows, int num_keys, const std::vector<GroupCall>& calls, int times) {
    const std::vector<columns::ColumnPtr> keys(rows.columns.begin(), rows.columns.begin() + num_keys);
    std::map<Texts, std::vector<int64_t>> members;
    for (int64_t row = 0; row < rows.num_rows; ++row) {
      for (int i = 0; i < times; ++i) members[key_of(keys, row)].push_back(row);
    }
    Groups groups;
    for (const auto& [key, own] : members) {
      Group& group = groups[key];
      group.num_rows = static_cast<int64_t>(own.size());
      for (const GroupCall& call : calls) group.results.push_back(result_of(call, rows, own));
    }
    return groups;
  }

  static Groups merged(const std::vector<GroupPart>& parts, const std::vector<GroupCall>& calls) {
    Groups groups;
    std::map<Texts, std::map<size_t, std::vector<uint64_t>>> extremes;
    std::map<Texts, std::map<size_t, functions::ExactSum>> sums;
    std::map<Texts, std::map<size_t, functions::BinnedSum>> double_sums;
    for (const GroupPart& part : parts) {
      for (int64_t i = 0; i < part.num_groups; ++i) {
        const int64_t num_rows = part.num_rows[static_cast<size_t>(i)];
        if (num_rows == 0) continue;
        const Texts key = key_of(part.keys, i);
        groups[key].num_rows += num_rows;
        for (size_t c = 0; c < calls.size(); ++c) {
          const auto width = static_cast<size_t>(device::num_state_words(calls[c].kind));
          const uint64_t* state = part.states[c].data() + static_cast<size_t>(i) * width;
          if (calls[c].kind == AggregateKind::SumDouble) {
            auto& sum = double_sums[key].try_emplace(c, functions::BinnedSum::init()).first->second;
            sum.merge(device::binned_sum_of(state));
          } else if (width == 4 || width == 1) {
            auto& sum = sums[key].try_emplace(c, functions::ExactSum::init()).first->second;
            functions::ExactSum own = functions::ExactSum::init();
            if (width == 1) own.update(static_cast<Integer>(state[0]));
            if (width == 4) own = device::exact_sum_of(state);
            sum.merge(own);
          } else {
            auto& words = extremes[key][c];
            words.resize(2);
            words[0] = std::max(words[0], state[0]);
            words[1] |= state[1];
          }
        }
      }
    }
    for (auto& [key, group] : groups) {
      for (size_t c = 0; c < calls.size(); ++c) {
        if (const auto found = extremes[key].find(c); found != extremes[key].end()) {
          const auto value = device::extreme_of(calls[c].kind, found->second.data());
          group.results.push_back(found->second[1] != 0 ? text_of(value) : "none");
          continue;
        }
        if (const auto found = double_sums[key].find(c); found != double_sums[key].end()) {
          group.results.push_back(text_of(found->second));
          continue;
        }
        const functions::ExactSum& sum = sums[key].at(c);
        const bool is_count = calls[c].kind == AggregateKind::Count;
        group.results.push_back(is_count || sum.count > 0 ? text_of(sum.value()) : "none");
      }
    }
    return groups;
  }
};

TEST_F(FusedGroupsTest, GroupsByDictionaries) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "N", "R"}), {0, 1, 2, 1, 0, std::nullopt, 2}));
  add(columns::test::make_dictionary(columns::test::make_strings({"F", "O"}), {0, 1, 0, 1, 1, 0, std::nullopt}));
  column("bigint", {"1", "2", "null", "9223372036854775807", "9223372036854775807", "-5", "7"});
  column("int", {"1", "2", "3", "4", "5", "6", "7"});
  filter({call("GreaterThan", {input(3), literal("1 int")}, "boolean")});
  project({input(0), input(1), input(2), input(3)});
  expect_equal(2, {{AggregateKind::SumInt64, 2},
                   {AggregateKind::Count, 2},
                   {AggregateKind::Count, -1},
                   {AggregateKind::Minimum, 3},
                   {AggregateKind::Maximum, 2}});
}

TEST_F(FusedGroupsTest, AggregatesWithoutKeys) {
  column("decimal(15,2)", {"901.00", "-0.01", "null", "9999999999999.99"});
  column("decimal(38,0)",
         {"99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "1", "null"});
  project({call("Multiply", {input(0), input(0)}, "decimal(31,4)"), input(1)});
  expect_equal(0, {{AggregateKind::SumInt128, 0}, {AggregateKind::SumInt128, 1}, {AggregateKind::Count, 1}}, 1);
}

TEST_F(FusedGroupsTest, TakesNothingOfABatchWithErrors) {
  column("boolean", {"true", "false", "true"});
  column("int", {"1", "2147483647", "3"});
  project({input(0), call("Add", {input(1), literal("1 int")}, "int")});
  expect_equal(1, {{AggregateKind::SumInt64, 1}});
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
  expect_equal(1, {{AggregateKind::SumInt64, 1}, {AggregateKind::Minimum, 2}, {AggregateKind::Maximum, 1}});
}

TEST_F(FusedGroupsTest, SumsUpDoublesAsTheHostDoes) {
  column("boolean", {"true", "false", "true", "null", "false", "true", "true", "false"});
  column("double", {"1.0E300", "0.1", "1.0", "NaN", "null", "-1.0E300", "0.3", "-0.2"});
  column("float", {"0.1", "Infinity", "0.2", "null", "1.5", "3.0E38", "null", "7.0"});
  project({input(0), input(1), input(2)});
  expect_equal(1, {{AggregateKind::SumDouble, 1}, {AggregateKind::SumDouble, 2}});
  expect_equal(0, {{AggregateKind::SumDouble, 1}}, 1);
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
  expect_equal(1, {{AggregateKind::SumDouble, 1}, {AggregateKind::Maximum, 1}});
}

TEST_F(FusedGroupsTest, GroupsByStringsAndWideDecimals) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "an entry of more than twelve bytes", "R"}),
                                     {0, 1, 2, 1, 0, std::nullopt, 2}));
  column("int", {"1", "2", "1", "2", "1", "6", "1"});
  column("decimal(38,0)", {"99999999999999999999999999999999999999", "1", "null", "1", "null", "-1", "null"});
  project({input(0), input(1), input(2)});
  expect_equal(2, {{AggregateKind::SumInt128, 2}});
}

TEST_F(FusedGroupsTest, MayKeepNoRows) {
  column("int", {"1", "2", "null"});
  add(columns::test::make_dictionary(columns::test::make_strings({"x"}), {0, std::nullopt, 0}));
  filter({call("GreaterThan", {input(0), literal("9 int")}, "boolean")});
  project({input(0), input(1)});
  expect_equal(1, {{AggregateKind::SumInt64, 0}});
  expect_equal(2, {{AggregateKind::Count, 1}});
}

TEST_F(FusedGroupsTest, GroupsByWideDecimals) {
  column("decimal(38,0)", {"99999999999999999999999999999999999999", "1", "null", "1", "null", "-1", "0"});
  column("int", {"1", "2", "3", "4", "5", "6", "7"});
  project({input(0), input(1)});
  expect_equal(1, {{AggregateKind::SumInt64, 1}});
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
    const std::vector<GroupCall> all = {{AggregateKind::Count, -1},
                                        {AggregateKind::Count, first + 1},
                                        {AggregateKind::SumInt64, first},
                                        {AggregateKind::SumDouble, first + 1},
                                        {AggregateKind::SumInt128, first + 2},
                                        {AggregateKind::Minimum, first},
                                        {AggregateKind::Maximum, first + 1},
                                        {AggregateKind::Minimum, first + 1}};
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
  expect_equal_after_failures(1, {{AggregateKind::SumDouble, 1}, {AggregateKind::Count, -1}});
  expect_equal_in_budgets(1, {{AggregateKind::SumDouble, 1}, {AggregateKind::Count, -1}});
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
  expect_equal_after_failures(2, {{AggregateKind::SumInt64, 2}, {AggregateKind::Maximum, 2}});
  expect_equal_in_budgets(2, {{AggregateKind::SumInt64, 2}, {AggregateKind::Maximum, 2}});
}

}  // namespace
}  // namespace accelerant::codegen
