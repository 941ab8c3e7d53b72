#pragma once

#include "plan/node.h"

namespace accelerant::plan {

/// Binds GenerateExec to the node of its generator.
Relation bind_generate(Binding& binding, NodeFields& fields);

}  // namespace accelerant::plan
