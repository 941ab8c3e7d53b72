#pragma once

#include <memory>
#include <string_view>

#include "columns/batch.h"
#include "execution/context.h"
#include "execution/event.h"

namespace accelerant::operators {

/// How a step ended. No step blocks its worker.
struct Step {
  enum class Kind : uint8_t {
    NeedsInput,  ///< the input is consumed (sources never say this)
    HasOutput,   ///< there is a batch; call again before giving new input
    Finished,    ///< nothing more comes out, nothing more is wanted
    Suspended,   ///< nothing happened; call again with the same input when `event` has fired
  };
  Kind kind;
  execution::EventPtr event;

  static Step needs_input() { return {Kind::NeedsInput, nullptr}; }
  static Step has_output() { return {Kind::HasOutput, nullptr}; }
  static Step finished() { return {Kind::Finished, nullptr}; }
  static Step suspended(execution::EventPtr event) { return {Kind::Suspended, std::move(event)}; }
};

/// What one worker keeps for an operator while a pipeline runs.
struct State {
  virtual ~State() = default;
};

/// Starts a pipeline: gives out batches in morsels, which workers take in ascending order. Methods are called from several workers
/// at once, each with its own state.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() = 0;
  /// Fills `out` (HasOutput), or says Finished (for this worker) or Suspended. `out.morsel` and `out.sequence` give its place;
  /// each morsel number in [0, num_morsels) is given out exactly once, and its last batch, which may be empty, says so
  /// (`ends_morsel`). A worker's morsels ascend and do not interleave.
  virtual Step next(State& state, columns::Batch& out) = 0;
  virtual int64_t num_morsels() const = 0;
};

/// Changes batches on their way; keeps their order and passes `ends_morsel` on, in an empty batch if need be. Configuration is const, everything mutable is in the state.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() const = 0;
  /// Consumes `in` and may fill `out` (HasOutput: call again with an empty `in` first; NeedsInput: ready for the next).
  virtual Step process(State& state, columns::Batch in, columns::Batch& out) const = 0;
};

}  // namespace accelerant::operators
