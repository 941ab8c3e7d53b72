#pragma once

#include "operators/operator.h"

#include <utility>
#include <vector>

namespace accelerant::operators {

/// Gives on only some of a batch's columns.
class SelectColumns final : public Transform {
 public:
  /// @param kept positions in the input's columns, in output order
  explicit SelectColumns(std::vector<size_t> kept) : kept_(std::move(kept)) {}

  std::string_view name() const override { return "SelectColumns"; }
  std::unique_ptr<State> make_state() const override { return std::make_unique<State>(); }
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::vector<size_t> kept_;
};

}  // namespace accelerant::operators
