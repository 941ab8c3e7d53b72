#pragma once

#include <cstdint>
#include <string>

namespace accelerant::io {

/// Tells one state of a file from another.
struct FileIdentity {
  int64_t size_bytes = 0;
  int64_t modified_nanos = 0;
  uint64_t inode = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Returns the local path of a `file:` URI or of a plain absolute path.
/// @throws Error Unsupported for any other scheme
std::string local_path(const std::string& uri);

/// A local file open for reading. Reads by pread, never mmap: a file that shrinks must not kill the process. Threads
/// may share it.
class LocalFile {
 public:
  /// @throws Error Unsupported, naming the file, where it cannot be opened: what Spark says of that is Spark's
  explicit LocalFile(const std::string& uri);
  LocalFile(LocalFile&& other) noexcept;
  LocalFile& operator=(LocalFile&& other) noexcept;
  ~LocalFile();

  FileIdentity identity() const;
  /// Reads exactly `num_bytes` at `offset`; a short file is an error.
  void read(int64_t offset, int64_t num_bytes, uint8_t* to) const;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string uri_;
  int descriptor_ = -1;
};

}  // namespace accelerant::io
