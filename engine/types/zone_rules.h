#pragma once

#include "types/time_zone.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accelerant::types {

/// A change of a zone's offset.
struct ZoneTransition {
  int64_t second;  ///< the instant, in seconds since 1970
  int32_t offset;  ///< seconds that local time is ahead of UTC from then on
};

/// The rules of a time zone under the id by which a plan names it. Immutable.
class ZoneRules {
 public:
  /// @param first_offset the offset before the first transition
  /// @param transitions ascending
  /// @param num_irregular the transitions after that many repeat every 400 years, and go on for 402 years at least;
  /// none: there are no yearly rules
  ZoneRules(std::string id, int32_t first_offset, std::span<const ZoneTransition> transitions, size_t num_irregular);

  const std::string& id() const { return id_; }
  /// Valid as long as the rules are.
  TimeZone view() const;

 private:
  std::string id_;
  std::vector<int64> starts_;
  std::vector<int64> local_starts_;
  std::vector<int32> offsets_;
  int64_t cycle_start_ = 0;
  bool repeats_ = false;
};

/// Returns the rules of UTC.
const std::shared_ptr<const ZoneRules>& utc();

}  // namespace accelerant::types
