#pragma once

#include "operators/accumulator.h"

#include <memory>
#include <string>
#include <vector>

namespace accelerant::operators {

/// MIN and MAX of strings and binary values, by unsigned bytes. Owns copies of the extremes.
class StringExtremeAccumulator final : public Accumulator {
 public:
  StringExtremeAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : type_(call.result_type), greatest_(call.kind == plan::AggregateKind::Max), budget_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(static_cast<size_t>(num_groups)); }
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
  int64_t memory_bytes() const override {
    return static_cast<int64_t>(states_.capacity() * sizeof(State)) + heap_bytes_;
  }

 private:
  struct State {
    std::string value;
    bool any = false;
  };

  void update_state(State& state, std::string_view candidate);

  const types::DataType type_;
  const bool greatest_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<State> states_;
  int64_t heap_bytes_ = 0;  ///< of the states' strings
};

}  // namespace accelerant::operators
