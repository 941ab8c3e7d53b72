#include "runtime/stage_pipeline.h"

#include "base/error.h"
#include "operators/set_aside_rows.h"
#include "operators/spilled_join.h"
#include "plan/join.h"
#include "planner/operators.h"
#include "runtime/device_feeds.h"
#include "runtime/feed_filters.h"
#include "runtime/query.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// Builds the feeds of a pipeline, one after the other.
class FeedBuilder {
 public:
  FeedBuilder(const StageRun& run, const operators::Sink& sink,
              const std::shared_ptr<operators::DeviceAggregation>& aggregation)
      : run_(run), sink_(sink), aggregation_(aggregation), parts_(run.query, run.stage, run.part) {}

  PipelineFeed build(const planner::Feed& feed) {
    execution::OperatorContext ctx = run_.context(*feed.source);
    ctx.batch_rows = run_.query.batch_rows(run_.stage);
    if (feed.reads_again) ctx.metrics = run_.query.uncounted();
    add_filters(feed, run_.results, sink_, ctx);
    PipelineFeed made;
    made.source_metrics = ctx.metrics;
    made.after_others = feed.after_others;
    auto output = planner::make_output_transform(feed.source, ctx);
    made.counts_source_rows = !output;
    size_t num_done = 0;
    if (feed.source->role != plan::Role::Source) {
      made.source = run_.results.rows.at(feed.source.get())->make_source(run_.part.index, run_.part.count);
    } else if (const auto device = device_of(feed)) {
      made.source = start_on_device(feed, *device, ctx, output);
      num_done = device->num_transforms.value_or(0);
      made.counts_source_rows &= !device->num_transforms;
    } else {
      const operators::Table& table = run_.query.table(*feed.source);
      const PartitionRange range = parts_.next_range(table);
      made.source = table.make_source(range.first, range.last, ctx);
    }
    if (output) made.transforms.push_back({std::move(output), ctx.metrics});
    add_transforms(std::span(feed.transforms).subspan(num_done), made.transforms);
    return made;
  }

  /// Adds feeds of what joins have set aside that no feed behind one passes any more: a lower one's before a higher
  /// one's, which its rows pass.
  void add_set_aside(size_t index, std::vector<PipelineFeed>& feeds) {
    const std::span<const plan::NodePtr> nodes = run_.stage.feeds[index].transforms;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const auto found = set_aside_.find(nodes[i].get());
      if (found == set_aside_.end() || is_passed_later(nodes[i], index)) continue;
      const execution::OperatorContext ctx = run_.context(*nodes[i]);
      PipelineFeed made;
      // Rows of the result wait for those of lower morsels.
      made.source = operators::make_spilled_join(
          plan::node_as<plan::Join>(nodes[i]), run_.results.built_sides.at(nodes[i].get()), found->second,
          run_.query.options().num_drivers() * run_.part.count, !run_.stage.breaker, ctx);
      made.source_metrics = ctx.metrics;
      made.after_others = true;
      add_transforms(nodes.subspan(i + 1), made.transforms);
      feeds.push_back(std::move(made));
    }
  }

 private:
  std::optional<FeedDevice> device_of(const planner::Feed& feed) const {
    if (aggregation_) return all_rows(*run_.stage.device_grouping, aggregation_);
    return make_device_rows(run_, feed);
  }

  /// Has a device begin with a feed. What its rows have passed then, the host does to those that it does not take in.
  /// @param output of the source; taken where it is among that
  std::unique_ptr<operators::Source> start_on_device(const planner::Feed& feed, const FeedDevice& device,
                                                     const execution::OperatorContext& ctx,
                                                     std::unique_ptr<operators::Transform>& output) {
    operators::HostSteps host;
    if (device.num_transforms) {
      host.scan = output ? nullptr : ctx.metrics;
      if (output) host.transforms.push_back({std::move(output), ctx.metrics});
      add_transforms(std::span(feed.transforms).first(*device.num_transforms), host.transforms);
    }
    const operators::Table& table = run_.query.table(*feed.source);
    const PartitionRange range = parts_.next_range(table);
    return make_device_source(device, table.make_encoded_scan(range.first, range.last, ctx), std::move(host), ctx);
  }

  void add_transforms(std::span<const plan::NodePtr> nodes, std::vector<operators::CountedTransform>& transforms) {
    for (const plan::NodePtr& node : nodes) {
      const execution::OperatorContext ctx = run_.context(*node);
      transforms.push_back({planner::make_transform(node, run_.results, ctx, set_aside_by(node, ctx)), ctx.metrics});
    }
  }

  /// Returns what takes rows of a node whose keys are on disk: all feeds share it. nullptr: there are none.
  std::shared_ptr<operators::SetAsideRows> set_aside_by(const plan::NodePtr& node,
                                                        const execution::OperatorContext& ctx) {
    const auto join = plan::node_as<plan::Join>(node);
    if (!join) return nullptr;
    const auto& built = run_.results.built_sides.at(node.get());
    if (!built->spilled()) return nullptr;
    auto& rows = set_aside_[node.get()];
    if (!rows) rows = std::make_shared<operators::SetAsideRows>(join, built, ctx);
    return rows;
  }

  /// Says whether a later feed of the stage passes a node.
  bool is_passed_later(const plan::NodePtr& node, size_t index) const {
    const auto behind = std::span(run_.stage.feeds).subspan(index + 1);
    return std::ranges::any_of(behind, [&](const planner::Feed& feed) {
      return std::ranges::find(feed.transforms, node) != feed.transforms.end();
    });
  }

  const StageRun& run_;
  const operators::Sink& sink_;
  const std::shared_ptr<operators::DeviceAggregation>& aggregation_;
  TableParts parts_;
  std::unordered_map<const plan::Node*, std::shared_ptr<operators::SetAsideRows>> set_aside_;
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

execution::OperatorContext StageRun::context(const plan::Node& node) const {
  return query.context(node, cancellation, results.parameters);
}

Pipeline make_pipeline(const StageRun& run, std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       std::shared_ptr<operators::DeviceAggregation> device) {
  check_refusal(run.stage);
  Pipeline pipeline;
  pipeline.sink = std::move(sink);
  pipeline.sink_metrics = sink_metrics;
  pipeline.interruptions = run.query.options().interruptions;
  FeedBuilder builder(run, *pipeline.sink, device);
  for (size_t i = 0; i < run.stage.feeds.size(); ++i) {
    pipeline.feeds.push_back(builder.build(run.stage.feeds[i]));
    builder.add_set_aside(i, pipeline.feeds);
  }
  return pipeline;
}

}  // namespace accelerant::runtime
