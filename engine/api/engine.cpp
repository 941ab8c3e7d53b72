#include "api/engine.h"

#include "base/error.h"
#include "base/version.h"
#include "codegen/accelerator.h"
#include "io/write_format.h"
#include "memory/machine_memory.h"
#include "plan/write_message.h"
#include "planner/open_tables.h"
#include "runtime/process.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace accelerant::api {

namespace {

std::vector<planner::PlacementNote> notes_of(const planner::PhysicalPlan& plan) {
  std::vector<planner::PlacementNote> notes;
  for (const planner::Stage& stage : plan.stages) notes.insert(notes.end(), stage.notes.begin(), stage.notes.end());
  return notes;
}

/// Says where the pipelines of a query would run; with what they cost, where its files can be opened.
std::vector<planner::PlacementNote> placement_of(runtime::PreparedQuery& prepared, const runtime::RunOptions& options,
                                                 const SplitsSource& splits) {
  if (const auto files = splits()) {
    try {
      const planner::Tables rows = planner::open_rows(prepared.plan(), {*files, {}});
      return notes_of(prepared.open(rows, *files, options.placement(), options.memory_limit_bytes)->plan);
    } catch (const Error&) {
      // Whoever runs it will hear of it.
    }
  }
  planner::DevicePlacement placement(options.placement());
  return notes_of(planner::make_physical_plan(prepared.plan(), nullptr, placement));
}

/// Adds to the names of operators where they would run, with those before them.
void note_devices(plan::Verdict& verdict, runtime::PreparedQuery& prepared, const runtime::RunOptions& options,
                  const SplitsSource& splits) {
  if (!planner::DevicePlacement(options.placement()).is_wanted()) return;
  for (const planner::PlacementNote& note : placement_of(prepared, options, splits)) {
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
  if (options.interruptions > 0) throw_unsupported("setting interruptions belongs to a query");
  if (options.has_spilling) spill::process_folders().configure(options.spilling);
  if (options.threads > 0) runtime::scheduler().resize(options.threads);
  if (options.memory_limit_bytes > 0) {
    memory::process_budget()->set_limit_bytes(options.memory_limit_bytes);
  } else if (options.heap_bytes > 0) {
    memory::process_budget()->set_limit_bytes(default_limit_bytes(options.heap_bytes));
  }
}

std::shared_ptr<runtime::PreparedQuery> prepare(std::span<const uint8_t> plan) {
  return runtime::PreparedQuery::make(plan, true);
}

std::string verdict_of(runtime::PreparedQuery& prepared, std::string_view options, const SplitsSource& splits) {
  plan::Verdict verdict = prepared.verdict();
  if (verdict.supported) note_devices(verdict, prepared, runtime::RunOptions::parse(options), splits);
  return verdict.to_text();
}

std::shared_ptr<runtime::Query> open_query(runtime::PreparedQuery& prepared, const planner::Inputs& inputs,
                                           std::string_view options) {
  const auto run = runtime::RunOptions::parse(options);
  if (run.heap_bytes > 0) throw_unsupported("setting heap_bytes belongs to the process");
  if (run.has_spilling) throw_unsupported("settings spill_* belong to the process");
  return runtime::Query::open(prepared, inputs, run);
}

void check_write(const runtime::PreparedQuery& prepared, std::span<const uint8_t> write, const std::string& folder) {
  const io::WriteFormat* format = prepared.plan().write_format;
  ACC_CHECK(format);
  io::check_write(*format, plan::decode_write(write), folder);
}

std::unique_ptr<io::FileWriter> open_writer(const runtime::Query& query, std::span<const uint8_t> write,
                                            const std::string& uri) {
  io::WriteSpec spec = plan::decode_write(write);
  const std::vector<plan::OutputColumn>& output = query.plan().root->output;
  const std::vector<int> unwritten = query.plan().files.unwritten();
  ACC_CHECK(query.plan().write_format && spec.columns.size() + unwritten.size() == output.size());
  auto column = spec.columns.begin();
  for (size_t i = 0; i < output.size(); ++i) {
    if (std::ranges::find(unwritten, static_cast<int>(i)) == unwritten.end()) (column++)->type = output[i].type;
  }
  spec.spark_version = query.plan().spark_version;
  return query.plan().write_format->open(spec, uri, query.budget());
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
