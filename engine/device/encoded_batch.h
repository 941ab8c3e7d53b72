#pragma once

#include "columns/column.h"
#include "device/device_batch.h"
#include "device/page_encoding.h"
#include "device/stream.h"
#include "memory/buffer.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::device {

/// A page of a column chunk: definition levels that lie apart, and right behind them the body. Sizes are bytes.
struct EncodedPage {
  PageEncoding encoding = PageEncoding::Plain;
  bool is_compressed = false;   ///< the body, in snappy's format
  bool levels_in_body = false;  ///< behind the 4 bytes that say how many bytes they take; the values follow
  int64_t offset = 0;           ///< of what lies apart, in the column's bytes
  int64_t level_bytes = 0;      ///< that lie apart
  int64_t stored_bytes = 0;     ///< of the body in the column's bytes
  int64_t body_bytes = 0;       ///< of the body, decompressed
  int64_t num_rows = 0;         ///< of a dictionary: its entries
};

/// What the values of a column are stored as.
enum class StoredKind : uint8_t {
  Booleans,  ///< bits
  Numbers,   ///< of 4 or 8 bytes, the lowest first: integers and floating-point numbers
  Decimals,  ///< of a fixed number of bytes, the highest first
  Strings,
};

/// A column chunk as it is stored, or decoded already.
struct EncodedColumn {
  types::DataType type;
  columns::ColumnPtr decoded = nullptr;  ///< set where the host has decoded it: then nothing else is

  StoredKind kind = StoredKind::Numbers;
  int32_t value_bytes = 0;  ///< of a stored value; 0: Booleans, Strings
  bool is_optional = false;
  memory::BufferPtr bytes = nullptr;
  int64_t offset = 0;                          ///< of the chunk in `bytes`
  int64_t num_bytes = 0;                       ///< of the chunk
  std::optional<EncodedPage> dictionary = {};  ///< Plain or PlainStrings
  columns::ColumnPtr dictionary_strings =
      nullptr;                          ///< set where all pages of a column of strings have indices: the entries
  std::vector<EncodedPage> pages = {};  ///< with as many rows as the batch has, together
};

/// Rows as a file has them, for a device to decode.
struct EncodedBatch {
  int64_t morsel = 0;  ///< see columns::Batch
  int64_t num_rows = 0;
  std::vector<EncodedColumn> columns;
};

/// Returns how the values of a column lie when it is decoded.
ColumnLayout layout_of(const EncodedColumn& column);

/// Returns what `decode` allocates at most before it knows how many bytes strings without a dictionary have: the pages
/// and, of those that are compressed, their bodies once more; for n rows of width w and a dictionary of e entries, w n
/// for values, as much and w e where pages are not plain, 9 n / 8 where there are nulls, 24 n + 12 e for strings that
/// become no codes; what the host has decoded, as `upload_bound` says.
MemoryBound decode_bound(const EncodedBatch& batch);

/// Decodes a batch; strings whose pages all have indices become codes. Pages may hold anything. Waits for the stream.
/// @return nullopt where something is wrong with a page
/// @throws Error Resource where the budget or the device has no room, Unsupported for a type without a layout
std::optional<DeviceBatch> decode(DeviceStream& stream, const EncodedBatch& batch,
                                  const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::device
