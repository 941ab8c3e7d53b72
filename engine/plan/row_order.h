#pragma once

#include "plan/node.h"

namespace accelerant::plan {

/// Says whether the rows of a tree may come in another order in another run.
bool order_varies(const Node& root);

/// Says whether the rows of a tree come in the same order in every run, or say where they do not (columns::kNoOrder).
bool tells_order(const Node& root);

}  // namespace accelerant::plan
