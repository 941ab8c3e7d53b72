#include "operators/join_probe.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "functions/error_codes.h"
#include "operators/join_build.h"
#include "operators/join_matches.h"
#include "operators/test_breakers.h"
#include "operators/test_steps.h"
#include "plan/range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::unlimited;
using expressions::ProgramBuilder;
using plan::JoinType;

const types::DataType kLong(types::TypeId::Long);
const execution::Cancellation kNever;

execution::OperatorContext context(int64_t batch_rows, const execution::Cancellation& cancellation = kNever) {
  static execution::Metrics metrics;
  return {unlimited(), &cancellation, &metrics, 3, batch_rows};
}

/// A row of either side: a key and a number.
struct Row {
  int64_t key;
  int64_t number;
};

std::vector<Row> random_rows(std::mt19937& random, int count, int num_keys, int num_numbers) {
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    const auto key = static_cast<int64_t>(random() % static_cast<unsigned>(num_keys));
    rows.push_back({key, static_cast<int64_t>(random() % static_cast<unsigned>(num_numbers))});
  }
  return rows;
}

/// Cuts rows into batches of two columns.
std::vector<Batch> batches_of(const std::vector<Row>& rows, size_t batch_rows) {
  std::vector<Batch> batches;
  for (size_t first = 0; first < rows.size(); first += batch_rows) {
    std::vector<std::optional<int64_t>> keys;
    std::vector<std::optional<int64_t>> numbers;
    for (size_t i = first; i < std::min(first + batch_rows, rows.size()); ++i) {
      keys.push_back(rows[i].key);
      numbers.push_back(rows[i].number);
    }
    Batch batch;
    batch.num_rows = static_cast<int64_t>(keys.size());
    batch.columns = {make_longs(keys), make_longs(numbers)};
    batch.morsel = static_cast<int64_t>(batches.size());
    batch.ends_morsel = true;
    batches.push_back(std::move(batch));
  }
  return batches;
}

/// A join that builds its left side; of equal keys, or of all pairs, whose left number is less than the right one.
std::shared_ptr<plan::Join> join_of(JoinType type, bool has_keys) {
  auto node = std::make_shared<plan::Join>();
  node->type = type;
  node->builds_left = true;
  for (int side = 0; side < 2; ++side) {
    auto input = std::make_shared<plan::Range>();
    input->output = {{"key", kLong}, {"number", kLong}};
    node->inputs.push_back(input);
  }
  node->output = node->inputs[0]->output;
  for (auto* keys : {&node->left_keys, &node->right_keys}) {
    if (!has_keys) continue;
    ProgramBuilder builder;
    const auto key = builder.input(0, kLong, true);
    *keys = std::move(builder).finish({&key, 1});
  }
  ProgramBuilder builder;
  const auto condition = builder.call("org.apache.spark.sql.catalyst.expressions.LessThan",
                                      {builder.input(1, kLong, true), builder.input(3, kLong, true)},
                                      types::DataType(types::TypeId::Boolean), expressions::EvalMode::Ansi, -1);
  node->condition = std::move(builder).finish({&condition, 1});
  return node;
}

/// Takes batches in turn with other workers, and looks them up.
void probe_batches(const JoinProbe& probe, const std::vector<Batch>& batches, std::atomic<size_t>& taken) {
  const auto state = probe.make_state();
  for (size_t i = taken++; i < batches.size(); i = taken++) {
    Batch batch = batches[i];
    std::optional<Batch> out;
    while (test::insist([&] { return probe.process(*state, batch, out); }).kind == Step::Kind::HasOutput) out.reset();
  }
}

/// Completes a build side, and returns what it hands on for a join.
StageResults complete(JoinBuild& build, const plan::Join& node) {
  test::insist([&] { return build.finish(); });
  for (int64_t piece = 0; piece < build.num_finish_tasks(); ++piece) {
    test::insist([&] { return build.run_finish_task(piece); });
  }
  StageResults results;
  build.hand_on(node, results);
  return results;
}

