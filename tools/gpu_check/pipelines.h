#pragma once

#include "codegen/fused_groups.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// A pipeline over lineitem that ends in groups.
struct Pipeline {
  std::string name;
  codegen::RowSteps steps;
  int num_keys;
  std::vector<codegen::GroupCall> calls;
  int64_t row_bytes;  ///< of the columns that it reads
};

/// Returns TPC-H's Q1 and Q6, and a sum for each day, whose groups are more than a block keeps.
std::vector<Pipeline> make_pipelines();

}  // namespace accelerant::gpu_check
