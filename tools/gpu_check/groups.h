#pragma once

#include "codegen/fused_groups.h"
#include "functions/aggregate/binned_sum.h"
#include "functions/aggregate/exact_sum.h"

#include <cstdint>
#include <map>
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
  explicit Groups(const Grouping& grouping) : grouping_(grouping) {}

  /// Takes in rows that all steps have passed, without a selection.
  void take_in(const columns::Batch& rows);
  /// Takes in what a device has made.
  void take_in(const codegen::GroupPart& part);
  /// Takes in what other rows of the same pipeline came to.
  void take_in(const Groups& other);

  /// Says the same of equal groups, whichever way they came to be.
  std::vector<int64_t> words() const;
  /// Returns what tells results apart, as 16 hexadecimal digits.
  std::string checksum() const;
  int64_t size() const { return static_cast<int64_t>(groups_.size()); }

 private:
  /// An aggregate of a group.
  struct State {
    functions::ExactSum sum = functions::ExactSum::init();  ///< of Count, the count
    functions::BinnedSum doubles = functions::BinnedSum::init();
    int64_t extreme = 0;
    bool has_extreme = false;
  };
  struct Group {
    int64_t num_rows = 0;
    std::vector<State> states;
  };

  Group& group_of(std::span<const columns::ColumnPtr> keys, int64_t row);
  static void take_in(device::kernels::AggregateKind kind, const columns::Column* values, int64_t row, State& state);
  static void merge(device::kernels::AggregateKind kind, const uint64_t* words, State& state);
  static void take_extreme(device::kernels::AggregateKind kind, int64_t value, State& state);

  const Grouping& grouping_;
  std::map<std::string, Group> groups_;  ///< by the bytes of keys
};

/// Runs steps on the host.
columns::Batch run_on_host(const codegen::RowSteps& steps, columns::Batch batch);

}  // namespace accelerant::gpu_check
