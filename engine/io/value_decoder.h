#pragma once

#include "io/parquet_column.h"
#include "memory/buffer.h"

#include <parquet/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::io {

/// Where decoded values go: a flat column under construction.
struct ValueTarget {
  uint8_t* values;                       ///< room for the values to read, of the column's physical type
  std::vector<memory::BufferPtr>& heap;  ///< of a string column; grows
};

/// Decodes the values of a column's pages (all encodings but dictionary indices) and converts them to the scan's type.
/// Every length is checked against the end of the page. All methods throw Error{Resource} on corrupt data.
class ValueDecoder {
 public:
  virtual ~ValueDecoder() = default;
  /// Starts a page. The data must be readable, whatever its content, up to memory::Buffer::kPaddingBytes past its end
  /// and stay in place until the next page.
  /// @throws Error Unsupported for an encoding that such values do not have
  virtual void start_page(parquet::Encoding::type encoding, const uint8_t* data, int64_t num_bytes) = 0;
  /// Decodes the next `n` values.
  virtual void read(int64_t n, ValueTarget target) = 0;
  /// Decodes those of the next `n` values that lie at `positions`, ascending, and passes over the others.
  virtual void read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target) = 0;
  /// Passes over the next `n` values.
  virtual void skip(int64_t n) = 0;
  /// Returns the least bytes that a PLAIN page of `n` values takes.
  virtual int64_t least_plain_bytes(int64_t n) const = 0;
};

/// Makes the decoder of a column; `budget` is charged for the bytes of strings.
std::unique_ptr<ValueDecoder> make_value_decoder(const FileColumn& column,
                                                 const std::shared_ptr<memory::Budget>& budget);

/// Makes the decoder of a BYTE_ARRAY column or a FIXED_LEN_BYTE_ARRAY column; part of make_value_decoder.
std::unique_ptr<ValueDecoder> make_bytes_decoder(const FileColumn& column,
                                                 const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
