#pragma once

#include "codegen/fused_groups.h"
#include "codegen/row_text.h"

#include <cstdint>
#include <vector>

namespace accelerant::codegen {

/// Words of keys that the device's table of groups takes.
inline constexpr int32_t kMostKeyWords = 2;

/// Where a key lies in the words by which groups are told apart.
struct KeyField {
  RowOutput key;
  int32_t shift = 0;  ///< bits from the lowest
  int32_t value_bits = 0;
  /// Whether a bit above the value says that it is null. Wide decimals have none: the least integer of 128 bits stands
  /// for null, which is no decimal.
  bool has_null_bit = false;

  /// Says whether it stands for the codes of strings.
  bool is_coded() const { return key.type.physical() == types::PhysicalType::String; }
};

/// The keys and calls of a pipeline that ends in groups.
struct GroupShape {
  std::vector<KeyField> keys;
  int32_t num_key_words = 0;  ///< of 64 bits
  std::vector<GroupCall> calls;
  std::vector<RowOutput> arguments;  ///< of the calls; of those that count rows nothing
  std::vector<int32_t> offsets;      ///< where the words of each call's state begin, after the number of rows
  int32_t num_state_words = 0;

  /// Says whether each key has few values, known before the rows are looked at.
  bool has_small_domain() const;
};

/// Returns the shape of a pipeline's end.
/// @throws Error Unsupported with the reason why there is none
GroupShape make_group_shape(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls);

}  // namespace accelerant::codegen
