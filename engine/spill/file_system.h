#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace accelerant::spill {

/// A file that is read and written by place. Any thread.
class File {
 public:
  virtual ~File() = default;
  /// Writes some of the bytes, at least one; returns how many, or what went wrong as a negative errno.
  virtual int64_t write(int64_t offset, const uint8_t* from, int64_t num_bytes) = 0;
  /// Reads some of the bytes; returns how many, 0 behind the end, or a negative errno.
  virtual int64_t read(int64_t offset, uint8_t* to, int64_t num_bytes) = 0;
  /// Has so many bytes from its start be memory, for which the disk has room; the file may be closed before that goes.
  /// Else returns the errno. Not of a file that is read or written as well.
  virtual std::variant<std::shared_ptr<uint8_t>, int> map(int64_t num_bytes);
};

/// What spill files need of a system, so that tests can have disks fail. Any thread.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Opens a new file in a folder that has no name there any more, so that it goes when it is closed, or the process
  /// ends. Else the errno.
  virtual std::variant<std::unique_ptr<File>, int> open_nameless(const std::string& folder) = 0;
};

/// Returns the system's own, which is never destroyed.
FileSystem& local_file_system();

}  // namespace accelerant::spill
