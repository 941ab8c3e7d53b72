#include "base/error.h"
#include "columns/gather.h"
#include "operators/join_build.h"
#include "operators/join_probe.h"
#include "operators/spilled_join.h"
#include "operators/test_breakers.h"
#include "operators/test_spilling.h"
#include "plan/range.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <set>
#include <thread>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;
using expressions::ProgramBuilder;
using plan::JoinType;
using test::insist;
using types::DataType;
using types::TypeId;

const execution::Cancellation kNever;
const DataType kLong(TypeId::Long);
const DataType kText(TypeId::String);
constexpr int64_t kEnough = int64_t{1} << 30;

/// What a join is like.
struct Shape {
  JoinType type = JoinType::Inner;
  bool builds_left = false;
  bool has_condition = false;
  bool has_keys = true;
  bool has_text_key = false;
};

std::string to_string(const Shape& shape) {
  return std::string(plan::to_string(shape.type)) + (shape.builds_left ? ", left built" : ", right built") +
         (shape.has_condition ? ", condition" : "") + (shape.has_keys ? "" : ", no keys") +
         (shape.has_text_key ? ", text key" : "");
}

/// All joins of a kind that may be planned.
std::vector<Shape> shapes(bool has_text_key) {
  std::vector<Shape> shapes;
  for (const JoinType type :
       {JoinType::Inner, JoinType::LeftOuter, JoinType::RightOuter, JoinType::FullOuter, JoinType::LeftSemi,
        JoinType::LeftAnti, JoinType::NullAwareAnti, JoinType::LeftSingle, JoinType::Existence}) {
    for (const bool builds_left : {false, true}) {
      for (const bool has_condition : {false, true}) {
        plan::Join node;
        node.type = type;
        if (builds_left && !node.can_build_left()) continue;
        if (has_condition && type == JoinType::NullAwareAnti) continue;
        shapes.push_back({type, builds_left, has_condition, true, has_text_key});
      }
    }
  }
  return shapes;
}

/// Joins of two sides [long, text, number].
class JoinSpillTest : public test::SpillingTest {
 protected:
  static std::shared_ptr<plan::Join> join(const Shape& shape) {
    auto node = std::make_shared<plan::Join>();
    node->type = shape.type;
    node->builds_left = shape.builds_left;
    for (int side = 0; side < 2; ++side) {
      auto input = std::make_shared<plan::Range>();
      input->output = {{"key", kLong}, {"text", kText}, {"number", kLong}};
      node->inputs.push_back(input);
    }
    node->output = node->inputs[0]->output;
    if (node->type == JoinType::Existence) node->output.push_back({"exists", DataType(TypeId::Boolean)});
    if (!node->emits_left_only()) {
      node->output.insert(node->output.end(), node->inputs[1]->output.begin(), node->inputs[1]->output.end());
    }
    for (auto* keys : {&node->left_keys, &node->right_keys}) {
      if (!shape.has_keys) continue;
      ProgramBuilder builder;
      const auto key = shape.has_text_key ? builder.input(1, kText, true) : builder.input(0, kLong, true);
      *keys = std::move(builder).finish({&key, 1});
    }
    if (!shape.has_condition) return node;
    ProgramBuilder builder;
    const auto condition = builder.call("org.apache.spark.sql.catalyst.expressions.LessThan",
                                        {builder.input(2, kLong, true), builder.input(5, kLong, true)},
                                        DataType(TypeId::Boolean), expressions::EvalMode::Ansi, -1);
    node->condition = std::move(builder).finish({&condition, 1});
    return node;
  }

