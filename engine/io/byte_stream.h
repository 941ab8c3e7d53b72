#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant::memory {
class Budget;
}

namespace accelerant::io {

/// Gives the bytes of a file one after the other.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Reads up to `num_bytes` and returns how many; 0: there are no more.
  /// @throws Error Unsupported naming the file
  virtual int64_t read(int64_t num_bytes, uint8_t* to) = 0;
  /// Returns how many more there may be; 0 is certain.
  virtual int64_t most_bytes() const = 0;
};

/// Says whether a file is one that Hadoop decompresses by the ending of its name, and the engine too.
bool is_gzip(const std::string& path);

/// Opens a file to be read from a place on; one that is compressed from its start, as what it was made of.
std::unique_ptr<ByteStream> open_bytes(const std::string& uri, int64_t start,
                                       const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
