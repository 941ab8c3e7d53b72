#pragma once

#include "io/file_writer.h"
#include "runtime/prepared_query.h"
#include "runtime/query.h"
#include "runtime/stream.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a host program needs: settle the process, judge a plan, run it. Everything throws accelerant::Error and nothing
/// else of ours.
namespace accelerant::api {

/// Returns the engine's version, e.g. "0.1.0".
std::string_view version();

/// Sets what belongs to the process, as lines `name=value`: `threads`, `memory_limit_bytes`, and `heap_bytes`, beside
/// which the engine chooses a limit where none is set. 0 leaves each as it is. `spill_folders`, between commas,
/// `spill_limit_bytes` and `spill_encrypted` are those of spill::SpillSettings.
/// @throws Error Unsupported naming a setting that is not known or has no valid value
void configure(std::string_view settings);

/// Gives the splits message of a plan, as far as it is known before the plan runs; nullopt: it is not.
using SplitsSource = std::function<std::optional<std::vector<uint8_t>>()>;

/// Binds a plan message; see runtime::PreparedQuery. Spark's own code may compute what the engine lacks.
std::shared_ptr<runtime::PreparedQuery> prepare(std::span<const uint8_t> plan);

/// Returns the verdict message on a query (docs/design/plan-message.md), which says too where pipelines would run.
/// @param options of a run
/// @param splits asked only where a device may run something: how large files are decides where
std::string verdict_of(runtime::PreparedQuery& prepared, std::string_view options, const SplitsSource& splits);

/// Opens a run of a query; see runtime::Query.
std::shared_ptr<runtime::Query> open_query(runtime::PreparedQuery& prepared, const planner::Inputs& inputs,
                                           std::string_view options);

/// Checks the write message of a query that writes files, and the folder, a URI, that they are to be written to; see
/// io::check_write.
void check_write(const runtime::PreparedQuery& prepared, std::span<const uint8_t> write, const std::string& folder);

/// Creates a file for rows of a query that writes files; see io::WriteFormat::open.
/// @throws Error Internal when the message has not the query's columns
std::unique_ptr<io::FileWriter> open_writer(const runtime::Query& query, std::span<const uint8_t> write,
                                            const std::string& uri);

/// Returns what the engine takes at most beside a heap of so many bytes where no limit is set.
int64_t default_limit_bytes(int64_t heap_bytes);

/// Returns in one line which GPU there is, or why none is used. Opens it.
std::string describe_gpu();

/// Returns the bytes reserved from the process's budget.
int64_t used_bytes();

/// Cancels everything and stops the worker threads. The process can't run queries afterwards.
void shut_down();

}  // namespace accelerant::api

extern "C" {
/// Returns api::default_limit_bytes() for programs that load the library.
__attribute__((visibility("default"))) int64_t accelerant_default_limit_bytes(int64_t heap_bytes);
/// Returns api::describe_gpu() for programs that load the library, as text that ends with 0 and belongs to the library.
__attribute__((visibility("default"))) const char* accelerant_describe_gpu();
}
