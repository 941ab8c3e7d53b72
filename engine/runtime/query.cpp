#include "runtime/query.h"

#include "base/error.h"
#include "planner/open_tables.h"
#include "runtime/shared_stages.h"
#include "runtime/stage_pipeline.h"
#include "runtime/stream.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <utility>

namespace accelerant::runtime {

namespace {

/// Rows a source aims for: a dozen 8-byte columns of a batch fit a core's second-level cache.
constexpr int64_t kDefaultBatchRows = 16 * 1024;
/// Workers, queues and consumers hold some batches each: a query has so much memory for each row of a batch, at least.
constexpr int64_t kBudgetOfRow = 8 * 1024;
constexpr int64_t kLeastBatchRows = 1024;

int64_t parse_count(std::string_view name, std::string_view text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < 0) {
    throw_unsupported("option " + std::string(name) + "=" + std::string(text) + ": not a number of at least 0");
  }
  return value;
}

execution::DeviceChoice parse_device(std::string_view text) {
  using execution::DeviceChoice;
  if (text == "auto") return DeviceChoice::Auto;
  if (text == "cpu") return DeviceChoice::Cpu;
  if (text == "gpu") return DeviceChoice::Gpu;
  if (text == "emu") return DeviceChoice::Emulator;
  throw_unsupported("option device=" + std::string(text) + ": none of auto, cpu, gpu, emu");
}

bool parse_switch(std::string_view name, std::string_view value) {
  if (value != "true" && value != "false") throw_unsupported("option " + std::string(name) + "=" + std::string(value));
  return value == "true";
}

}  // namespace

int RunOptions::num_drivers() const {
  const int available = scheduler().num_threads();
  return threads > 0 ? std::min(threads, available) : available;
}

bool RunOptions::parse_spilling(std::string_view name, std::string_view value) {
  if (name == "spill_folders") {
    for (std::string_view rest = value; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      if (!folder.empty()) spilling.folders.emplace_back(folder);
    }
  } else if (name == "spill_limit_bytes") {
    const int64_t limit = parse_count(name, value);
    spilling.limit_bytes = limit > 0 ? limit : memory::Budget::kUnlimited;
  } else if (name == "spill_encrypted") {
    spilling.encrypted = parse_switch(name, value);
  } else {
    return false;
  }
  return has_spilling = true;
}

RunOptions RunOptions::parse(std::string_view text) {
  RunOptions options;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : line.substr(equals + 1);
    if (name == "threads") {
      options.threads = static_cast<int>(std::min<int64_t>(parse_count(name, value), 4096));
    } else if (name == "batch_rows") {
      options.batch_rows = parse_count(name, value);
    } else if (name == "memory_limit_bytes") {
      options.memory_limit_bytes = parse_count(name, value);
    } else if (name == "heap_bytes") {
      options.heap_bytes = parse_count(name, value);
    } else if (name == "interruptions") {
      options.interruptions = static_cast<uint64_t>(parse_count(name, value));
    } else if (name == "device") {
      options.device = parse_device(value);
    } else if (name == "strict") {
      options.strict = parse_switch(name, value);
    } else if (!options.parse_spilling(name, value)) {
      throw_unsupported("unknown option " + std::string(name));
    }
  }
  return options;
}

Query::Query(std::shared_ptr<const OpenedPlan> opened, planner::Tables tables, const planner::Inputs& inputs,
             const RunOptions& options)
    : opened_(std::move(opened)),
      options_(options),
      budget_(make_query_budget(options.memory_limit_bytes, memory::process_budget())),
      participant_(arbiter().join(budget_)),
      nodes_(std::make_unique<NodeContexts>(plan::roots_of(plan()), budget_)),
      tables_(std::move(tables)),
      functions_(inputs.functions),
      islands_(inputs.islands) {
  nodes_->look_ahead(physical_plan(), tables_);
  for (const planner::Stage& stage : physical_plan().stages) {
    if (!stage.is_frugal) continue;
    for (const planner::Feed& feed : stage.feeds) {
      const auto island = islands_.tables.find(feed.source->plan_node);
      if (island != islands_.tables.end()) island->second->set_on_demand();
    }
  }
}

int64_t Query::usual_batch_rows() const {
  if (options_.batch_rows > 0) return options_.batch_rows;
  const int64_t limit = std::min(budget_->limit_bytes(), memory::process_budget()->limit_bytes());
  const int64_t rows = std::clamp(limit / kBudgetOfRow, kLeastBatchRows, kDefaultBatchRows);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(rows)));
}

int64_t Query::batch_rows(const planner::Stage& stage) const {
  return std::min(usual_batch_rows(), stage.max_batch_rows);
}

std::optional<IslandClaim> Query::claim(int index, int count) {
  const planner::Stage& last = physical_plan().stages.back();
  for (const auto& [plan_node, table] : islands_.tables) {
    const auto own = partitions_of_part(*this, last, {index, count}, plan_node);
    const PartitionRange range = own.value_or(PartitionRange{0, table->num_partitions()});
    if (auto rows = table->claim(range.first, range.last)) return IslandClaim{plan_node, table, std::move(rows)};
  }
  return std::nullopt;
}

