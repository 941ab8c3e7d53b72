#include "api/engine.h"

#include "base/error.h"
#include "base/version.h"
#include "codegen/accelerator.h"
#include "memory/machine_memory.h"
#include "plan/plan_message.h"
#include "plan/write_message.h"
#include "planner/operators.h"
#include "runtime/process.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace accelerant::api {

namespace {

/// Makes every breaker once, so that an aggregate or a key that can't be had is known before the query runs.
void try_operators(const plan::BoundPlan& bound) {
  const runtime::NodeContexts contexts(plan::roots_of(bound),
                                       std::make_shared<memory::Budget>("check", memory::Budget::kUnlimited));
  const execution::Cancellation never;
  for (const planner::Stage& stage : planner::cut_into_stages(bound.root, bound.subqueries)) {
    if (stage.breaker) planner::make_breaker(stage.breaker, contexts.context(*stage.breaker, never, 1));
  }
}

/// Puts an error that no node verdict has yet where its node is.
void add_reason(plan::Verdict& verdict, const Error& error, int root) {
  verdict.supported = false;
  const int plan_node = error.plan_node() >= 0 ? error.plan_node() : root;
  for (plan::NodeVerdict& node : verdict.nodes) {
    if (node.plan_node == plan_node) node.reason = error.message();
  }
}

std::vector<planner::PlacementNote> notes_of(const planner::PhysicalPlan& plan) {
  std::vector<planner::PlacementNote> notes;
  for (const planner::Stage& stage : plan.stages) notes.insert(notes.end(), stage.notes.begin(), stage.notes.end());
  return notes;
}

/// Says where the pipelines of a plan would run; with what they cost, where its files can be opened.
std::vector<planner::PlacementNote> placement_of(std::span<const uint8_t> plan, const plan::BoundPlan& bound,
                                                 const runtime::RunOptions& options, const SplitsSource& splits) {
  if (const auto files = splits()) {
    try {
      return notes_of(runtime::Query::open(plan, {*files, {}}, options)->physical_plan());
    } catch (const Error&) {
      // Whoever runs it will hear of it.
    }
  }
  planner::DevicePlacement placement(options.placement());
  return notes_of(planner::make_physical_plan(bound, nullptr, placement));
}

/// Adds to the names of operators where they would run, with those before them.
void note_devices(plan::Verdict& verdict, std::span<const uint8_t> plan, const plan::BoundPlan& bound,
                  const runtime::RunOptions& options, const SplitsSource& splits) {
  if (!planner::DevicePlacement(options.placement()).is_wanted()) return;
  for (const planner::PlacementNote& note : placement_of(plan, bound, options, splits)) {
    for (plan::NodeVerdict& node : verdict.nodes) {
      if (node.plan_node == note.plan_node) node.operator_name += " (" + note.text + ")";
    }
  }
}

}  // namespace

std::string_view version() { return kVersion; }

void configure(std::string_view settings) {
  const auto options = runtime::RunOptions::parse(settings);
  if (options.batch_rows > 0) throw_unsupported("setting batch_rows belongs to a query");
  if (options.threads > 0) runtime::scheduler().resize(options.threads);
  if (options.memory_limit_bytes > 0) {
    memory::process_budget()->set_limit_bytes(options.memory_limit_bytes);
  } else if (options.heap_bytes > 0) {
    memory::process_budget()->set_limit_bytes(default_limit_bytes(options.heap_bytes));
  }
}

std::string check(std::span<const uint8_t> plan, std::string_view device, const SplitsSource& splits) {
  plan::PlanMessage message = plan::decode_plan(plan);
  const auto bridge = std::make_shared<plan::PlannedBridge>();
  message.bridge = bridge;
  plan::Verdict verdict = plan::check(message);
  verdict.bridged = bridge->used();
  if (verdict.supported) {
    try {
      const plan::BoundPlan bound = plan::bind(message);
      try_operators(bound);
      note_devices(verdict, plan, bound, runtime::RunOptions::parse("device=" + std::string(device)), splits);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      add_reason(verdict, error, message.root);
    }
  }
  return verdict.to_text();
}

std::shared_ptr<runtime::Query> open_query(std::span<const uint8_t> plan, const planner::Inputs& inputs,
                                           std::string_view options) {
  const auto run = runtime::RunOptions::parse(options);
  if (run.heap_bytes > 0) throw_unsupported("setting heap_bytes belongs to the process");
  return runtime::Query::open(plan, inputs, run);
}

void check_write(std::span<const uint8_t> write, const std::string& folder) {
  io::check_write(plan::decode_write(write), folder);
}

std::unique_ptr<io::FileWriter> open_writer(const runtime::Query& query, std::span<const uint8_t> write,
                                            const std::string& uri) {
  io::WriteSpec spec = plan::decode_write(write);
  const std::vector<plan::OutputColumn>& output = query.plan().root->output;
  const std::vector<int> unwritten = query.plan().files.unwritten();
  ACC_CHECK(query.plan().writes_files && spec.columns.size() + unwritten.size() == output.size());
  auto column = spec.columns.begin();
  for (size_t i = 0; i < output.size(); ++i) {
    if (std::ranges::find(unwritten, static_cast<int>(i)) == unwritten.end()) (column++)->type = output[i].type;
  }
  spec.spark_version = query.plan().spark_version;
  return io::open_parquet_writer(spec, uri, query.budget());
}

int64_t default_limit_bytes(int64_t heap_bytes) {
  return memory::default_limit_bytes(memory::machine_memory_bytes(), heap_bytes);
}

std::string describe_gpu() {
  const auto opened = codegen::open_gpu();
  if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) return unavailable->reason;
  const auto& gpu = std::get<std::shared_ptr<codegen::Accelerator>>(opened);
  try {
    return gpu->description() + ": " + gpu->rates().to_string();
  } catch (const Error& error) {
    return "no GPU is used: " + error.message();
  }
}

int64_t used_bytes() { return memory::process_budget()->used_bytes(); }

void shut_down() { runtime::shut_down(); }

}  // namespace accelerant::api

int64_t accelerant_default_limit_bytes(int64_t heap_bytes) { return accelerant::api::default_limit_bytes(heap_bytes); }

const char* accelerant_describe_gpu() {
  static const std::string kText = accelerant::api::describe_gpu();
  return kText.c_str();
}
