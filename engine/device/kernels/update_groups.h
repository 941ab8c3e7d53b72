#pragma once

#include "device/kernels/aggregate_states.h"

namespace accelerant::device::kernels {

/// What is aggregated of each row.
struct GroupAggregate {
  AggregateKind kind;
  const void* values;     ///< int64, of SumInt128 int128, of SumDouble double; of Count null
  const uint8* validity;  ///< a bitmap: only rows whose bit is set count; null: all
  uint64* states;         ///< num_state_words(kind) a group, those of a group together
};

/// Updates the states of groups by rows. Each block keeps states of its own for the first groups in shared memory, in
/// several copies so that the lanes of a warp seldom want the same place, and merges them at its end; other groups are
/// updated where they are.
template <int32 kNumThreads, int32 kNumItems>
struct UpdateGroups {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kTileRows = kThreads * kNumItems;
  static constexpr int32 kMostAggregates = 8;
  static constexpr int32 kLocalWords = 4096;

  struct Arguments {
    const int32* groups;  ///< of the rows; below 0: the row does not count
    int64 num_rows;
    int32 num_aggregates;
    int32 num_local_groups;  ///< those below it have states in the block
    int32 num_copies;        ///< of these: a power of two; words a group * local groups * copies <= kLocalWords
    GroupAggregate aggregates[kMostAggregates];
  };

  template <Block B>
  struct Shared {
    uint64 words[kLocalWords];  ///< a word of all groups together, of a group's all copies
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const int32 num_words = clear(block, shared, arguments);
    block.sync();
    const int64 stride = block.blocks() * kTileRows;
    for (int64 first = block.index() * kTileRows; first < arguments.num_rows; first += stride) {
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
    return arguments.num_local_groups * arguments.num_copies;
  }

  /// Returns the words that the block keeps.
  template <Block B>
  ACC_HD static int32 clear(B& block, Shared<B>& shared, const Arguments& arguments) {
    int32 num_words = 0;
    for (int32 i = 0; i < arguments.num_aggregates; ++i) {
      num_words += num_state_words(arguments.aggregates[i].kind) * local_stride(arguments);
    }
    for (int32 i = block.thread(); i < num_words; i += kThreads) shared.words[i] = 0;
    return num_words;
  }

  template <Block B>
  ACC_HD static void update_tile(B& block, Shared<B>& shared, const Arguments& arguments, int64 first) {
    Rows rows;
    rows.first = first + block.thread();
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = rows.first + i * kThreads;
      rows.groups[i] = row < arguments.num_rows ? arguments.groups[row] : -1;
    }
    uint64* local = shared.words;
    for (int32 i = 0; i < arguments.num_aggregates; ++i) {
      const GroupAggregate& aggregate = arguments.aggregates[i];
      local += with_state_of(aggregate.kind, [&](auto state) {
        update_rows<decltype(state)>(block, arguments, aggregate, local, rows);
        return decltype(state)::kNumWords * local_stride(arguments);
      });
    }
  }

  template <class State, Block B>
  ACC_HD static void update_rows(B& block, const Arguments& arguments, const GroupAggregate& aggregate, uint64* local,
                                 const Rows& rows) {
    bool counts[kNumItems];
    typename State::Value values[kNumItems];
    for (int32 i = 0; i < kNumItems; ++i) {
      const int64 row = rows.first + i * kThreads;
      counts[i] = rows.groups[i] >= 0 && is_valid(aggregate, row);
      values[i] = counts[i] ? State::value_at(aggregate.values, row) : typename State::Value{};
    }
    const bool may_be_null = aggregate.validity != nullptr;
    for (int32 i = 0; i < kNumItems; ++i) {
      if (!counts[i]) continue;
      const int64 group = rows.groups[i];
      if (group < arguments.num_local_groups) {
        const int32 copy = block.thread() & (arguments.num_copies - 1);
        const StateWords state = {local + group * arguments.num_copies + copy, local_stride(arguments)};
        State::template update<Scope::Block>(block, state, values[i], may_be_null);
      } else {
        State::template update<Scope::Device>(block, {aggregate.states + group * State::kNumWords, 1}, values[i],
                                              may_be_null);
      }
    }
  }

  ACC_HD static bool is_valid(const GroupAggregate& aggregate, int64 row) {
    return aggregate.validity == nullptr || (aggregate.validity[row / 8] >> (row % 8) & 1) != 0;
  }

  template <Block B>
  ACC_HD static void merge(B& block, Shared<B>& shared, const Arguments& arguments) {
    uint64* local = shared.words;
    for (int32 i = 0; i < arguments.num_aggregates; ++i) {
      const GroupAggregate& aggregate = arguments.aggregates[i];
      local += with_state_of(aggregate.kind, [&](auto state) {
        using State = decltype(state);
        for (int32 group = block.thread(); group < arguments.num_local_groups; group += kThreads) {
          const StateWords from = {local + group * arguments.num_copies, local_stride(arguments)};
          State::merge(block, from, arguments.num_copies, {aggregate.states + int64{group} * State::kNumWords, 1});
        }
        return State::kNumWords * local_stride(arguments);
      });
    }
  }
};

}  // namespace accelerant::device::kernels
