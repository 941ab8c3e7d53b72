#include "io/row_group_fields.h"

#include "io/compact_fields.h"

namespace accelerant::io {

namespace {

constexpr int32_t kRowGroups = 4;            ///< field of FileMetaData
constexpr int32_t kTotalCompressedSize = 6;  ///< field of RowGroup

/// Passes over a row group and adds whether it says its size.
bool read_row_group(CompactFields& fields, std::vector<bool>& sized) {
  bool is_sized = false;
  for (int32_t id = 0, type = CompactFields::kStop;;) {
    if (!fields.next(id, type)) return false;
    if (type == CompactFields::kStop) break;
    is_sized |= id == kTotalCompressedSize;
    if (!fields.skip(type)) return false;
  }
  sized.push_back(is_sized);
  return true;
}

bool read_row_group_list(CompactFields& fields, std::vector<bool>& sized) {
  int32_t type;
  uint64 count;
  if (!fields.read_list_head(type, count) || (count > 0 && type != CompactFields::kStruct)) return false;
  for (; count > 0; --count) {
    if (!read_row_group(fields, sized)) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> sized_row_groups(std::span<const uint8_t> footer) {
  CompactFields fields(footer.data(), footer.data() + footer.size());
  std::vector<bool> sized;
  for (int32_t id = 0, type = CompactFields::kStop;;) {
    if (!fields.next(id, type) || type == CompactFields::kStop) return sized;
    const bool has_row_groups = id == kRowGroups && type == CompactFields::kList;
    if (has_row_groups ? !read_row_group_list(fields, sized) : !fields.skip(type)) return sized;
  }
}

}  // namespace accelerant::io
