#include "runtime/query.h"

#include "base/error.h"
#include "operators/scan.h"
#include "plan/plan_message.h"
#include "plan/scan.h"
#include "runtime/shared_stages.h"
#include "runtime/splits.h"
#include "runtime/stream.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace accelerant::runtime {

namespace {

/// Rows a source aims for: a dozen 8-byte columns of a batch fit a core's second-level cache.
constexpr int64_t kDefaultBatchRows = 16 * 1024;

int64_t parse_count(std::string_view name, std::string_view text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < 0) {
    throw_unsupported("option " + std::string(name) + "=" + std::string(text) + ": not a number of at least 0");
  }
  return value;
}

/// Returns the first file partition of group `index` of `count`: groups are contiguous and of about equal bytes.
int first_partition(const io::Dataset& dataset, int index, int count) {
  const int num_partitions = dataset.num_partitions();
  int64_t total = 0;
  for (int i = 0; i < num_partitions; ++i) total += dataset.partition_bytes(i) + 1;
  int64_t before = 0;
  for (int i = 0; i < num_partitions; ++i) {
    // A partition belongs to the group that its middle falls into.
    const int64_t middle = before + (dataset.partition_bytes(i) + 1) / 2;
    if (static_cast<__int128>(middle) * count >= static_cast<__int128>(total) * index) return i;
    before += dataset.partition_bytes(i) + 1;
  }
  return num_partitions;
}

}  // namespace

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
    } else {
      throw_unsupported("unknown option " + std::string(name));
    }
  }
  return options;
}

Query::Query(plan::BoundPlan plan, const RunOptions& options)
    : plan_(std::move(plan)),
      options_(options),
      stages_(planner::cut_into_stages(plan_.root)),
      budget_(std::make_shared<memory::Budget>(
          "query budget", options.memory_limit_bytes > 0 ? options.memory_limit_bytes : memory::Budget::kUnlimited,
          memory::process_budget())),
      nodes_(std::make_unique<NodeContexts>(plan_.root, budget_)) {}

Query::~Query() = default;

std::shared_ptr<Query> Query::open(std::span<const uint8_t> plan, std::span<const uint8_t> splits,
                                   const RunOptions& options) {
  std::shared_ptr<Query> query(new Query(plan::bind(plan::decode_plan(plan)), options));
  query->open_datasets(splits);
  register_stoppable(query);
  return query;
}

void Query::open_datasets(std::span<const uint8_t> splits) {
  const plan::Scan& scan = stages_.front().source->as<plan::Scan>();
  auto partitions = decode_scan_splits(splits, scan);
  static const execution::Cancellation kNever;
  const auto ctx = nodes_->context(scan, kNever, batch_rows());
  dataset_ = io::open_parquet(scan.spec, std::move(partitions), max_drivers(), ctx.budget);
}

int64_t Query::batch_rows() const { return options_.batch_rows > 0 ? options_.batch_rows : kDefaultBatchRows; }

int Query::max_drivers() const {
  const int available = scheduler().num_threads();
  return options_.threads > 0 ? std::min(options_.threads, available) : available;
}

int Query::partitions(int wanted) const {
  switch (plan_.partitioning) {
    case plan::Partitioning::Single:
      return 1;
    case plan::Partitioning::Independent:
      return std::clamp(dataset_->num_partitions(), 1, std::max(1, wanted));
    case plan::Partitioning::Shared:
      return std::max(1, wanted);
  }
  return 1;
}

std::unique_ptr<operators::Source> Query::make_scan(int index, int count, const execution::OperatorContext& ctx) const {
  const int first = first_partition(*dataset_, index, count);
  const int last = index + 1 == count ? dataset_->num_partitions() : first_partition(*dataset_, index + 1, count);
  return std::make_unique<operators::ScanSource>(dataset_->scan(first, last, ctx));
}

std::shared_ptr<Stream> Query::open_stream(int index, int count) {
  ACC_CHECK(count >= 1 && index >= 0 && index < count);
  auto shared = stages_.size() > 1 ? shared_stages_for(index, count) : nullptr;
  auto stream = std::make_shared<Stream>(shared_from_this(), std::move(shared), index, count);
  {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& entry) { return entry.expired(); });
    streams_.push_back(stream);
  }
  stream->start();
  return stream;
}

std::shared_ptr<SharedStages> Query::shared_stages_for(int index, int count) {
  std::shared_ptr<SharedStages> fresh;
  std::shared_ptr<SharedStages> shared;
  {
    std::lock_guard lock(mutex_);
    if (!shared_ || shared_count_ != count || shared_taken_[static_cast<size_t>(index)]) {
      shared_ = fresh = std::make_shared<SharedStages>(shared_from_this());
      shared_count_ = count;
      shared_taken_.assign(static_cast<size_t>(count), false);
    }
    shared_taken_[static_cast<size_t>(index)] = true;
    shared = shared_;
    shared->join();
    // Once every stream has it, the streams alone keep it.
    if (std::find(shared_taken_.begin(), shared_taken_.end(), false) == shared_taken_.end()) shared_.reset();
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
