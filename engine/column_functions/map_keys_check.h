#pragma once

#include "column_functions/definition.h"
#include "column_functions/place_set.h"
#include "functions/definition.h"

#include <cstdint>
#include <span>

namespace accelerant::column_functions {

/// Under which maps with a key twice fail; the last entry of a key wins else.
inline constexpr functions::Setting kKeysAreUnique = {"spark.sql.mapKeyDedupPolicy", "EXCEPTION"};

/// Binds a call that makes maps: `make_map(mode)` calls its function. Where the last entry of a key wins, the mode is
/// not Ansi, keys may be there twice in what the function gives, and all but the last of them are taken out of that.
template <class Call, class MakeMap>
auto bind_map(Call& call, MakeMap make_map) {
  if (call.has_value(kKeysAreUnique)) return make_map(Call::kAnsi);
  return call.call("io.accelerant.LastEntries", {make_map(Call::kLegacy)});
}

/// Binds a call that makes maps of its arguments, in their order.
template <class Call>
auto bind_map_of_arguments(Call& call) {
  const auto arguments = call.arguments();
  call.finish();
  return bind_map(call, [&](auto mode) { return call.call(arguments, mode); });
}

/// Fails each row that counts, but those that fail anyhow, one of whose keys is null, or in ANSI mode there twice.
/// @param keys of any encoding, those of row i from `offsets[i]` on
/// @param failed rows that fail anyhow, ascending
inline void check_keys(ColumnCall& call, const columns::Column& keys, std::span<const int32_t> offsets,
                       std::span<const int32_t> failed = {}) {
  with_set(keys, call.budget(), [&](auto& set) {
    auto next = failed.begin();
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      bool fails = next != failed.end() && *next == row;
      if (fails) ++next;
      const int32_t first = offsets[static_cast<size_t>(row)];
      const int32_t end = offsets[static_cast<size_t>(row) + 1];
      if (first < end && !fails) set.start(end - first);
      for (int32_t place = first; place < end && !fails; ++place) {
        fails = keys.is_null(place) || (call.is_ansi() && !set.add(place));
      }
      if (fails && call.counts(row)) call.fail(row);
    }
  });
}

}  // namespace accelerant::column_functions
