#pragma once

#include "device/kernel.h"
#include "device/kernels/update_groups.h"
#include "device/stream.h"

#include <cstdint>
#include <span>

namespace accelerant::device {

/// Threads of a block of UpdateGroups, and rows of a thread at a time.
inline constexpr int32_t kUpdateThreads = 256;
inline constexpr int32_t kUpdateItems = 2;

/// The kernel for some aggregates.
template <class... Aggregates>
using UpdateKernel = kernels::UpdateGroups<kUpdateThreads, kUpdateItems, Aggregates...>;

/// Rows whose groups' states are updated. All is device memory but the list of columns.
struct GroupUpdate {
  const int32_t* groups;  ///< of the rows, as `group_rows` numbers them, or codes; below 0: the row does not count
  int64_t num_rows;       ///< up to 2^31 - 1
  int64_t num_groups;     ///< about, at most those with states: where blocks can hold so many, they do
  int32_t num_words;      ///< of all states of a group
  std::span<const kernels::GroupColumn> columns;  ///< one an aggregate
};

/// Enqueues: the states of groups take in the values of rows. The words come out the same in every order of rows and
/// launches.
/// @param kernel UpdateKernel of the aggregates
void update_groups(DeviceStream& stream, const KernelEntry& kernel, const GroupUpdate& update);

}  // namespace accelerant::device