  /// Makes the rows of a side.
  /// @param num_keys 0: all keys differ
  static std::vector<Batch> side(int num_batches, int num_rows, uint64_t num_keys, uint64_t seed,
                                 bool has_nulls = true) {
    std::mt19937_64 random(seed);
    std::vector<Batch> batches;
    int64_t next_key = 0;
    for (int i = 0; i < num_batches; ++i) {
      std::vector<std::optional<int64_t>> keys;
      std::vector<std::optional<std::string>> texts;
      std::vector<std::optional<int64_t>> numbers;
      for (int row = 0; row < num_rows; ++row) {
        const int64_t key = num_keys == 0 ? next_key++ : static_cast<int64_t>(random() % num_keys);
        const bool is_null = has_nulls && random() % 17 == 0;
        keys.push_back(is_null ? std::nullopt : std::optional(key * 1'000'003));
        texts.push_back(is_null ? std::nullopt : std::optional("a text that is the key " + std::to_string(key)));
        numbers.push_back(static_cast<int64_t>(random() % 100));
      }
      batches.emplace_back();
      batches.back().morsel = i;
      batches.back().num_rows = num_rows;
      batches.back().ends_morsel = true;
      batches.back().columns = {make_longs(keys), make_strings(texts), make_longs(numbers)};
    }
    return batches;
  }

  execution::OperatorContext context() { return {budget_, cancellation_, &metrics_, 3, batch_rows_}; }

  void limit(int64_t bytes) {
    budget_ = std::make_shared<memory::Budget>("Join (plan node 3)", bytes);
    target_ = std::make_shared<spill::SpillTarget>("Join (plan node 3)", budget_, folders_, threads_);
  }

  template <class Call>
  Step step(const Call& call) const {
    return waits_ ? insist(call) : call();
  }

  static void finish(JoinBuild& sink) {
    for (Step step = sink.finish(); step.kind == Step::Kind::Suspended; step = sink.finish()) {
      execution::wait_for(step.event);
    }
  }

