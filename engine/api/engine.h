#pragma once

#include "runtime/query.h"
#include "runtime/stream.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What a host program needs: settle the process, judge a plan, run it. Everything throws accelerant::Error and nothing
/// else of ours.
namespace accelerant::api {

/// Returns the engine's version, e.g. "0.1.0".
std::string_view version();

/// Sets what belongs to the process, as lines `name=value`: `threads`, `memory_limit_bytes` (0 leaves either as it is).
/// @throws Error Unsupported naming a setting that is not known or has no valid value
void configure(std::string_view settings);

/// Binds a plan message, makes its operators once without running them, and returns the verdict message
/// (docs/design/plan-message.md).
/// @throws Error for a message that can't be read
std::string check(std::span<const uint8_t> plan);

/// Opens a query; see runtime::Query.
std::shared_ptr<runtime::Query> open_query(std::span<const uint8_t> plan, const planner::Inputs& inputs,
                                           std::string_view options);

/// Returns the bytes reserved from the process's budget.
int64_t used_bytes();

/// Cancels everything and stops the worker threads. The process can't run queries afterwards.
void shut_down();

}  // namespace accelerant::api
