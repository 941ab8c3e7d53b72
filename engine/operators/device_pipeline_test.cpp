// Pipelines that a device runs a part of, and devices that fail in the middle of them: the host's answer, and each row
// once.

#include "aggregates/registry.h"
#include "base/notices.h"
#include "codegen/emulator_compiler.h"
#include "columns/test_columns.h"
#include "device/emulator/emulator.h"
#include "operators/aggregate.h"
#include "operators/device_aggregation.h"
#include "operators/device_rows.h"
#include "operators/device_source.h"
#include "operators/filter.h"
#include "operators/project.h"
#include "operators/test_breakers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <thread>

namespace accelerant::operators {
namespace {

using codegen::RowStep;
using columns::Batch;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;

const DataType kLong(TypeId::Long);

/// How many calls a device answers before it fails for good.
using CallsLeft = std::shared_ptr<std::atomic<int64_t>>;

void count_call(const CallsLeft& left) {
  if ((*left)-- <= 0) throw Error(ErrorKind::Internal, "GPU: it fell off the bus");
}

/// A stream that fails for good. What was enqueued before is done first.
class BreakingStream final : public device::DeviceStream {
 public:
  BreakingStream(std::unique_ptr<DeviceStream> stream, CallsLeft left)
      : DeviceStream(stream->budget()), stream_(std::move(stream)), left_(std::move(left)) {}

  void free(void* memory) override { stream_->free(memory); }
  void launch(const device::KernelEntry& kernel, int64_t blocks, const void* arguments) override {
    count();
    stream_->launch(kernel, blocks, arguments);
  }
  void copy_to_device(void* to, const void* from, int64_t bytes) override {
    count();
    stream_->copy_to_device(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, int64_t bytes) override {
    count();
    stream_->copy_to_host(to, from, bytes);
  }
  void copy_on_device(void* to, const void* from, int64_t bytes) override {
    count();
    stream_->copy_on_device(to, from, bytes);
  }
  void fill(void* to, uint8_t value, int64_t bytes) override {
    count();
    stream_->fill(to, value, bytes);
  }
  [[nodiscard]] std::shared_ptr<device::DeviceEvent> record() override { return stream_->record(); }
  void wait(const std::shared_ptr<device::DeviceEvent>& event) override { stream_->wait(event); }
  void synchronize() override {
    count();
    stream_->synchronize();
  }
  [[nodiscard]] void* allocate_reserved(int64_t bytes, memory::Reservation reservation) override {
    count();
    return stream_->allocate_reserved(bytes, std::move(reservation));
  }

 private:
  void count() {
    if (*left_ <= 0) stream_->synchronize();
    count_call(left_);
  }

  const std::unique_ptr<DeviceStream> stream_;
  const CallsLeft left_;
};

/// A device with memory of its own.
class BreakingDevice final : public device::Device {
 public:
  BreakingDevice(CallsLeft left, int64_t memory_bytes)
      : left_(std::move(left)), memory_(std::make_shared<memory::Budget>("memory of the device", memory_bytes)) {}

  [[nodiscard]] std::unique_ptr<device::DeviceStream> create_stream(std::shared_ptr<memory::Budget> /*host*/) override {
    count_call(left_);
    return std::make_unique<BreakingStream>(emulator_.create_stream(memory_), left_);
  }
  [[nodiscard]] std::shared_ptr<device::PinnedMemory> pinned_memory() override { return emulator_.pinned_memory(); }

 private:
  device::emulator::Emulator emulator_{{device::emulator::Turns::Random, 7, 4}};
  const CallsLeft left_;
  const std::shared_ptr<memory::Budget> memory_;
};

/// A compiler that does not get on with some kernels, and may take its time.
class PickyCompiler final : public codegen::KernelCompiler {
 public:
  std::shared_ptr<const codegen::CompiledKernel> find(const codegen::KernelText& text) override {
    static codegen::EmulatorCompiler compiler;
    if (is_at_it) return nullptr;
    if (is_broken) throw Error(ErrorKind::Internal, "a kernel does not compile");
    return compiler.find(text);
  }
  execution::EventPtr next_compiled() override { return compiled_; }

  void get_through() {
    is_at_it = false;
    compiled_->fire();
  }

  std::atomic<bool> is_broken = false;
  std::atomic<bool> is_at_it = false;

