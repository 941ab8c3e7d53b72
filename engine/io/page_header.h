#pragma once

#include "io/compact_fields.h"

namespace accelerant::io {

/// The header of a page in a column chunk. Numbers are as the file says, -1 where it does not.
struct PageHeader {
  /// Parquet's PageType.
  enum Type : int32 { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };

  int32 type = -1;
  int32 uncompressed_bytes = -1;   ///< of the body, with the levels
  int32 compressed_bytes = -1;     ///< of the body as it is stored
  int32 num_values = -1;           ///< nulls included
  int32 encoding = -1;             ///< Parquet's Encoding
  int32 level_encoding = -1;       ///< of definition levels; kData only
  int32 repetition_encoding = -1;  ///< of repetition levels; kData only
  int32 definition_bytes = -1;     ///< of definition levels; kDataV2 only
  int32 repetition_bytes = -1;     ///< likewise
  bool is_compressed = true;

  ACC_HD bool is_data() const { return type == kData || type == kDataV2; }
};

/// Reads the part of a header that tells of pages of one type: DataPageHeader, DictionaryPageHeader, DataPageHeaderV2.
ACC_HD inline bool read_typed_header(CompactFields& fields, int32 page_type, PageHeader& header) {
  for (int32 id = 0, type = CompactFields::kStop;;) {
    if (!fields.next(id, type)) return false;
    if (type == CompactFields::kStop) return true;
    const bool is_v2 = page_type == PageHeader::kDataV2;
    int32* number = nullptr;
    if (id == 1) number = &header.num_values;
    if (id == (is_v2 ? 4 : 2)) number = &header.encoding;
    if (id == 3 && page_type == PageHeader::kData) number = &header.level_encoding;
    if (id == 4 && page_type == PageHeader::kData) number = &header.repetition_encoding;
    if (id == 5 && is_v2) number = &header.definition_bytes;
    if (id == 6 && is_v2) number = &header.repetition_bytes;
    if (id == 7 && is_v2) header.is_compressed = type != CompactFields::kFalse;
    if (number ? !fields.read(type, *number) : !fields.skip(type)) return false;
  }
}

/// Reads the header at `data`, Parquet's PageHeader, and moves `data` behind it. Returns false when it is corrupt or
/// does not end before `end`.
ACC_HD inline bool read_page_header(const uint8*& data, const uint8* end, PageHeader& header) {
  CompactFields fields(data, end);
  header = PageHeader();
  int32 typed = -1;  // of which type the header tells
  for (int32 id = 0, type = CompactFields::kStop;;) {
    if (!fields.next(id, type)) return false;
    if (type == CompactFields::kStop) break;
    const int32 page_type = id == 5   ? PageHeader::kData
                            : id == 7 ? PageHeader::kDictionary
                            : id == 8 ? PageHeader::kDataV2
                                      : -1;
    int32* number = id == 1   ? &header.type
                    : id == 2 ? &header.uncompressed_bytes
                    : id == 3 ? &header.compressed_bytes
                              : nullptr;
    if (page_type >= 0 && type == CompactFields::kStruct) {
      typed = page_type;
      if (!read_typed_header(fields, page_type, header)) return false;
    } else if (number ? !fields.read(type, *number) : !fields.skip(type)) {
      return false;
    }
  }
  data = fields.position();
  const bool needs_typed = header.is_data() || header.type == PageHeader::kDictionary;
  return header.type >= 0 && header.uncompressed_bytes >= 0 && header.compressed_bytes >= 0 &&
         (!needs_typed || (typed == header.type && header.num_values >= 0));
}

}  // namespace accelerant::io
