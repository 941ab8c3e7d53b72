#include "device/primitives/update_groups.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace accelerant::device {

namespace {

using Kernel = kernels::UpdateGroups<256, 2>;
using functions::ExactSum;

/// Enough for any GPU to be full; a block takes more rows where there are more, and merges its states once.
constexpr int64_t kMostBlocks = 1024;
constexpr int64_t kRowsPerBlock = 4 * Kernel::kTileRows;

/// Sets how many groups have states in a block, all or none, and in how many copies, a lane of a warp at most.
void place_states(Kernel::Arguments& arguments, int64_t num_groups) {
  int64_t words_per_group = 0;
  for (int32_t i = 0; i < arguments.num_aggregates; ++i)
    words_per_group += num_state_words(arguments.aggregates[i].kind);
  const int64_t groups_per_block = Kernel::kLocalWords / words_per_group;
  if (num_groups <= 0 || num_groups > groups_per_block) return;
  const auto copies = static_cast<uint64_t>(std::min<int64_t>(groups_per_block / num_groups, kWarpThreads));
  arguments.num_local_groups = static_cast<int32_t>(num_groups);
  arguments.num_copies = static_cast<int32_t>(std::bit_floor(copies));
}

/// Updates the states of as many aggregates as one launch takes.
void launch_update(Stream& stream, const GroupUpdate& update, std::span<const GroupAggregate> aggregates) {
  Kernel::Arguments arguments = {update.groups, update.num_rows, static_cast<int32_t>(aggregates.size()), 0, 1, {}};
  std::ranges::copy(aggregates, arguments.aggregates);
  place_states(arguments, update.num_groups);
  const int64_t blocks = (update.num_rows + kRowsPerBlock - 1) / kRowsPerBlock;
  launch<Kernel>(stream, std::min(blocks, kMostBlocks), arguments);
}

/// Writes an exact sum as the words of a state.
void write(const ExactSum& sum, uint64_t* state) {
  const auto low = static_cast<int64>(sum.low);
  ExactSum rest = sum;
  rest.add(-static_cast<int128>(low));
  const auto middle = static_cast<int64>(rest.low >> 64);
  state[0] = static_cast<uint64>(low);
  state[kernels::SumWords::kMiddle] = static_cast<uint64>(middle);
  state[kernels::SumWords::kUpper] = static_cast<uint64>(rest.high + static_cast<int64>(middle < 0));
  state[kernels::SumWords::kCount] = static_cast<uint64>(sum.count);
}

void add_on_host(int128 value, bool may_be_null, uint64_t* state) {
  ExactSum sum = exact_sum_of(state);
  sum.add(value);
  sum.count += static_cast<int64>(may_be_null);
  write(sum, state);
}

void add_double_on_host(double value, bool may_be_null, uint64_t* state) {
  using State = kernels::DoubleSumState;
  using functions::BinnedSum;
  state[State::kCount] += static_cast<uint64_t>(may_be_null);
  const BinnedSum::Parts parts = BinnedSum::split(value);
  if (!parts.finite) {
    state[State::word_of_special(value)] = 1;
    return;
  }
  if (parts.mantissa == 0) return;
  const BinnedSum::Digits cut = BinnedSum::cut_into_digits(parts.mantissa, parts.exponent);
  state[State::kTop] = std::max(state[State::kTop], static_cast<uint64_t>(cut.place + BinnedSum::kDigitsPerValue));
  for (int i = 0; i < BinnedSum::kDigitsPerValue; ++i) state[cut.place + i] += static_cast<uint64_t>(cut.digits[i]);
}

/// Takes in a value of Minimum or Maximum.
void compare_on_host(const GroupAggregate& aggregate, int64 value, uint64_t* state) {
  const bool is_minimum = aggregate.kind == AggregateKind::Minimum;
  const uint64 code = is_minimum ? kernels::Smaller::code(value) : kernels::Greater::code(value);
  state[0] = std::max(state[0], code);
  if (aggregate.validity != nullptr) state[1] = 1;
}

void update_on_host(const GroupAggregate& aggregate, int64_t row, uint64_t* state) {
  const bool may_be_null = aggregate.validity != nullptr;
  if (may_be_null && !bits::get(aggregate.validity, row)) return;
  switch (aggregate.kind) {
    case AggregateKind::Count:
      ++*state;
      return;
    case AggregateKind::SumInt64:
      return add_on_host(static_cast<const int64*>(aggregate.values)[row], may_be_null, state);
    case AggregateKind::SumInt128:
      return add_on_host(static_cast<const int128*>(aggregate.values)[row], may_be_null, state);
    case AggregateKind::SumDouble:
      return add_double_on_host(static_cast<const double*>(aggregate.values)[row], may_be_null, state);
    case AggregateKind::Minimum:
    case AggregateKind::Maximum:
      return compare_on_host(aggregate, static_cast<const int64*>(aggregate.values)[row], state);
  }
}

}  // namespace

void update_groups(Stream& stream, const GroupUpdate& update) {
  ACC_CHECK(update.num_rows <= std::numeric_limits<int32_t>::max());
  if (update.num_rows == 0) return;
  for (std::span<const GroupAggregate> left = update.aggregates; !left.empty();) {
    const size_t taken = std::min<size_t>(left.size(), Kernel::kMostAggregates);
    launch_update(stream, update, left.first(taken));
    left = left.subspan(taken);
  }
}

void update_groups_on_host(const GroupUpdate& update) {
  for (int64_t row = 0; row < update.num_rows; ++row) {
    if (update.groups[row] < 0) continue;
    for (const GroupAggregate& aggregate : update.aggregates) {
      update_on_host(aggregate, row, aggregate.states + update.groups[row] * num_state_words(aggregate.kind));
    }
  }
}

ExactSum exact_sum_of(const uint64_t* state) {
  using Words = kernels::SumWords;
  return Words::sum_of(state[0], state[Words::kMiddle], state[Words::kUpper], state[Words::kCount]);
}

functions::BinnedSum binned_sum_of(const uint64_t* state) { return kernels::DoubleSumState::sum_of(state); }

int64_t extreme_of(AggregateKind kind, const uint64_t* state) {
  return kind == AggregateKind::Minimum ? kernels::Smaller::value(*state) : kernels::Greater::value(*state);
}

bool has_extreme(const uint64_t* state) { return state[1] != 0; }

}  // namespace accelerant::device