  void build(JoinBuild& sink, const std::vector<Batch>& batches, size_t num_workers) const {
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < num_workers; ++i) states.push_back(sink.make_state());
    for (size_t i = 0; i < batches.size(); ++i) {
      Batch in = batches[i];
      step([&] { return sink.consume(*states[i % num_workers], in); });
    }
    for (const auto& state : states) step([&] { return sink.combine(*state); });
    if (waits_) {
      test::insist_to_end([&] { return sink.finish(); });
    } else {
      finish(sink);
    }
    for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) step([&] { return sink.run_finish_task(task); });
  }

  /// Builds a side, dealt to workers.
  void build(const std::shared_ptr<plan::Join>& node, const std::vector<Batch>& batches, size_t num_workers) {
    results_ = {};
    JoinBuild sink(node, context(), target_);
    build(sink, batches, num_workers);
    sink.hand_on(*node, results_);
    built_ = results_.built_sides.at(node.get());
  }

  /// Adds the rows of a batch, and its errors, as texts.
  static void note(const Batch& batch, std::multiset<std::string>& rows) {
    for (const columns::RowError& error : batch.errors) rows.insert(error.condition ? error.condition : "error");
    if (batch.num_selected() == 0) return;
    const Batch compacted = columns::compact(batch, columns::test::unlimited());
    std::vector<std::string> texts(static_cast<size_t>(compacted.num_rows));
    for (const auto& column : compacted.columns) {
      const std::vector<std::string> shown = columns::test::show(*column);
      for (size_t row = 0; row < texts.size(); ++row) texts[row] += shown[row] + " ";
    }
    rows.insert(texts.begin(), texts.end());
  }

  void probe_batches(const JoinProbe& probe, const std::vector<Batch>& batches, size_t num_workers,
                     std::multiset<std::string>& rows) {
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < num_workers; ++i) states.push_back(probe.make_state());
    for (size_t i = 0; i < batches.size(); ++i) {
      Batch in = batches[i];
      while (true) {
        std::optional<Batch> out;
        const Step made = step([&] { return probe.process(*states[i % num_workers], in, out); });
        if (out) note(*out, rows);
        if (made.kind == Step::Kind::NeedsInput) break;
      }
    }
  }

  /// Reads a source by several workers in turn, whose morsels it counts.
  void read(Source& source, size_t num_workers, std::multiset<std::string>& rows) const {
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < num_workers; ++i) states.push_back(source.make_state());
    std::multiset<int64_t> ended;
    bool is_suspended = false;
    for (size_t i = 0; !states.empty(); ++i) {
      const size_t worker = i % states.size();
      Batch out;
      const auto next = [&] { return source.next(*states[worker], out); };
      // Who waits for memory forgets the rows that are on their way: then they would have to come within a step.
      const Step made = is_suspended ? next() : step(next);
      is_suspended = made.kind == Step::Kind::Suspended;
      // Rows are on their way, or another one has the memory.
      if (is_suspended) continue;
      if (made.kind == Step::Kind::Finished) {
        states.erase(states.begin() + static_cast<std::ptrdiff_t>(worker));
        continue;
      }
      if (out.ends_morsel) ended.insert(out.morsel);
      note(out, rows);
    }
    std::multiset<int64_t> all;
    for (int64_t morsel = 0; morsel < source.num_morsels(); ++morsel) all.insert(morsel);
    EXPECT_EQ(ended, all);
  }

  /// Returns all rows of a join whose side is built.
  std::multiset<std::string> rows_of(const std::shared_ptr<plan::Join>& node, const std::vector<Batch>& batches,
                                     size_t num_workers) {
    std::multiset<std::string> rows;
    std::shared_ptr<SetAsideRows> set_aside;
    if (built_->spilled()) set_aside = std::make_shared<SetAsideRows>(node, built_, context());
    probe_batches(JoinProbe(node, built_, context(), set_aside), batches, num_workers, rows);
    num_passed_ = rows.size();
    if (set_aside)
      read(*make_spilled_join(node, built_, set_aside, static_cast<int64_t>(num_workers), false, context()),
           num_workers, rows);
    if (node->emits_build_rows()) read(*results_.rows.at(node.get())->make_source(0, 1), num_workers, rows);
    return rows;
  }

  /// Runs a join whose sides are given, left one first.
  std::multiset<std::string> run(const Shape& shape, const std::vector<Batch>& left, const std::vector<Batch>& right,
                                 size_t num_workers) {
    const auto node = join(shape);
    build(node, shape.builds_left ? left : right, num_workers);
    return rows_of(node, shape.builds_left ? right : left, num_workers);
  }

  std::multiset<std::string> run_in_memory(const Shape& shape, const std::vector<Batch>& left,
                                           const std::vector<Batch>& right) {
    limit(kEnough);
    auto rows = run(shape, left, right, 1);
    EXPECT_EQ(built_->spilled(), nullptr);
    EXPECT_EQ(target_->written_bytes, 0);
    return rows;
  }

  /// Returns the bytes that are in use when blocks that were read ahead have come.
  int64_t bytes_kept() const {
    constexpr int kMostWaits = 2000;
    for (int i = 0; i < kMostWaits && budget_->used_bytes() > 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return budget_->used_bytes();
  }

  /// Runs it in so much memory, of which something has to go to disk.
  void expect_same(const Shape& shape, const std::vector<Batch>& left, const std::vector<Batch>& right,
                   size_t num_workers, int64_t limit_bytes, const std::multiset<std::string>& expected) {
    SCOPED_TRACE(to_string(shape) + ", workers: " + std::to_string(num_workers) +
                 ", bytes: " + std::to_string(limit_bytes));
    limit(limit_bytes);
    const std::multiset<std::string> rows = run(shape, left, right, num_workers);
    EXPECT_TRUE(rows == expected) << rows.size() << " rows, not " << expected.size();
    ASSERT_NE(built_->spilled(), nullptr);
    EXPECT_GT(target_->written_bytes, 0);
    EXPECT_LE(budget_->peak_bytes(), limit_bytes);
    built_ = nullptr;
    results_ = {};
    EXPECT_EQ(bytes_kept(), 0);
    EXPECT_EQ(system_.num_open, 0);
  }

  const execution::Cancellation* cancellation_ = &kNever;
  StageResults results_;
  std::shared_ptr<BuiltSide> built_;
  bool waits_ = true;      ///< steps wait for memory many times
  size_t num_passed_ = 0;  ///< rows that came out of the probe
  int64_t batch_rows_ = 64;
};

