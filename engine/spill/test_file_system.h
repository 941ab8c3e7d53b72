#pragma once

#include "spill/file_system.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

/// Disks that fail when they are told to: only tests include this.
namespace accelerant::spill::test {

/// Keeps files in memory.
class FakeFileSystem final : public FileSystem {
 public:
  /// How a folder fails.
  struct Folder {
    int open_error = 0;              ///< errno of every opening
    int64_t room_bytes = INT64_MAX;  ///< after which it is full
    int64_t most_bytes = INT64_MAX;  ///< of one read or write
    int64_t flipped_byte = -1;       ///< in which a bit is not what was written
    bool forgets_end = false;        ///< of what is read, nothing is there
  };

  std::variant<std::unique_ptr<File>, int> open_nameless(const std::string& name) override {
    const std::lock_guard lock(mutex);
    if (folders[name].open_error != 0) return folders[name].open_error;
    ++num_opened;
    ++num_open;
    return std::make_unique<FakeFile>(*this, folders[name]);
  }

  /// Says whether bytes were written to any file, one behind the other.
  bool has_written(std::span<const uint8_t> bytes) {
    const std::lock_guard lock(mutex);
    return std::search(written.begin(), written.end(), bytes.begin(), bytes.end()) != written.end();
  }

  std::mutex mutex;
  std::map<std::string, Folder> folders;  ///< those that are not here do not fail
  int num_opened = 0;
  int num_open = 0;
  std::vector<uint8_t> written;  ///< to all files, as it came

 private:
  class FakeFile final : public File {
   public:
    FakeFile(FakeFileSystem& system, Folder& folder) : system_(system), folder_(folder) {}
    FakeFile(const FakeFile&) = delete;
    FakeFile& operator=(const FakeFile&) = delete;
    ~FakeFile() override {
      const std::lock_guard lock(system_.mutex);
      --system_.num_open;
    }

    int64_t write(int64_t offset, const uint8_t* from, int64_t num_bytes) override {
      const std::lock_guard lock(system_.mutex);
      if (++num_calls_ % 5 == 0) return -EINTR;
      const int64_t written = std::min({num_bytes, folder_.most_bytes, folder_.room_bytes});
      if (written == 0) return -ENOSPC;
      folder_.room_bytes -= written;
      bytes_.resize(std::max(bytes_.size(), static_cast<size_t>(offset + written)));
      std::copy_n(from, written, bytes_.begin() + offset);
      system_.written.insert(system_.written.end(), from, from + written);
      return written;
    }

    int64_t read(int64_t offset, uint8_t* to, int64_t num_bytes) override {
      const std::lock_guard lock(system_.mutex);
      if (++num_calls_ % 5 == 0) return -EINTR;
      if (folder_.forgets_end) return 0;
      const int64_t left = static_cast<int64_t>(bytes_.size()) - offset;
      const int64_t read = std::min({num_bytes, folder_.most_bytes, left});
      std::copy_n(bytes_.begin() + offset, read, to);
      const int64_t flipped = folder_.flipped_byte - offset;
      if (folder_.flipped_byte >= 0 && flipped >= 0 && flipped < read) to[flipped] ^= 0x10;
      return read;
    }

    std::variant<std::shared_ptr<uint8_t>, int> map(int64_t num_bytes) override {
      const std::lock_guard lock(system_.mutex);
      if (num_bytes > folder_.room_bytes) return ENOSPC;
      folder_.room_bytes -= num_bytes;
      const auto whole_pages = static_cast<size_t>((num_bytes + 4095) / 4096 * 4096);
      return std::shared_ptr<uint8_t>(static_cast<uint8_t*>(std::aligned_alloc(4096, whole_pages)), &std::free);
    }

   private:
    FakeFileSystem& system_;
    Folder& folder_;
    std::vector<uint8_t> bytes_;
    int num_calls_ = 0;
  };
};

}  // namespace accelerant::spill::test
