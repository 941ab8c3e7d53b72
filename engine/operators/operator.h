#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "execution/event.h"
#include "expressions/key_set.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace accelerant::operators {

/// How a step ended; who calls one has to look. No step blocks its worker, and none works for more than some
/// milliseconds without a look at the cancellation.
///
/// A step that has to wait ends as Suspended, or throws memory::MemoryWait where it can't reserve memory, which comes
/// to the same: it is called again with the same arguments, and goes on, or begins anew. So whatever a step needs is
/// reserved before it changes what it would not change again; its input is left as it was.
struct [[nodiscard]] Step {
  enum class Kind : uint8_t {
    NeedsInput,  ///< the input is consumed, whether or not the step has emptied it
    HasOutput,   ///< there is a batch and there may be more: call again before giving new input
    Finished,    ///< nothing more comes out (source); the work is done, or of `consume`: nothing more is wanted (sink)
    Suspended,   ///< call again with the same input when `event` has fired
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

/// Starts a pipeline: emits batches in morsels, which workers take in ascending order; morsels, and batches within
/// one, come in the order of their rows. Methods are called from several workers at once, each with its own state.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() = 0;
  /// Fills `out` (HasOutput), or says Finished (for this worker) or Suspended. `out.morsel` and `out.sequence` give its
  /// place, the morsel also when this throws, or is suspended with a morsel that it has taken. Each morsel number in
  /// [0, num_morsels) is emitted exactly once, and its last batch, which may be empty, says so (`ends_morsel`). A
  /// worker's morsels ascend and do not interleave.
  virtual Step next(State& state, columns::Batch& out) = 0;
  virtual int64_t num_morsels() const = 0;
};

/// Changes batches on their way. Keeps their order and passes `ends_morsel` on, in an empty batch if need be.
/// Configuration is const; everything mutable is in the state.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() const = 0;
  /// NeedsInput: `in` is consumed, `out` holds the last batch made from it, if any. HasOutput: `out` holds a batch, or
  /// nothing where one is long in coming, and another may follow; call again with the same `in`, as this left it.
  virtual Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const = 0;
};

/// A transform with the counters of its node.
struct CountedTransform {
  std::unique_ptr<Transform> transform;
  execution::Metrics* metrics;
};

/// Ends a pipeline. `consume` is called from several workers at once, each with its own state.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<State> make_state() = 0;
  /// Takes `in` (NeedsInput), wants nothing more from anybody (Finished), or asks to be called again with the same
  /// batch (Suspended). Raises the batch's errors when their rows count.
  virtual Step consume(State& state, columns::Batch& in) = 0;
  /// Takes over what a worker's state holds (Finished, or Suspended); for each state, from several workers at once,
  /// after its last `consume`.
  virtual Step combine(State& state) = 0;
  /// Called when every state was combined (Finished, or Suspended).
  virtual Step finish() = 0;
  /// Says how many tasks make the result complete after `finish`. Several workers run them at once.
  virtual int64_t num_finish_tasks() const { return 0; }
  /// Runs a task of [0, num_finish_tasks()) to its end (Finished), or Suspended; in any order.
  virtual Step run_finish_task(int64_t) { return Step::finished(); }
  /// Returns the values of its first sort key that rows may have to count: fewer, the more rows it has taken in. Any
  /// thread. nullptr: it bounds none.
  virtual std::shared_ptr<const expressions::KeySet> first_key_bound() const { return nullptr; }
};

}  // namespace accelerant::operators