 private:
  const execution::EventPtr compiled_ = std::make_shared<execution::Event>();
};

class BreakingAccelerator final : public codegen::Accelerator {
 public:
  explicit BreakingAccelerator(int64_t num_calls, int64_t memory_bytes = memory::Budget::kUnlimited)
      : left_(std::make_shared<std::atomic<int64_t>>(num_calls)), device_(left_, memory_bytes) {}

  const std::string& name() const override { return name_; }
  device::Device& device() override { return device_; }
  PickyCompiler& compiler() override { return compiler_; }
  /// Lets others go first who wait for it.
  std::unique_lock<std::mutex> take_turn() override {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    return std::unique_lock(turn_);
  }

 private:
  const std::string name_ = "a device of the test";
  const CallsLeft left_;
  BreakingDevice device_;
  PickyCompiler compiler_;
  std::mutex turn_;
};

constexpr int64_t kMorsels = 5;
constexpr int64_t kMorselRows = 40;

/// Rows of a morsel: a key, and the number of the row among all, or null.
Batch morsel_rows(int64_t morsel) {
  std::vector<std::optional<int64_t>> keys;
  std::vector<std::optional<int64_t>> numbers;
  for (int64_t row = morsel * kMorselRows; row < (morsel + 1) * kMorselRows; ++row) {
    keys.emplace_back(row * 7 % 13);
    numbers.push_back(row % 9 == 0 ? std::nullopt : std::optional(row));
  }
  Batch batch;
  batch.num_rows = kMorselRows;
  batch.columns = {columns::test::make_longs(keys), columns::test::make_longs(numbers)};
  batch.morsel = morsel;
  batch.ends_morsel = true;
  return batch;
}

/// Morsels in memory. The third one is damaged, as far as a device is concerned, the last one has no rows.
class TestScan final : public io::Scan, public io::EncodedScan {
 public:
  class Worker final : public io::EncodedScanWorker {
   public:
    explicit Worker(TestScan& scan) : scan_(scan) {}

    bool next(device::EncodedBatch& out) override {
      if (!is_at_it_) morsel_ = scan_.taken_++;
      out = {};
      out.morsel = std::min(morsel_, scan_.num_morsels());
      is_at_it_ = true;
      const bool is_there = fill(out);
      is_at_it_ = false;
      return is_there;
    }
    void next_on_host(Batch& out) override { out = morsel_rows(morsel_); }
    void go_back(int64_t morsel) override { morsel_ = morsel; }

   private:
    bool fill(device::EncodedBatch& out) const {
      if (morsel_ >= scan_.num_morsels()) return false;
      if (morsel_ == kMorsels) return true;
      const Batch rows = morsel_rows(morsel_);
      out.num_rows = rows.num_rows;
      if (morsel_ == 2) return true;
      for (const columns::ColumnPtr& column : rows.columns) out.columns.push_back({column->type(), column});
      return true;
    }

    TestScan& scan_;
    int64_t morsel_ = 0;
    bool is_at_it_ = false;  ///< it had to wait for memory while it read the morsel
  };

  std::unique_ptr<io::ScanWorker> make_worker() override { return nullptr; }
  io::EncodedScan* encoded() override { return this; }
  std::unique_ptr<io::EncodedScanWorker> make_encoded_worker(memory::AllocateBuffer) override {
    return std::make_unique<Worker>(*this);
  }
  int64_t num_morsels() const override { return kMorsels + 1; }