/// Runs a join whose probe side passes on several threads, and returns the numbers of the rows that it emits.
std::vector<int64_t> run(const std::shared_ptr<plan::Join>& node, const std::vector<Row>& left,
                         const std::vector<Row>& right) {
  constexpr int64_t kBatchRows = 64;
  JoinBuild build(node, context(kBatchRows), test::spill_target(context(kBatchRows)));
  const auto state = build.make_state();
  for (Batch& batch : batches_of(left, kBatchRows)) test::insist([&] { return build.consume(*state, batch); });
  build.combine(*state);
  const StageResults results = complete(build, *node);
  const JoinProbe probe(node, results.built_sides.at(node.get()), context(kBatchRows));
  const std::vector<Batch> batches = batches_of(right, kBatchRows);
  std::atomic<size_t> taken{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back([&] { probe_batches(probe, batches, taken); });
  for (std::thread& worker : workers) worker.join();
  std::vector<int64_t> numbers;
  const auto source = results.rows.at(node.get())->make_source(0, 1);
  const auto source_state = source->make_state();
  for (Batch out; source->next(*source_state, out).kind == Step::Kind::HasOutput;) {
    for (int64_t row = 0; row < out.num_rows; ++row) numbers.push_back(out.columns[1]->values<int64_t>()[row]);
  }
  return numbers;
}

std::vector<int64_t> expected(bool wants_matched, bool has_keys, const std::vector<Row>& left,
                              const std::vector<Row>& right) {
  std::vector<int64_t> numbers;
  for (const Row& row : left) {
    const bool matches = std::any_of(right.begin(), right.end(), [&](const Row& other) {
      return (!has_keys || row.key == other.key) && row.number < other.number;
    });
    if (matches == wants_matched) numbers.push_back(row.number);
  }
  return numbers;
}

TEST(JoinProbe, ChoosesBuiltRowsByAConditionOnSeveralThreads) {
  std::mt19937 random(7);
  for (int round = 0; round < 8; ++round) {
    const std::vector<Row> left = random_rows(random, 1000, 1 + round % 4, 100);
    const std::vector<Row> right = random_rows(random, 2000, 1 + round % 5, 60 + round * 3);
    for (const bool has_keys : {false, true}) {
      EXPECT_EQ(run(join_of(JoinType::LeftSemi, has_keys), left, right), expected(true, has_keys, left, right));
      EXPECT_EQ(run(join_of(JoinType::LeftAnti, has_keys), left, right), expected(false, has_keys, left, right));
    }
  }
}

TEST(JoinProbe, GivesOutNullsWhereNobodyReads) {
  const auto node = join_of(JoinType::Inner, true);
  node->output.insert(node->output.end(), node->inputs[1]->output.begin(), node->inputs[1]->output.end());
  node->wanted = {false, true, false, false};
  JoinBuild build(node, context(64), test::spill_target(context(64)));
  const auto state = build.make_state();
  for (Batch& batch : batches_of({{1, 10}, {2, 20}}, 64)) test::insist([&] { return build.consume(*state, batch); });
  build.combine(*state);
  const StageResults results = complete(build, *node);
  const JoinProbe probe(node, results.built_sides.at(node.get()), context(64));
  Batch batch = batches_of({{2, 21}, {1, 9}, {1, 11}}, 64).front();
  std::optional<Batch> out;
  probe.process(*probe.make_state(), batch, out);
  using columns::test::show;
  EXPECT_EQ(show(*out->columns[1]), (std::vector<std::string>{"20", "10"}));
  for (const size_t unread : {0, 2, 3}) {
    EXPECT_EQ(show(*out->columns[unread]), (std::vector<std::string>{"null", "null"}));
  }
}

/// Has a row with an error pass by an empty side that Spark builds, and returns how many rows come out, and errors.
std::pair<int64_t, size_t> pass_no_rows(JoinType type, plan::Spared spared, bool spark_builds_left) {
  const auto node = join_of(type, true);
  node->builds_left = false;
  node->condition = nullptr;
  node->spared = spared;
  node->spark_builds_left = spark_builds_left;
  ProgramBuilder builder;
  const auto zero = builder.call("org.apache.spark.sql.catalyst.expressions.Subtract",
                                 {builder.input(0, kLong, true), builder.input(0, kLong, true)}, kLong,
                                 expressions::EvalMode::Ansi, -1);
  const auto key = builder.call("org.apache.spark.sql.catalyst.expressions.IntegralDivide",
                                {builder.input(0, kLong, true), zero}, kLong, expressions::EvalMode::Ansi, -1);
  node->left_keys = std::move(builder).finish({&key, 1});
  JoinBuild build(node, context(64), test::spill_target(context(64)));
  build.combine(*build.make_state());
  const StageResults results = complete(build, *node);
  const JoinProbe probe(node, results.built_sides.at(node.get()), context(64));
  Batch batch = batches_of({{1, 10}, {2, 20}, {3, 30}}, 64).front();
  batch.errors.push_back({1, functions::kOverflow, 3, -1, nullptr});
  std::optional<Batch> out;
  const auto state = probe.make_state();
  EXPECT_EQ(probe.process(*state, batch, out).kind, Step::Kind::NeedsInput);
  EXPECT_TRUE(out && out->ends_morsel);
  return {out->selection ? static_cast<int64_t>(out->selection->size()) : out->num_rows, out->errors.size()};
}

TEST(JoinProbe, LeavesOutWhatSparkDoesBesideNoRows) {
  using Passed = std::pair<int64_t, size_t>;
  using plan::Spared;
  EXPECT_EQ(pass_no_rows(JoinType::LeftAnti, Spared::Nothing, false), Passed(0, 4));
  EXPECT_EQ(pass_no_rows(JoinType::LeftAnti, Spared::Keys, false), Passed(3, 1));
  EXPECT_EQ(pass_no_rows(JoinType::LeftAnti, Spared::Keys, true), Passed(0, 4)) << "Spark computes these keys first";
  EXPECT_EQ(pass_no_rows(JoinType::LeftSemi, Spared::Keys, false), Passed(0, 1));
  EXPECT_EQ(pass_no_rows(JoinType::LeftSemi, Spared::Rows, false), Passed(0, 0));
}

TEST(JoinBuild, HoldsNoColumnsThatNobodyReads) {
  const auto node = join_of(JoinType::LeftSemi, true);
  node->condition = nullptr;
  node->wanted = {true, false};
  JoinBuild build(node, context(64), test::spill_target(context(64)));
  const auto state = build.make_state();
  for (Batch& batch : batches_of({{1, 10}, {2, 20}, {1, 30}}, 2))
    test::insist([&] { return build.consume(*state, batch); });
  build.combine(*state);
  const StageResults results = complete(build, *node);
  const auto& columns = results.built_sides.at(node.get())->table().columns();
  EXPECT_TRUE(columns[0]->is_flat());
  EXPECT_TRUE(columns[1]->is_constant());
  EXPECT_EQ(columns[1]->length(), 3);
}

TEST(JoinBuild, MakesNoTableForACancelledQuery) {
  execution::Cancellation cancellation;
  JoinBuild build(join_of(JoinType::LeftSemi, true), context(64, cancellation), test::spill_target(context(64)));
  const auto state = build.make_state();
  for (Batch& batch : batches_of({{1, 2}}, 64)) test::insist([&] { return build.consume(*state, batch); });
  build.combine(*state);
  cancellation.cancel();
  EXPECT_THROW(build.finish(), Error);
  EXPECT_EQ(build.num_finish_tasks(), 0);
}

/// A table of so many rows, all in one chain.
std::unique_ptr<JoinTable> one_chain(int64_t num_rows) {
  auto keys = std::make_unique<JoinKeys>(std::vector<types::DataType>{}, unlimited());
  keys->encode({}, num_rows);
  std::vector<JoinTable::Chunk> chunks;
  const KeyBounds bounds = keys->bounds();
  chunks.push_back({0, num_rows, {}, std::move(keys), bounds});
  auto table =
      std::make_unique<JoinTable>(std::move(chunks), true, JoinTable::ChainOrder::FirstRowFirst, 1, context(16384));
  table->allocate();
  for (int64_t piece = 0; piece < table->num_finish_tasks(); ++piece) table->run_finish_task(piece);
  return table;
}

/// Looks up rows in a table all of whose rows are marked, and returns how many calls that took.
int calls_past_marked_rows(JoinTable& table, int64_t probe_rows) {
  const auto node = join_of(JoinType::LeftSemi, false);
  const auto ctx = context(16384);
  JoinMatches matches(*node, table, ctx);
  JoinMatches::Wanted wanted;
  wanted.marked = JoinMatches::Wanted::Marked::Skipped;
  Batch probe;
  probe.num_rows = probe_rows;
  matches.start(probe);
  int calls = 0;
  for (; !matches.at_end(); ++calls) EXPECT_EQ(matches.next(wanted).size(), 0);
  return calls;
}

TEST(JoinMatches, PassesMarkedRowsOnceAndInCallsOfBoundedLength) {
  const auto held = one_chain(3'000'000);
  JoinTable& table = *held;
  for (int32_t row = 0; row < table.num_rows(); ++row) table.mark(row);
  const int calls = calls_past_marked_rows(table, 100);
  EXPECT_GT(calls, 3);
  EXPECT_LT(calls, 20);
  EXPECT_EQ(calls_past_marked_rows(table, 100), 1);
}

TEST(JoinMatches, FindsUnmarkedRowsBehindThoseThatWereUnlinked) {
  const auto held = one_chain(1000);
  JoinTable& table = *held;
  const auto node = join_of(JoinType::LeftSemi, false);
  const auto ctx = context(16384);
  JoinMatches::Wanted wanted;
  wanted.marked = JoinMatches::Wanted::Marked::Skipped;
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 40; ++i) table.mark(static_cast<int32_t>(random() % 1000));
    std::vector<int32_t> unmarked;
    for (int32_t row = 0; row < 1000; ++row) {
      if (!table.is_marked(row)) unmarked.push_back(row);
    }
    JoinMatches matches(*node, table, ctx);
    Batch probe;
    probe.num_rows = 1;
    matches.start(probe);
    EXPECT_EQ(matches.next(wanted).build_rows, unmarked);
    EXPECT_TRUE(matches.at_end());
  }
}

}  // namespace
}  // namespace accelerant::operators