std::vector<std::weak_ptr<Stream>> Query::streams() {
  const std::lock_guard lock(mutex_);
  return streams_;
}

Query::~Query() = default;

std::shared_ptr<Query> Query::open(PreparedQuery& prepared, const planner::Inputs& inputs, const RunOptions& options) {
  planner::Tables tables = planner::open_rows(prepared.plan(), inputs);
  auto opened = prepared.open(tables, inputs.splits, options.placement(), options.memory_limit_bytes);
  tables.insert(opened->files.begin(), opened->files.end());
  std::shared_ptr<Query> query(new Query(std::move(opened), std::move(tables), inputs, options));
  if (query->island_bell()) {
    query->island_bell()->set_listener([weak = std::weak_ptr<Query>(query)] {
      const auto alive = weak.lock();
      if (!alive) return;
      for (const auto& entry : alive->streams()) {
        if (const auto stream = entry.lock()) stream->wake();
      }
    });
  }
  register_stoppable(query);
  return query;
}

execution::OperatorContext Query::context(const plan::Node& node, const execution::Cancellation& cancellation,
                                          std::shared_ptr<const execution::Parameters> parameters) const {
  return nodes_->context(node, cancellation, usual_batch_rows(), std::move(parameters));
}

planner::OpenedDevice Query::device() const {
  std::call_once(opens_device_, [&] { device_ = planner::open_device(options_.device); });
  return device_;
}

int Query::partitions(int wanted) const {
  // Build rows are emitted when all probe rows have passed, whoever reads those: one stream only.
  const auto& feeds = physical_plan().stages.back().feeds;
  if (std::any_of(feeds.begin(), feeds.end(), [](const auto& feed) { return feed.after_others; })) return 1;
  switch (plan().partitioning) {
    case plan::Partitioning::Single:
      return 1;
    case plan::Partitioning::Independent: {
      int available = 0;
      for (const auto& feed : feeds) available += table(*feed.source).num_partitions();
      return std::clamp(available, 1, std::max(1, wanted));
    }
    case plan::Partitioning::Shared:
      return std::max(1, wanted);
  }
  return 1;
}

std::shared_ptr<Stream> Query::open_stream(int index, int count) {
  ACC_CHECK(count >= 1 && index >= 0 && index < count);
  auto shared = physical_plan().stages.size() > 1 ? shared_stages_for(index, count) : nullptr;
  auto stream = std::make_shared<Stream>(shared_from_this(), std::move(shared), index, count);
  {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& entry) { return entry.expired(); });
    streams_.push_back(stream);
  }
  stream->start();
  return stream;
}

bool Query::prepare(int count, std::chrono::milliseconds timeout) {
  if (physical_plan().stages.size() < 2) return true;
  std::shared_ptr<SharedStages> fresh;
  std::shared_ptr<SharedStages> shared;
  {
    std::lock_guard lock(mutex_);
    keeps_shared_ = can_read_again();
    if (!shared_) fresh = renew_shared_stages(count);
    shared = shared_;
  }
  if (fresh) fresh->start();
  if (!shared->wait(timeout)) {
    scheduler().replace_absent();
    return false;
  }
  shared->results();
  return true;
}

bool Query::can_read_again() const {
  // Rows that a join marked stay marked: a feed of the rest is in the stage that marks them.
  return std::ranges::none_of(physical_plan().stages.back().feeds, &planner::Feed::after_others);
}

std::shared_ptr<SharedStages> Query::renew_shared_stages(int count) {
  shared_ = std::make_shared<SharedStages>(shared_from_this());
  shared_count_ = count;
  shared_taken_.assign(static_cast<size_t>(count), false);
  return shared_;
}

std::shared_ptr<SharedStages> Query::shared_stages_for(int index, int count) {
  std::shared_ptr<SharedStages> fresh;
  std::shared_ptr<SharedStages> shared;
  {
    std::lock_guard lock(mutex_);
    const auto is_used_up = [&] { return !keeps_shared_ && shared_taken_[static_cast<size_t>(index)]; };
    const bool is_there = shared_ && shared_count_ == count && !shared_->has_failed();
    if (!is_there || is_used_up()) fresh = renew_shared_stages(count);
    shared_taken_[static_cast<size_t>(index)] = true;
    shared = shared_;
    shared->join();
    // Once every stream has it, the streams alone keep it.
    const bool is_for_others = std::ranges::find(shared_taken_, false) != shared_taken_.end();
    if (!is_for_others && !keeps_shared_) shared_.reset();
  }
  if (fresh) fresh->start();
  return shared;
}

bool Query::keeps(const SharedStages& shared) {
  std::lock_guard lock(mutex_);
  return shared_.get() == &shared;
}

void Query::cancel() {
  std::vector<std::weak_ptr<Stream>> streams;
  std::shared_ptr<SharedStages> shared;
  {
    std::lock_guard lock(mutex_);
    streams.swap(streams_);
    shared = std::exchange(shared_, nullptr);
  }
  if (shared) shared->cancel();
  for (const auto& entry : streams) {
    if (const auto stream = entry.lock()) stream->cancel();
  }
}

}  // namespace accelerant::runtime