 private:
  std::atomic<int64_t> taken_{0};
};

using Program = std::shared_ptr<const expressions::Program>;

Program build(const std::function<std::vector<expressions::Slot>(expressions::ProgramBuilder&)>& outputs) {
  expressions::ProgramBuilder builder;
  const std::vector<expressions::Slot> slots = outputs(builder);
  return std::move(builder).finish(slots);
}

expressions::Slot call(expressions::ProgramBuilder& builder, const char* name, int64_t operand, const DataType& type) {
  const expressions::Slot literal = builder.literal(columns::test::make_longs({operand}));
  return builder.call(std::string("org.apache.spark.sql.catalyst.expressions.") + name,
                      {builder.input(1, kLong, true), literal}, type, expressions::EvalMode::Legacy, 0);
}

/// Keeps rows from the tenth on.
Program filter() {
  return build(
      [](auto& builder) { return std::vector{call(builder, "GreaterThanOrEqual", 10, DataType(TypeId::Boolean))}; });
}

/// The number and one more.
Program projection() {
  return build([](auto& builder) {
    return std::vector{builder.input(1, kLong, true), call(builder, "Add", 1, kLong)};
  });
}

std::shared_ptr<plan::Aggregate> sums() {
  auto node = std::make_shared<plan::Aggregate>();
  node->input = build([](auto& builder) {
    return std::vector{builder.input(0, kLong, true), builder.input(1, kLong, true)};
  });
  node->keys = {{"key", kLong}};
  node->calls = {plan::aggregate_call("count", {1}, {kLong}, kLong), plan::aggregate_call("sum", {1}, {kLong}, kLong)};
  return node;
}

/// A pipeline over the morsels with a device that answers some calls.
class DevicePipelineTest : public testing::Test {
 protected:
  codegen::RowSteps steps(std::vector<RowStep> more) const {
    codegen::RowSteps steps{{{kLong, true}, {kLong, true}}, {{RowStep::Kind::Filter, filter()}}};
    steps.steps.insert(steps.steps.end(), more.begin(), more.end());
    return steps;
  }
  DeviceCounters counters() { return {&scan_, {&scan_}, {&kept_}}; }
  Batch empty() const {
    Batch batch;
    for (int i = 0; i < 2; ++i) batch.columns.push_back(columns::Column::nulls(kLong, 0, unlimited()));
    return batch;
  }

  /// Asks a source for a batch, also again when it has waited; false at the end.
  bool next(Source& source, State& state, Batch& batch) const {
    for (;;) {
      const auto ask = [&] { return source.next(state, batch); };
      const Step step = is_short_of_memory_ ? test::insist(ask) : ask();
      if (step.kind != Step::Kind::Suspended) return step.kind == Step::Kind::HasOutput;
      std::promise<void> fired;
      step.event->on_fire([&] { fired.set_value(); });
      fired.get_future().wait();
    }
  }

  /// Gives all that a source gives to a function, from several workers, and checks the places.
  void read(Source& source, int num_workers, const std::function<void(int, Batch)>& take) {
    std::vector<std::unique_ptr<State>> states;
    for (int i = 0; i < num_workers; ++i) states.push_back(source.make_state());
    std::mutex mutex;
    std::multiset<int64_t> ended;
    {
      std::vector<std::jthread> workers;
      for (int worker = 0; worker < num_workers; ++worker) {
        workers.emplace_back([&, worker] {
          int64_t morsel = -1;
          int64_t sequence = 0;
          for (Batch batch; next(source, *states[static_cast<size_t>(worker)], batch);) {
            sequence = batch.morsel == morsel ? sequence + 1 : 0;
            EXPECT_GE(batch.morsel, morsel);
            EXPECT_EQ(batch.sequence, sequence);
            morsel = batch.morsel;
            const std::lock_guard lock(mutex);
            if (batch.ends_morsel) ended.insert(morsel);
            take(worker, std::move(batch));
          }
        });
      }
    }
    std::multiset<int64_t> all;
    for (int64_t morsel = 0; morsel < source.num_morsels(); ++morsel) all.insert(morsel);
    EXPECT_EQ(ended, all);
  }

  /// Returns the groups.
  std::multiset<std::string> grouped(const std::shared_ptr<BreakingAccelerator>& accelerator, int num_workers) {
    const auto node = sums();
    DeviceGrouping grouping{
        steps({{RowStep::Kind::Project, node->input}}),
        1,
        {{aggregates::call_of("count", {kLong}, kLong), {1}}, {aggregates::call_of("sum", {kLong}, kLong), {1}}}};
    const auto device = std::make_shared<DeviceAggregation>(accelerator, grouping, counters(), is_strict_, ctx_);
    AggregateSink sink(node, ctx_, test::spill_target(ctx_), device);
    DeviceSource source(std::make_unique<TestScan>(), device, {}, empty(), 16);
    const Filter host(filter(), ctx_);
    std::vector<std::unique_ptr<State>> filters;
    std::vector<std::unique_ptr<State>> sinks;
    for (int i = 0; i < num_workers; ++i) filters.push_back(host.make_state());
    for (int i = 0; i < num_workers; ++i) sinks.push_back(sink.make_state());
    read(source, num_workers, [&](int worker, Batch batch) {
      std::optional<Batch> kept;
      host.process(*filters[static_cast<size_t>(worker)], batch, kept);
      sink.consume(*sinks[static_cast<size_t>(worker)], *kept);
    });
    for (const auto& state : sinks) sink.combine(*state);
    sink.finish();
    for (int64_t piece = 0; piece < sink.num_finish_tasks(); ++piece) sink.run_finish_task(piece);
    return rows_of(*test::handed_on(sink)->make_source(0, 1));
  }