TEST_F(JoinSpillTest, EqualsAJoinInMemoryInBatchesOfOneRow) {
  batch_rows_ = 1;
  waits_ = false;
  for (const JoinType type : {JoinType::Inner, JoinType::FullOuter}) {
    const Shape shape{.type = type};
    const std::vector<Batch> left = side(20, 300, 12'000, 7);
    const std::vector<Batch> right = side(60, 300, 14'000, 8);
    expect_same(shape, left, right, 2, 400'000, run_in_memory(shape, left, right));
  }
}

TEST_F(JoinSpillTest, EqualsAJoinInMemory) {
  for (const bool has_text_key : {false, true}) {
    for (const Shape& shape : shapes(has_text_key)) {
      // NOT IN lets nothing pass beside a null.
      const bool has_nulls = shape.type != JoinType::NullAwareAnti;
      // Of several matches of one row any may be the first.
      const bool has_one_match = shape.type == JoinType::LeftSingle;
      const std::vector<Batch> left = side(60, 300, 12'000, 7);
      const std::vector<Batch> right = side(60, 300, has_one_match ? 0 : 14'000, 8, has_nulls);
      const std::multiset<std::string> expected = run_in_memory(shape, left, right);
      const int64_t in_memory = budget_->peak_bytes();
      waits_ = !has_text_key && shape.has_condition;
      if (has_text_key) {
        expect_same(shape, left, right, 3, in_memory * 4 / 5, expected);
      } else {
        expect_same(shape, left, right, 1, in_memory * 2 / 5, expected);
      }
    }
  }
}

TEST_F(JoinSpillTest, KeepsInMemoryWhatFits) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  run_in_memory({}, left, right);
  limit(budget_->peak_bytes() * 4 / 5);
  const std::multiset<std::string> rows = run({}, left, right, 1);
  EXPECT_LT(built_->spilled()->partitions().size(), 14U);
  EXPECT_GT(num_passed_, rows.size() / 8);
}

TEST_F(JoinSpillTest, GoesToDiskWhereATableDoesNotFitAfterAll) {
  const std::vector<Batch> left = side(60, 300, 12'000, 7);
  const std::vector<Batch> right = side(60, 300, 14'000, 8);
  const Shape shape{JoinType::LeftSemi};
  const std::multiset<std::string> expected = run_in_memory(shape, left, right);
  limit(600'000);
  // What is said to be left is not.
  const auto unlimited = std::make_shared<memory::Budget>("unlimited", memory::Budget::kUnlimited);
  target_ = std::make_shared<spill::SpillTarget>("Join (plan node 3)", unlimited, folders_, threads_);
  EXPECT_TRUE(run(shape, left, right, 1) == expected);
  ASSERT_NE(built_->spilled(), nullptr);
  EXPECT_LE(budget_->peak_bytes(), budget_->limit_bytes());
}

TEST_F(JoinSpillTest, RefusesSecondMatches) {
  Shape shape{JoinType::LeftSingle};
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  const std::string error = "SCALAR_SUBQUERY_TOO_MANY_ROWS";
  const size_t num_errors = run_in_memory(shape, left, right).count(error);
  EXPECT_GT(num_errors, 100U);
  limit(budget_->peak_bytes() * 2 / 5);
  EXPECT_EQ(run(shape, left, right, 1).count(error), num_errors);
  ASSERT_NE(built_->spilled(), nullptr);
}

TEST_F(JoinSpillTest, JoinsWithoutKeys) {
  waits_ = false;
  const std::vector<Batch> few = side(2, 5, 5000, 7);
  const std::vector<Batch> many = side(60, 200, 6000, 8);
  for (Shape shape : shapes(false)) {
    if (shape.type == JoinType::NullAwareAnti || shape.type == JoinType::LeftSingle) continue;
    shape.has_keys = false;
    const std::vector<Batch>& left = shape.builds_left ? many : few;
    const std::vector<Batch>& right = shape.builds_left ? few : many;
    const std::multiset<std::string> expected = run_in_memory(shape, left, right);
    // Without columns that are read there is little to write.
    expect_same(shape, left, right, 1, std::max<int64_t>(budget_->peak_bytes() * 3 / 5, 200'000), expected);
  }
}

TEST_F(JoinSpillTest, JoinsAKeyThatExceedsMemory) {
  const std::vector<Batch> few = side(1, 8, 1, 7);
  const std::vector<Batch> many = side(100, 200, 1, 8);
  for (const Shape& shape : shapes(false)) {
    if (shape.type == JoinType::NullAwareAnti) continue;
    waits_ = shape.has_condition && shape.type == JoinType::FullOuter;
    const std::vector<Batch>& left = shape.builds_left ? many : few;
    const std::vector<Batch>& right = shape.builds_left ? few : many;
    const std::multiset<std::string> expected = run_in_memory(shape, left, right);
    if (shape.type == JoinType::LeftSingle) {
      // Any match may be the first.
      limit(budget_->peak_bytes() / 2);
      const std::string error = "SCALAR_SUBQUERY_TOO_MANY_ROWS";
      EXPECT_EQ(run(shape, left, right, 1).count(error), expected.count(error));
      EXPECT_NE(built_->spilled(), nullptr);
      continue;
    }
    expect_same(shape, left, right, 1, std::max<int64_t>(budget_->peak_bytes() / 2, 200'000), expected);
  }
}

TEST_F(JoinSpillTest, GivesItsMemoryToOthers) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  const Shape shape{JoinType::FullOuter};
  const std::multiset<std::string> expected = run_in_memory(shape, left, right);
  limit(30'000'000);
  const auto node = join(shape);
  const auto take_from_others = [&] {
    const int64_t others = budget_->limit_bytes() - budget_->used_bytes() / 2;
    budget_->reserve(others);
    budget_->release(others);
  };
  {
    JoinBuild sink(node, context(), target_);
    std::vector<std::unique_ptr<State>> states;
    for (int i = 0; i < 2; ++i) states.push_back(sink.make_state());
    for (size_t i = 0; i < right.size(); ++i) {
      Batch in = right[i];
      sink.consume(*states[i % 2], in);
      if (i == right.size() / 2) take_from_others();
    }
    EXPECT_GT(target_->written_bytes, 0);
    for (const auto& state : states) sink.combine(*state);
    // No partition comes back.
    const int64_t others = target_->bytes_left() - 400'000;
    budget_->reserve(others);
    finish(sink);
    for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) sink.run_finish_task(task);
    budget_->release(others);
    sink.hand_on(*node, results_);
  }
  built_ = results_.built_sides.at(node.get());
  ASSERT_NE(built_->spilled(), nullptr);
  const auto set_aside = std::make_shared<SetAsideRows>(node, built_, context());
  const JoinProbe probe(node, built_, context(), set_aside);
  std::multiset<std::string> rows;
  const size_t half = left.size() / 2;
  probe_batches(probe, {left.begin(), left.begin() + static_cast<std::ptrdiff_t>(half)}, 2, rows);
  const int64_t written_bytes = target_->written_bytes;
  take_from_others();
  EXPECT_GT(target_->written_bytes, written_bytes);
  probe_batches(probe, {left.begin() + static_cast<std::ptrdiff_t>(half), left.end()}, 2, rows);
  read(*make_spilled_join(node, built_, set_aside, 2, false, context()), 2, rows);
  read(*results_.rows.at(node.get())->make_source(0, 1), 2, rows);
  EXPECT_TRUE(rows == expected) << rows.size() << " rows, not " << expected.size();
}

TEST_F(JoinSpillTest, GoesToAnotherFolderWhereOneIsFull) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  const std::multiset<std::string> expected = run_in_memory({}, left, right);
  const int64_t limit_bytes = budget_->peak_bytes() / 2;
  for (const int64_t room_bytes : {1000, 100'000, 400'000}) {
    system_.folders["/a"].room_bytes = room_bytes;
    expect_same({}, left, right, 1, limit_bytes, expected);
  }
}

/// Returns what a join fails with.
template <class Call>
Error failure_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::Internal, "nothing"};
}

TEST_F(JoinSpillTest, FailsByNameWhereNoFolderHasRoom) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  run_in_memory({}, left, right);
  const int64_t limit_bytes = budget_->peak_bytes() / 2;
  for (const int64_t room_bytes : {1000, 400'000}) {
    system_.folders["/a"].room_bytes = room_bytes;
    system_.folders["/b"].open_error = ENOENT;
    folders_.configure({.folders = {"/a", "/b"}});
    limit(limit_bytes);
    const Error failure = failure_of([&] { run({}, left, right, 1); });
    EXPECT_EQ(failure.error_class(), memory::kOutOfBudget);
    EXPECT_TRUE(failure.message().starts_with("out of memory: Join (plan node 3) has to spill and can't: "))
        << failure.message();
    built_ = nullptr;
    results_ = {};
    EXPECT_EQ(bytes_kept(), 0);
    EXPECT_EQ(system_.num_open, 0);
  }
}

TEST_F(JoinSpillTest, FailsByNameWhereAFileIsNotWhatWasWritten) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  run_in_memory({}, left, right);
  limit(budget_->peak_bytes() / 2);
  for (const char* folder : {"/a", "/b"}) system_.folders[folder].flipped_byte = 5000;
  const Error failure = failure_of([&] { run({}, left, right, 1); });
  EXPECT_TRUE(failure.message().starts_with("Join (plan node 3) can't read its spill file in /")) << failure.message();
}

TEST_F(JoinSpillTest, StopsWhereTheQueryIsCancelled) {
  const std::vector<Batch> left = side(40, 200, 5000, 7);
  const std::vector<Batch> right = side(40, 200, 6000, 8);
  run_in_memory({}, left, right);
  limit(budget_->peak_bytes() / 2);
  execution::Cancellation cancellation;
  cancellation_ = &cancellation;
  const auto node = join({});
  build(node, right, 1);
  ASSERT_NE(built_->spilled(), nullptr);
  cancellation.cancel();
  EXPECT_EQ(failure_of([&] { rows_of(node, left, 1); }).kind(), ErrorKind::Cancelled);
  built_ = nullptr;
  results_ = {};
  EXPECT_EQ(bytes_kept(), 0);
  EXPECT_EQ(system_.num_open, 0);
}

TEST_F(JoinSpillTest, JoinsWithManyThreadsThatLackMemory) {
  constexpr size_t kThreads = 4;
  const std::vector<Batch> left = side(80, 200, 9000, 7);
  const std::vector<Batch> right = side(80, 200, 12'000, 8);
  const Shape shape{JoinType::FullOuter, false, true};
  const std::multiset<std::string> expected = run_in_memory(shape, left, right);
  limit(1'500'000);
  const auto node = join(shape);
  const auto on_threads = [](const auto& work) {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
  };
  {
    JoinBuild sink(node, context(), target_);
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < kThreads; ++i) states.push_back(sink.make_state());
    on_threads([&](size_t worker) {
      for (size_t i = worker; i < right.size(); i += kThreads) {
        Batch in = right[i];
        sink.consume(*states[worker], in);
      }
      sink.combine(*states[worker]);
    });
    finish(sink);
    for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) sink.run_finish_task(task);
    sink.hand_on(*node, results_);
  }
  built_ = results_.built_sides.at(node.get());
  ASSERT_NE(built_->spilled(), nullptr);
  waits_ = false;
  const auto set_aside = std::make_shared<SetAsideRows>(node, built_, context());
  const auto probe = std::make_unique<JoinProbe>(node, built_, context(), set_aside);
  std::vector<std::multiset<std::string>> parts(kThreads);
  on_threads([&](size_t worker) {
    std::vector<Batch> batches;
    for (size_t i = worker; i < left.size(); i += kThreads) batches.push_back(left[i]);
    probe_batches(*probe, batches, 1, parts[worker]);
  });
  const auto source = make_spilled_join(node, built_, set_aside, 1, false, context());
  on_threads([&](size_t worker) {
    const auto state = source->make_state();
    Batch out;
    for (Step step = source->next(*state, out); step.kind != Step::Kind::Finished; step = source->next(*state, out)) {
      if (step.kind == Step::Kind::Suspended) {
        execution::wait_for(step.event);
      } else {
        note(out, parts[worker]);
      }
    }
  });
  std::multiset<std::string> rows;
  for (auto& part : parts) rows.merge(part);
  read(*results_.rows.at(node.get())->make_source(0, 1), 1, rows);
  EXPECT_TRUE(rows == expected) << rows.size() << " rows, not " << expected.size();
  EXPECT_LE(budget_->peak_bytes(), budget_->limit_bytes());
}

}  // namespace
}  // namespace accelerant::operators
