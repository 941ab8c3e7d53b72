#include "types/zone_rules.h"

#include <algorithm>
#include <limits>

namespace accelerant::types {

namespace {

constexpr int64_t kSecondsOfYear = int64_t{366} * 86400;

}  // namespace

ZoneRules::ZoneRules(std::string id, int32_t first_offset, std::span<const ZoneTransition> transitions,
                     size_t num_irregular)
    : id_(std::move(id)) {
  constexpr int64_t kAlways = std::numeric_limits<int64_t>::min();
  starts_ = {kAlways};
  local_starts_ = {kAlways};
  offsets_ = {first_offset};
  for (const ZoneTransition& transition : transitions) {
    starts_.push_back(transition.second);
    local_starts_.push_back(transition.second + std::max(offsets_.back(), transition.offset));
    offsets_.push_back(transition.offset);
  }
  repeats_ = num_irregular < transitions.size();
  // A year in, so that local times near it are under the yearly rules too.
  if (repeats_) cycle_start_ = starts_[num_irregular + 1] + kSecondsOfYear;
}

TimeZone ZoneRules::view() const {
  return {starts_.data(), local_starts_.data(), offsets_.data(), static_cast<int32_t>(starts_.size()), cycle_start_,
          repeats_};
}

const std::shared_ptr<const ZoneRules>& utc() {
  static const auto* const kUtc = new std::shared_ptr<const ZoneRules>(
      std::make_shared<const ZoneRules>("UTC", 0, std::span<const ZoneTransition>{}, 0));
  return *kUtc;
}

}  // namespace accelerant::types