  /// Returns the rows.
  std::multiset<std::string> projected(const std::shared_ptr<BreakingAccelerator>& accelerator, int num_workers) {
    const auto device = std::make_shared<DeviceRows>(accelerator, steps({{RowStep::Kind::Project, projection()}}),
                                                     counters(), is_strict_, ctx_);
    HostSteps host{&host_scan_, {}};
    host.transforms.push_back({std::make_unique<Filter>(filter(), ctx_), &host_kept_});
    host.transforms.push_back({std::make_unique<Project>(projection(), ctx_), &host_kept_});
    DeviceSource source(std::make_unique<TestScan>(), device, std::move(host), empty(), 16);
    std::multiset<std::string> rows;
    read(source, num_workers, [&](int, const Batch& batch) { add(batch, rows); });
    return rows;
  }

  static std::multiset<std::string> rows_of(Source& source) {
    std::multiset<std::string> rows;
    const auto state = source.make_state();
    for (Batch batch; source.next(*state, batch).kind == Step::Kind::HasOutput;) add(batch, rows);
    return rows;
  }
  static void add(const Batch& batch, std::multiset<std::string>& rows) {
    for (int64_t i = 0; i < batch.num_selected(); ++i) {
      const int64_t row = batch.selection ? (*batch.selection)[static_cast<size_t>(i)] : i;
      std::string shown;
      for (const columns::ColumnPtr& column : batch.columns) shown += columns::test::show(*column, row) + "|";
      rows.insert(shown);
    }
  }

  static std::multiset<std::string> expected_groups() {
    std::map<int64_t, std::pair<int64_t, int64_t>> groups;
    for (int64_t row = 10; row < kMorsels * kMorselRows; ++row) {
      if (row % 9 == 0) continue;
      auto& [count, sum] = groups[row * 7 % 13];
      ++count;
      sum += row;
    }
    std::multiset<std::string> rows;
    for (const auto& [key, values] : groups) {
      rows.insert(std::to_string(key) + "|" + std::to_string(values.first) + "|" + std::to_string(values.second) + "|");
    }
    return rows;
  }
  static std::multiset<std::string> expected_rows() {
    std::multiset<std::string> rows;
    for (int64_t row = 10; row < kMorsels * kMorselRows; ++row) {
      if (row % 9 != 0) rows.insert(std::to_string(row) + "|" + std::to_string(row + 1) + "|");
    }
    return rows;
  }

  using Run = std::function<std::multiset<std::string>(const std::shared_ptr<BreakingAccelerator>&, int)>;

  /// Runs with devices that fail at each call in turn.
  void expect_equal_after_each_call(const Run& run, const std::multiset<std::string>& expected) {
    bool has_failed = true;
    for (int64_t num_calls = 0; has_failed; ++num_calls) {
      SCOPED_TRACE("it fails after " + std::to_string(num_calls) + " calls");
      scan_.device_rows = 0;
      const auto accelerator = std::make_shared<BreakingAccelerator>(num_calls);
      EXPECT_EQ(run(accelerator, 1 + static_cast<int>(num_calls % 2)), expected);
      has_failed = accelerator->failure().has_value();
      EXPECT_EQ(accelerator->failure().value_or("GPU: it fell off the bus"), "GPU: it fell off the bus");
    }
    EXPECT_EQ(scan_.device_rows, (kMorsels - 1) * kMorselRows);
  }

