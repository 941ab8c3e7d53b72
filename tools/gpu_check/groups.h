#pragma once

#include "codegen/fused_groups.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// A pipeline that ends in groups: the first columns that its last step makes are keys.
struct Grouping {
  codegen::RowSteps steps;
  int num_keys = 0;
  std::vector<codegen::GroupCall> calls;
};

/// What the rows of a pipeline come to, on either machine.
class Groups {
 public:
  explicit Groups(const Grouping& grouping);

  /// Takes in rows that all steps have passed, without a selection.
  void take_in(const columns::Batch& rows);
  /// Takes in what a device has made.
  void take_in(const codegen::GroupPart& part);
  /// Takes in what other rows of the same pipeline came to.
  void take_in(const Groups& other);

  /// Says the same of equal groups, whichever way they came to be.
  std::string bytes() const;
  /// Returns what tells results apart, as 16 hexadecimal digits.
  std::string checksum() const;
  int64_t size() const { return static_cast<int64_t>(numbers_.size()); }

 private:
  int32_t number_of(std::span<const columns::ColumnPtr> keys, int64_t row);
  /// Makes room for all groups in every accumulator.
  void resize();
  int64_t num_groups() const { return size() + 1; }

  const Grouping& grouping_;
  std::map<std::string, int32_t> numbers_;                              ///< of the groups, from 1, by the bytes of keys
  std::vector<int64_t> num_rows_{0};                                    ///< by the groups' numbers
  std::vector<std::unique_ptr<aggregates::Accumulator>> accumulators_;  ///< one a call
};

/// Runs steps on the host.
columns::Batch run_on_host(const codegen::RowSteps& steps, columns::Batch batch);

}  // namespace accelerant::gpu_check
