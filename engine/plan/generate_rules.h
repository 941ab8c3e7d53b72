#pragma once

#include "plan/node.h"
#include "plan/relation.h"

#include <vector>

namespace accelerant::plan {

/// What GenerateExec says beside its input.
struct Generate {
  int plan_node;
  int generator;
  bool outer;                         ///< a row of which the generator makes none comes out once, with nulls
  std::vector<int> kept;              ///< columns of the input that come out before those that are made
  std::vector<Attribute> attributes;  ///< of all columns that come out
};

/// Binds GenerateExec to the node of its generator.
Relation bind_generate(Binding& binding, NodeFields& fields);

}  // namespace accelerant::plan
