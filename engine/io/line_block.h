#pragma once

#include "memory/buffer.h"
#include "types/string_view.h"

#include <string_view>
#include <vector>

namespace accelerant::io {

/// What a file of text may begin with, which is no part of its first line.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Whole lines of a file in their order, without what ends them.
struct LineBlock {
  memory::BufferPtr bytes;              ///< what the lines lie in; columns may share it
  std::vector<types::StringRef> lines;  ///< all within `bytes`
  bool starts_part = false;             ///< the first of them is the first of a part of a file that is read
  bool starts_split = false;            ///< and of a split of Spark's
  bool starts_file = false;             ///< and of the file
  bool is_cut_off = false;              ///< the last of them is the part's last, and the split goes on
};

}  // namespace accelerant::io
