#pragma once

#include "plan/node.h"

#include <cstdint>

namespace accelerant::plan {

/// Skips the first `offset` rows and gives out at most `limit` of those that follow. `output` is the input's.
struct Limit final : NodeOf<Limit, NodeKind::Limit> {
  static constexpr int64_t kAll = -1;

  std::string describe() const override;

  int64_t limit = kAll;  ///< rows given out, after the offset; kAll: no limit
  int64_t offset = 0;    ///< rows skipped
};

}  // namespace accelerant::plan
