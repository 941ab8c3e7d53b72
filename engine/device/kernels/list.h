#pragma once

#include "device/kernel.h"
#include "device/kernels/combine.h"
#include "device/kernels/compact.h"
#include "device/kernels/count_digits.h"
#include "device/kernels/decompress_snappy.h"
#include "device/kernels/exclusive_scan.h"
#include "device/kernels/expand_deltas.h"
#include "device/kernels/expand_runs.h"
#include "device/kernels/find_strings.h"
#include "device/kernels/find_values.h"
#include "device/kernels/gather.h"
#include "device/kernels/gather_strings.h"
#include "device/kernels/generate.h"
#include "device/kernels/group_rows.h"
#include "device/kernels/place_values.h"
#include "device/kernels/reduce.h"
#include "device/kernels/sort_by_digit.h"
#include "device/kernels/update_groups.h"
#include "functions/aggregate/exact_sum.h"
#include "functions/aggregate/shared_state.h"

namespace accelerant::device::kernels {

/// An aggregate as an example: others are compiled with their query.
using SumOfLongs = GroupAggregate<functions::SharedState<functions::ExactSum>, int64, false>;

}  // namespace accelerant::device::kernels

// One line a kernel that is compiled for GPUs: its name there and its type. `make gpu` reads this list too.
#define ACC_DEVICE_KERNELS(K)                                              \
  K(reduce_sum, Reduce<Sum, 128>)                                          \
  K(reduce_minimum, Reduce<Minimum, 128>)                                  \
  K(reduce_maximum, Reduce<Maximum, 128>)                                  \
  K(exclusive_scan_int32, ExclusiveScan<int32, 128, 8>)                    \
  K(exclusive_scan_int64, ExclusiveScan<int64, 128, 8>)                    \
  K(compact, Compact<128>)                                                 \
  K(gather_1, Gather<uint8, 128>)                                          \
  K(gather_2, Gather<uint16, 128>)                                         \
  K(gather_4, Gather<uint32, 128>)                                         \
  K(gather_8, Gather<uint64, 128>)                                         \
  K(gather_16, Gather<uint128, 128>)                                       \
  K(gather_bits, GatherBits<128>)                                          \
  K(generate_4, Generate<int32, 128>)                                      \
  K(generate_8, Generate<int64, 128>)                                      \
  K(count_digits, CountDigits<256, 4>)                                     \
  K(sort_by_digit, SortByDigit<256, 8>)                                    \
  K(group_rows_1, GroupRows<1, 128>)                                       \
  K(group_rows_2, GroupRows<2, 128>)                                       \
  K(move_groups_1, MoveGroups<1, 128>)                                     \
  K(move_groups_2, MoveGroups<2, 128>)                                     \
  K(update_groups, UpdateGroups<256, 2, SumOfLongs>)                       \
  K(string_sizes, StringSizes<128>)                                        \
  K(find_tile_rows, FindTileRows<128>)                                     \
  K(gather_strings, GatherStrings)                                         \
  K(find_levels, FindLevels<128>)                                          \
  K(find_values, FindValues<128>)                                          \
  K(find_strings, FindStrings<128>)                                        \
  K(expand_runs_1, ExpandRuns<uint8, 128>)                                 \
  K(expand_runs_4, ExpandRuns<uint32, 128>)                                \
  K(decompress_snappy, DecompressSnappy<128>)                              \
  K(place_int8, PlaceValues<PlainIntegers<uint32, uint8>, 128>)            \
  K(place_int16, PlaceValues<PlainIntegers<uint32, uint16>, 128>)          \
  K(place_int32, PlaceValues<PlainIntegers<uint32, uint32>, 128>)          \
  K(place_int64, PlaceValues<PlainIntegers<uint64, uint64>, 128>)          \
  K(place_int32_as_int64, PlaceValues<PlainIntegers<int32, int64>, 128>)   \
  K(place_int32_as_int128, PlaceValues<PlainIntegers<int32, int128>, 128>) \
  K(place_int64_as_int128, PlaceValues<PlainIntegers<int64, int128>, 128>) \
  K(place_booleans, PlaceValues<PlainBooleans, 128>)                       \
  K(place_expanded_booleans, PlaceValues<ExpandedBooleans, 128>)           \
  K(place_decimal64, PlaceValues<FixedDecimals<int64>, 128>)               \
  K(place_decimal128, PlaceValues<FixedDecimals<int128>, 128>)             \
  K(place_entries_1, PlaceValues<DictionaryValues<uint8>, 128>)            \
  K(place_entries_2, PlaceValues<DictionaryValues<uint16>, 128>)           \
  K(place_entries_4, PlaceValues<DictionaryValues<uint32>, 128>)           \
  K(place_entries_8, PlaceValues<DictionaryValues<uint64>, 128>)           \
  K(place_entries_16, PlaceValues<DictionaryValues<uint128>, 128>)         \
  K(place_codes, PlaceValues<DictionaryCodes, 128>)                        \
  K(level_bits, LevelBits<128>)                                            \
  K(expand_deltas_4, ExpandDeltas<uint32, 128>)                            \
  K(expand_deltas_8, ExpandDeltas<uint64, 128>)

namespace accelerant::device::kernels {

#define ACC_NAME_KERNEL(name, ...)               \
  template <>                                    \
  struct KernelName<__VA_ARGS__> {               \
    static constexpr const char* kValue = #name; \
  };
ACC_DEVICE_KERNELS(ACC_NAME_KERNEL)
#undef ACC_NAME_KERNEL

}  // namespace accelerant::device::kernels
