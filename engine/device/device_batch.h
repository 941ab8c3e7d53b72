#pragma once

#include "columns/batch.h"
#include "device/device_buffer.h"
#include "device/memory_bound.h"
#include "device/stream.h"
#include "memory/buffer.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::device {

/// Returns the bytes of a bitmap of whole words of 32 bits.
constexpr int64_t bitmap_bytes(int64_t num_rows) { return (num_rows + 31) / 32 * 4; }
/// Returns how many bytes whole words of 8 are that hold so many: strings are gathered in words.
constexpr int64_t whole_words(int64_t bytes) { return (bytes + 7) / 8 * 8; }

/// How the values of a column lie in memory of a device.
enum class ColumnLayout : uint8_t {
  Fixed,    ///< values of the physical type; booleans one byte each
  Strings,  ///< offsets of 64 bits, one more than there are strings, into bytes in one piece
  Codes,    ///< positions of 32 bits in a dictionary of strings
};

/// A column in memory of a device. Its parts are shared, freed in the order of the stream they were allocated on.
struct DeviceColumn {
  types::DataType type;
  types::PhysicalType physical = types::PhysicalType::Int32;  ///< of a decimal: Int64 up to 18 digits, Int128 above
  ColumnLayout layout = ColumnLayout::Fixed;
  std::shared_ptr<const DeviceBuffer> values;  ///< Fixed: values. Codes: positions, valid ones also under nulls
  std::shared_ptr<const DeviceBuffer>
      validity;                                 ///< a bitmap, set = not null, of whole words of 32 bits; null: no nulls
  std::shared_ptr<const DeviceBuffer> offsets;  ///< Strings: of rows. Codes: of the dictionary's entries
  std::shared_ptr<const DeviceBuffer> bytes;    ///< Strings, Codes: whole words of 8 bytes
  columns::ColumnPtr dictionary;                ///< Codes: the entries on the host, flat, without nulls
};

/// Rows in memory of a device. All rows are there: what a filter keeps is compacted.
struct DeviceBatch {
  int64_t num_rows = 0;
  std::vector<DeviceColumn> columns;              ///< those that nobody reads have no parts
  std::vector<std::shared_ptr<const void>> host;  ///< host memory that copies read until the stream is synchronised
};

/// Returns what `upload` allocates at most: for n rows of width w, w n for values and a bit a row; for n strings,
/// 8 (n + 1) and their bytes; for codes, 4 n and those of the entries.
MemoryBound upload_bound(const columns::Batch& batch, std::span<const int> positions);

/// Enqueues copies of columns of a batch, all of whose rows are alive: constants are repeated, decimals get the width
/// of their types, strings keep their dictionary if they have one.
/// @param positions of the batch's columns that are read; others stay without parts
/// @throws Error Resource where the budget or the device has no room, Unsupported for a type without a layout
DeviceBatch upload(DeviceStream& stream, const columns::Batch& batch, std::span<const int> positions,
                   const std::shared_ptr<memory::Budget>& budget);

/// Copies columns back to flat ones on the host (codes to dictionary columns). Waits for the stream.
columns::Batch download(DeviceStream& stream, const DeviceBatch& batch, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::device
