#include "runtime/stage_pipeline.h"

#include "planner/runtime_filters.h"
#include "planner/top_k_filter.h"
#include "runtime/query.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

namespace {

/// The partitions of a stage's tables, in the order of the feeds, cut into contiguous parts of about equal bytes.
class TableParts {
 public:
  TableParts(const Query& query, const planner::Stage& stage, StagePart part) : part_(part) {
    for (const planner::Feed& feed : stage.feeds) {
      if (feed.source->role != plan::Role::Source) continue;
      const operators::Table& table = query.table(*feed.source);
      for (int i = 0; i < table.num_partitions(); ++i) bytes_.push_back(table.partition_bytes(i) + 1);
    }
    for (const int64_t bytes : bytes_) total_bytes_ += bytes;
    begin_ = start_of(part.index);
    end_ = part.index + 1 == part.count ? static_cast<int>(bytes_.size()) : start_of(part.index + 1);
  }

  /// Makes the pass over this part of the next table.
  std::unique_ptr<operators::Source> next(const operators::Table& table, const execution::OperatorContext& ctx) {
    const auto [first, last] = next_range(table);
    return table.make_source(first, last, ctx);
  }

  /// Returns which partitions of the next table are in this part.
  PartitionRange next_range(const operators::Table& table) {
    const int num_partitions = table.num_partitions();
    const int first = std::clamp(begin_ - passed_, 0, num_partitions);
    const int last = std::clamp(end_ - passed_, first, num_partitions);
    passed_ += num_partitions;
    return {first, last};
  }

 private:
  /// Returns the first partition of a part: a partition belongs to the part that its middle falls into. As many parts
  /// as partitions have one each.
  int start_of(int index) const {
    if (part_.count == static_cast<int>(bytes_.size())) return index;
    int64_t before = 0;
    for (size_t i = 0; i < bytes_.size(); ++i) {
      const int64_t middle = before + bytes_[i] / 2;
      if (static_cast<__int128>(middle) * part_.count >= static_cast<__int128>(total_bytes_) * index) {
        return static_cast<int>(i);
      }
      before += bytes_[i];
    }
    return static_cast<int>(bytes_.size());
  }

  const StagePart part_;
  std::vector<int64_t> bytes_;
  int64_t total_bytes_ = 0;
  int begin_ = 0;
  int end_ = 0;
  int passed_ = 0;  ///< partitions of the tables before
};

}  // namespace

std::optional<PartitionRange> partitions_of_part(const Query& query, const planner::Stage& stage, StagePart part,
                                                 int source) {
  TableParts table_parts(query, stage, part);
  for (const planner::Feed& feed : stage.feeds) {
    if (feed.source->role != plan::Role::Source) continue;
    const PartitionRange range = table_parts.next_range(query.table(*feed.source));
    if (feed.source->plan_node == source) return range;
  }
  return std::nullopt;
}

Pipeline make_pipeline(const Query& query, const planner::Stage& stage, const planner::Results& results, StagePart part,
                       std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       const execution::Cancellation& cancellation) {
  Pipeline pipeline;
  pipeline.sink = std::move(sink);
  pipeline.sink_metrics = sink_metrics;
  TableParts table_parts(query, stage, part);
  for (const planner::Feed& feed : stage.feeds) {
    auto source_ctx = query.context(*feed.source, cancellation, results.parameters);
    source_ctx.batch_rows = query.batch_rows(stage);
    if (feed.reads_again) source_ctx.metrics = query.uncounted();
    source_ctx.runtime_filters = planner::runtime_filters(feed, results, source_ctx.budget);
    source_ctx.key_filters = planner::key_filters(*feed.source, query.key_requests(), results);
    if (auto filter = planner::top_k_filter(stage, feed, *pipeline.sink)) {
      source_ctx.key_filters.push_back(std::move(*filter));
    }
    PipelineFeed& made = pipeline.feeds.emplace_back();
    made.source = feed.source->role == plan::Role::Source
                      ? table_parts.next(query.table(*feed.source), source_ctx)
                      : results.breakers.at(feed.source.get())->make_source(part.index, part.count);
    made.source_metrics = source_ctx.metrics;
    made.after_others = feed.after_others;
    if (auto output = planner::make_output_transform(feed.source, source_ctx)) {
      made.transforms.push_back({std::move(output), source_ctx.metrics});
      made.counts_source_rows = false;
    }
    for (const plan::NodePtr& node : feed.transforms) {
      const auto ctx = query.context(*node, cancellation, results.parameters);
      made.transforms.push_back({planner::make_transform(node, results, ctx), ctx.metrics});
    }
  }
  query.devices().place(query, stage, results, cancellation, pipeline);
  return pipeline;
}

}  // namespace accelerant::runtime
