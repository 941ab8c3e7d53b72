#pragma once

#include <string>

namespace accelerant::bench {

/// Registers a benchmark for each file of a folder that benchmarks/encoded_files.py has written: one column `value`.
void register_decoding(const std::string& folder);

}  // namespace accelerant::bench
