#pragma once

#include "device/kernels/state_words.h"

namespace accelerant::device::kernels {

struct NoValue {};

/// What is aggregated of each row: states of `SharedState` (functions/aggregate/shared_state.h) take values of type T.
template <class SharedState, class T, bool kMayBeNull>
struct GroupAggregate {
  using Shared = SharedState;
  using Value = T;
  static constexpr bool kNullable = kMayBeNull;

  ACC_HD ACC_INLINE static T value_at(const void* values, int64 row) { return static_cast<const T*>(values)[row]; }
  template <class Access>
  ACC_HD ACC_INLINE static void update(Access access, T value) {
    Shared::update(access, kNullable, value);
  }
};
/// States that take no value: rows count.
template <class SharedState, bool kMayBeNull>
struct GroupAggregate<SharedState, NoValue, kMayBeNull> {
  using Shared = SharedState;
  using Value = NoValue;
  static constexpr bool kNullable = kMayBeNull;

  ACC_HD ACC_INLINE static NoValue value_at(const void*, int64) { return {}; }
  template <class Access>
  ACC_HD ACC_INLINE static void update(Access access, NoValue) {
    Shared::update(access, kNullable);
  }
};

/// Where the values and the states of an aggregate are.
struct GroupColumn {
  const void* values;     ///< of the rows; NoValue: null
  const uint8* validity;  ///< a bitmap: only rows whose bit is set count; of aggregates that are not nullable null
  uint64* states;         ///< kNumWords words a group, those of a group together
};

/// What rows update, and how.
struct UpdatedRows {
  const int32* groups;  ///< of the rows; below 0: the row does not count
  int64 num_rows;
  int32 num_local_groups;  ///< those below it have states in each block
  int32 num_copies;        ///< of these: a power of two; words of a group * local groups * copies <= kLocalUpdateWords
};

/// Words of states that a block keeps.
inline constexpr int32 kLocalUpdateWords = 4096;

/// Updates the states of groups by rows, for each of `Aggregates`. Each block keeps states of its own for the first
/// groups in shared memory, in several copies so that the lanes of a warp seldom want the same place, and merges them
/// at its end; other groups are updated where they are.
template <int32 kNumThreads, int32 kNumItems, class... Aggregates>
struct UpdateGroups {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kTileRows = kThreads * kNumItems;
  /// The words of all states of a group.
  static constexpr int32 kNumWords = (Aggregates::Shared::kNumWords + ...);

  struct Arguments {
    UpdatedRows rows;
    GroupColumn columns[sizeof...(Aggregates)];
  };

  template <Threads B>
  struct Shared {
    uint64 words[kLocalUpdateWords];  ///< a word of all groups together, of a group's all copies
  };

  template <Threads B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int32 num_words = kNumWords * local_stride(arguments);
    for (int32 i = block.thread(); i < num_words; i += kThreads) shared.words[i] = 0;
    block.sync();
    const int64 stride = block.blocks() * kTileRows;
    for (int64 first = block.index() * kTileRows; first < arguments.rows.num_rows; first += stride) {
      update_tile(block, shared, arguments, first);
    }
    if (num_words == 0) return;
    block.sync();
    merge(block, shared, arguments);
  }

 private:
  /// Rows of a thread, some of which count.
  struct Rows {
    int64 first;  ///< others follow kThreads apart
    int32 groups[kNumItems];
  };

  ACC_HD static int32 local_stride(const Arguments& arguments) {
    return arguments.rows.num_local_groups * arguments.rows.num_copies;
  }

  template <Threads B>
  ACC_HD static void update_tile(B& block, Shared<B>& shared, const Arguments& arguments, int64 first) {
    Rows rows;
    rows.first = first + block.thread();
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = rows.first + i * kThreads;
      rows.groups[i] = row < arguments.rows.num_rows ? arguments.rows.groups[row] : -1;
    }
    uint64* local = shared.words;
    int32 at = 0;
    (update_rows<Aggregates>(block, arguments, at, local, rows), ...);
  }

  /// Moves `at` and `local` on to the next aggregate.
  template <class Aggregate, Threads B>
  ACC_HD ACC_INLINE static void update_rows(B& block, const Arguments& arguments, int32& at, uint64*& local,
                                            const Rows& rows) {
    constexpr int32 kWords = Aggregate::Shared::kNumWords;
    const GroupColumn& column = arguments.columns[at++];
    bool counts[kNumItems];
    typename Aggregate::Value values[kNumItems];
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = rows.first + i * kThreads;
      counts[i] = rows.groups[i] >= 0 && (!Aggregate::kNullable || (column.validity[row / 8] >> (row % 8) & 1) != 0);
      values[i] = counts[i] ? Aggregate::value_at(column.values, row) : typename Aggregate::Value{};
    }
    for (int32 i = 0; i < kNumItems; ++i) {
      if (!counts[i]) continue;
      const int64 group = rows.groups[i];
      if (group < arguments.rows.num_local_groups) {
        const int32 copy = block.thread() & (arguments.rows.num_copies - 1);
        const StateWords state = {local + group * arguments.rows.num_copies + copy, local_stride(arguments)};
        Aggregate::update(access_to<Scope::Block>(block, state), values[i]);
      } else {
        Aggregate::update(access_to<Scope::Device>(block, StateWords{column.states + group * kWords, 1}), values[i]);
      }
    }
    local += kWords * local_stride(arguments);
  }

  template <Threads B>
  ACC_HD static void merge(B& block, Shared<B>& shared, const Arguments& arguments) {
    uint64* local = shared.words;
    int32 at = 0;
    (merge_groups<Aggregates>(block, arguments, at, local), ...);
  }

  template <class Aggregate, Threads B>
  ACC_HD ACC_INLINE static void merge_groups(B& block, const Arguments& arguments, int32& at, uint64*& local) {
    constexpr int32 kWords = Aggregate::Shared::kNumWords;
    const GroupColumn& column = arguments.columns[at++];
    for (int32 group = block.thread(); group < arguments.rows.num_local_groups; group += kThreads) {
      const StateWords from = {local + group * arguments.rows.num_copies, local_stride(arguments)};
      merge_copies<typename Aggregate::Shared>(block, from, arguments.rows.num_copies,
                                               {column.states + int64{group} * kWords, 1});
    }
    local += kWords * local_stride(arguments);
  }
};

}  // namespace accelerant::device::kernels
