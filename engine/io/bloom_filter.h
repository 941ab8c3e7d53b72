#pragma once

#include "expressions/pruning.h"
#include "io/page_index.h"

#include <memory>

namespace accelerant::io {

/// Returns the set that a chunk's Bloom filter is; nullptr where the file has none, or values are converted in a way
/// that leaves it of no use. The filter is read when it is first asked, and charged to `budget`; asking it throws as
/// LocalFile::read does. What `chunk` refers to outlives the set.
std::shared_ptr<const expressions::ValueSet> find_bloom_filter(const IndexedChunk& chunk,
                                                               std::shared_ptr<memory::Budget> budget);

}  // namespace accelerant::io