  execution::Metrics scan_;
  execution::Metrics kept_;
  execution::Metrics host_scan_;
  execution::Metrics host_kept_;
  const execution::Cancellation cancellation_{};
  const execution::OperatorContext ctx_{unlimited(), &cancellation_, &scan_, 0, 16};
  bool is_strict_ = false;
  bool is_short_of_memory_ = false;  ///< each step of a source has to wait at its reservations
};

constexpr int64_t kEndless = int64_t{1} << 40;

TEST_F(DevicePipelineTest, MakesGroupsAndCountsRows) {
  EXPECT_EQ(grouped(std::make_shared<BreakingAccelerator>(kEndless), 2), expected_groups());
  EXPECT_EQ(scan_.device_rows, (kMorsels - 1) * kMorselRows);
  EXPECT_EQ(scan_.output_rows, (kMorsels - 1) * kMorselRows);
  EXPECT_GT(kept_.output_rows, 0);
}

TEST_F(DevicePipelineTest, MakesRowsAndCountsThem) {
  EXPECT_EQ(projected(std::make_shared<BreakingAccelerator>(kEndless), 2), expected_rows());
  EXPECT_EQ(scan_.device_rows, (kMorsels - 1) * kMorselRows);
  EXPECT_EQ(host_scan_.output_rows, kMorselRows);
  EXPECT_EQ(kept_.output_rows + host_kept_.output_rows / 2, static_cast<int64_t>(expected_rows().size()));
}

TEST_F(DevicePipelineTest, HostMakesGroupsThatAreLost) {
  expect_equal_after_each_call([this](const auto& device, int num_workers) { return grouped(device, num_workers); },
                               expected_groups());
}

TEST_F(DevicePipelineTest, HostMakesRowsThatAreLost) {
  expect_equal_after_each_call([this](const auto& device, int num_workers) { return projected(device, num_workers); },
                               expected_rows());
}

TEST_F(DevicePipelineTest, HostDoesWhatDoesNotCompile) {
  const auto accelerator = std::make_shared<BreakingAccelerator>(kEndless);
  accelerator->compiler().is_broken = true;
  EXPECT_EQ(grouped(accelerator, 1), expected_groups());
  EXPECT_EQ(projected(accelerator, 1), expected_rows());
  EXPECT_EQ(scan_.device_rows, 0);
  EXPECT_EQ(accelerator->failure(), std::nullopt);
}

TEST_F(DevicePipelineTest, RowGroupsThatHaveNoRoomTogetherGoOneByOne) {
  const auto has_room = [&](int64_t limit, int num_workers) {
    scan_.device_rows = 0;
    EXPECT_EQ(grouped(std::make_shared<BreakingAccelerator>(kEndless, limit), num_workers), expected_groups());
    return scan_.device_rows == (kMorsels - 1) * kMorselRows;
  };
  int64_t too_little = 0;
  int64_t enough = int64_t{1} << 24;
  while (enough - too_little > device::kAllocationUnitBytes) {
    const int64_t limit = (too_little + enough) / 2;
    (has_room(limit, 1) ? enough : too_little) = limit;
  }
  // Each worker's stream keeps a little.
  constexpr int kWorkers = 4;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(has_room(enough + kWorkers * device::kAllocationUnitBytes, kWorkers));
}

TEST_F(DevicePipelineTest, StrictQueriesAreSuspendedUntilKernelsAreCompiled) {
  is_strict_ = true;
  const auto accelerator = std::make_shared<BreakingAccelerator>(kEndless);
  accelerator->compiler().is_at_it = true;
  const auto device = std::make_shared<DeviceRows>(accelerator, steps({{RowStep::Kind::Project, projection()}}),
                                                   counters(), is_strict_, ctx_);
  DeviceSource source(std::make_unique<TestScan>(), device, {}, empty(), 16);
  const auto state = source.make_state();
  Batch batch;
  batch.morsel = -1;
  const Step step = source.next(*state, batch);
  ASSERT_EQ(step.kind, Step::Kind::Suspended);
  EXPECT_EQ(batch.morsel, 0);
  EXPECT_FALSE(step.event->fired());
  accelerator->compiler().get_through();
  EXPECT_TRUE(step.event->fired());
  ASSERT_EQ(source.next(*state, batch).kind, Step::Kind::HasOutput);
  EXPECT_GT(batch.num_rows, 0);
  EXPECT_EQ(batch.sequence, 0);
}

TEST_F(DevicePipelineTest, StrictQueriesGiveEachRowOnceThoughTheyWait) {
  is_strict_ = true;
  for (const int num_workers : {1, 3}) {
    const auto accelerator = std::make_shared<BreakingAccelerator>(kEndless);
    accelerator->compiler().is_at_it = true;
    const std::jthread compiling([&] {
      std::this_thread::yield();
      accelerator->compiler().get_through();
    });
    EXPECT_EQ(grouped(accelerator, num_workers), expected_groups());
    EXPECT_EQ(scan_.device_rows.exchange(0), (kMorsels - 1) * kMorselRows);
  }
}

TEST_F(DevicePipelineTest, GivesEachRowOnceThoughMemoryIsShort) {
  is_short_of_memory_ = true;
  for (const int num_workers : {1, 3}) {
    EXPECT_EQ(grouped(std::make_shared<BreakingAccelerator>(kEndless), num_workers), expected_groups());
    EXPECT_EQ(scan_.device_rows.exchange(0), (kMorsels - 1) * kMorselRows);
    EXPECT_EQ(projected(std::make_shared<BreakingAccelerator>(kEndless), num_workers), expected_rows());
    EXPECT_EQ(scan_.device_rows.exchange(0), (kMorsels - 1) * kMorselRows);
  }
}

TEST_F(DevicePipelineTest, HoldsNothingThatOthersWaitForWhileItWaitsForMemory) {
  const auto node = sums();
  const DeviceGrouping grouping{
      steps({{RowStep::Kind::Project, node->input}}), 1, {{aggregates::call_of("count", {kLong}, kLong), {1}}}};
  DeviceAggregation device(std::make_shared<BreakingAccelerator>(kEndless), grouping, counters(), is_strict_, ctx_);
  device::EncodedBatch batch{0, kMorselRows, {}};
  for (const columns::ColumnPtr& column : morsel_rows(0).columns) batch.columns.push_back({kLong, column});
  const auto worker = device.make_worker();
  const auto other = device.make_worker();
  other->want_alone();
  int num_waits = 0;
  for (bool is_taken = false; !is_taken; num_waits += is_taken ? 0 : 1) {
    try {
      const memory::ReservationProbe probe(num_waits, nullptr);
      Batch made;
      is_taken = device.take_in(*worker, batch, made).kind == Intake::Kind::Taken;
      ASSERT_TRUE(is_taken);
    } catch (const memory::MemoryWait&) {
      EXPECT_EQ(other->begin(), nullptr);
      EXPECT_EQ(other->take_state(), nullptr);
      other->finish();
      other->want_alone();
    }
  }
  EXPECT_GT(num_waits, 2);
  EXPECT_EQ(scan_.device_rows, kMorselRows);
}

TEST_F(DevicePipelineTest, HostDoesWhatIsNotCompiledYet) {
  const auto accelerator = std::make_shared<BreakingAccelerator>(kEndless);
  accelerator->compiler().is_at_it = true;
  EXPECT_EQ(grouped(accelerator, 2), expected_groups());
  EXPECT_EQ(scan_.device_rows, 0);
}

TEST_F(DevicePipelineTest, GivesUpADeviceWithOneNotice) {
  take_notices();
  EXPECT_EQ(grouped(std::make_shared<BreakingAccelerator>(3), 2), expected_groups());
  EXPECT_EQ(take_notices(), std::vector<std::string>{"a device of the test is not used any more, the host does its "
                                                     "work: GPU: it fell off the bus"});
}

TEST_F(DevicePipelineTest, StrictQueriesNameWhatFails) {
  is_strict_ = true;
  const auto message_of = [&](const std::shared_ptr<BreakingAccelerator>& accelerator) {
    device::EncodedBatch batch{0, kMorselRows, {}};
    for (const columns::ColumnPtr& column : morsel_rows(0).columns) batch.columns.push_back({kLong, column});
    DeviceRows rows(accelerator, steps({{RowStep::Kind::Project, projection()}}), counters(), is_strict_, ctx_);
    try {
      Batch made;
      rows.take_in(*rows.make_worker(), batch, made);
      return std::string("nothing");
    } catch (const Error& error) {
      return error.message();
    }
  };
  EXPECT_EQ(message_of(std::make_shared<BreakingAccelerator>(3)),
            "spark.accelerant.strict: no device takes a row group: GPU: it fell off the bus");
  const auto accelerator = std::make_shared<BreakingAccelerator>(kEndless);
  accelerator->compiler().is_broken = true;
  EXPECT_EQ(message_of(accelerator), "spark.accelerant.strict: no device takes a row group: a kernel does not compile");
}

}  // namespace
}  // namespace accelerant::operators
