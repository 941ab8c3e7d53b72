#pragma once

#include "codegen/fused_groups.h"
#include "codegen/row_text.h"
#include "functions/aggregate/row_count.h"
#include "functions/aggregate/shared_state.h"

#include <cstdint>
#include <vector>

namespace accelerant::codegen {

/// The state by which the rows of a group are counted.
using RowsOfGroup = functions::SharedState<functions::RowCount>;

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

/// The states of one call.
struct GroupState {
  const aggregates::SharedForm* form;  ///< of the registry
  std::vector<int> arguments;          ///< outputs; a row counts in which none is null
  /// What the states take of the first argument; Null: no value.
  types::PhysicalType value = types::PhysicalType::Null;
  bool nullable = false;  ///< some argument may be null
  int32_t offset = 0;     ///< where the words of a group begin, after the number of its rows

  bool takes_value() const { return value != types::PhysicalType::Null; }
};

/// The keys and calls of a pipeline that ends in groups.
struct GroupShape {
  std::vector<KeyField> keys;
  int32_t num_key_words = 0;  ///< of 64 bits
  std::vector<GroupState> states;
  int32_t num_state_words = 0;  ///< of a group

  /// Says whether each key has few values, known before the rows are looked at.
  bool has_small_domain() const;
};

/// Returns the shape of a pipeline's end.
/// @throws Error Unsupported with the reason why there is none
GroupShape make_group_shape(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls);

}  // namespace accelerant::codegen
