#pragma once

#include "execution/context.h"
#include "operators/built_side.h"
#include "operators/stage_results.h"
#include "plan/join.h"

#include <atomic>
#include <memory>
#include <utility>

namespace accelerant::operators {

/// Emits what a join owes its build side when all probes have passed: rows that were not matched, with nulls for
/// the probe side, or of a semi join those that were. A morsel is a range of rows; part `index` of `count`.
class JoinRestSource final : public Source {
 public:
  JoinRestSource(std::shared_ptr<const plan::Join> node, std::shared_ptr<const BuiltSide> built, int index, int count,
                 const execution::OperatorContext& ctx);

  std::string_view name() const override { return "JoinRest"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return last_ - first_; }

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<const BuiltSide> built_;
  const execution::OperatorContext ctx_;
  const int64_t first_;  ///< morsels of this part
  const int64_t last_;
  std::atomic<int64_t> taken_{0};
};

/// Those rows, as later feeds of the same stage read them.
class JoinRest final : public StageRows {
 public:
  JoinRest(std::shared_ptr<const plan::Join> node, std::shared_ptr<const BuiltSide> built,
           const execution::OperatorContext& ctx)
      : node_(std::move(node)), built_(std::move(built)), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override {
    return std::make_unique<JoinRestSource>(node_, built_, index, count, ctx_);
  }

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<const BuiltSide> built_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
