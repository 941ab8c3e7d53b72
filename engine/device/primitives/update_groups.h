#pragma once

#include "device/kernels/aggregate_states.h"
#include "device/kernels/update_groups.h"
#include "device/stream.h"
#include "functions/aggregate/binned_sum.h"
#include "functions/aggregate/exact_sum.h"

#include <cstdint>
#include <span>

namespace accelerant::device {

using kernels::AggregateKind;
using kernels::GroupAggregate;
/// Returns the words of 64 bits that each group has in GroupAggregate::states. All are 0 at first.
using kernels::num_state_words;

/// Rows whose groups' states are updated. All is device memory but the list of aggregates.
struct GroupUpdate {
  const int32_t* groups;  ///< of the rows, as `group_rows` numbers them, or codes; below 0: the row does not count
  int64_t num_rows;       ///< up to 2^31 - 1
  int64_t num_groups;     ///< about, at most those with states: where blocks can hold so many, they do
  std::span<const GroupAggregate> aggregates;
};

/// Enqueues: the states of groups take in the values of rows. The words come out the same in every order of rows and
/// launches. Sums of integers are exact. How many values there were is kept only of aggregates with validity: without,
/// they are those of the group's rows, which Count counts.
void update_groups(Stream& stream, const GroupUpdate& update);

/// Does the same on the host, where then all memory is, as plainly as can be.
void update_groups_on_host(const GroupUpdate& update);

/// Returns what a state says: of SumInt64 and SumInt128, of SumDouble (the counts are 0 without validity), and of
/// Minimum and Maximum.
functions::ExactSum exact_sum_of(const uint64_t* state);
functions::BinnedSum binned_sum_of(const uint64_t* state);
int64_t extreme_of(AggregateKind kind, const uint64_t* state);
/// Says whether there was a value, of Minimum or Maximum with validity.
bool has_extreme(const uint64_t* state);

}  // namespace accelerant::device
