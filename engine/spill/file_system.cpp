#include "spill/file_system.h"

#include "spill/disk_faults.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace accelerant::spill {

namespace {

class LocalFile final : public File {
 public:
  explicit LocalFile(int descriptor) : descriptor_(descriptor) {}
  LocalFile(const LocalFile&) = delete;
  LocalFile& operator=(const LocalFile&) = delete;
  ~LocalFile() override { ::close(descriptor_); }

  int64_t write(int64_t offset, const uint8_t* from, int64_t num_bytes) override {
    if (DiskFaults::is_on() && DiskFaults::finds_full()) return -ENOSPC;
    return result(::pwrite(descriptor_, from, static_cast<size_t>(num_bytes), offset));
  }
  int64_t read(int64_t offset, uint8_t* to, int64_t num_bytes) override {
    const int64_t read = result(::pread(descriptor_, to, static_cast<size_t>(num_bytes), offset));
    if (DiskFaults::is_on() && read > 0) DiskFaults::note_read(to, read);
    return read;
  }
  // Where the disk had no room for a page, touching it would end the process.
  std::variant<std::shared_ptr<uint8_t>, int> map(int64_t num_bytes) override {
    if (DiskFaults::is_on() && DiskFaults::finds_full()) return ENOSPC;
    int failed = EINTR;
    while (failed == EINTR) failed = ::posix_fallocate(descriptor_, 0, num_bytes);
    if (failed != 0) return failed;
    const auto size = static_cast<size_t>(num_bytes);
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) return errno;
    return std::shared_ptr<uint8_t>(static_cast<uint8_t*>(memory), [size](uint8_t* mapped) { ::munmap(mapped, size); });
  }

 private:
  static int64_t result(ssize_t done) { return done < 0 ? -errno : done; }

  const int descriptor_;
};

/// Returns a descriptor, or -1 with errno.
int open_in(const std::string& folder) {
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  const bool is_unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOSYS;
  if (nameless >= 0 || !is_unknown) return nameless;
  // The file system has no files without names.
  std::string path = folder + "/accelerant-spill-XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

class LocalFileSystem final : public FileSystem {
 public:
  std::variant<std::unique_ptr<File>, int> open_nameless(const std::string& folder) override {
    const int descriptor = open_in(folder);
    if (descriptor < 0) return errno;
    return std::make_unique<LocalFile>(descriptor);
  }
};

}  // namespace

std::variant<std::shared_ptr<uint8_t>, int> File::map(int64_t) { return ENOTSUP; }

FileSystem& local_file_system() {
  static auto* system = new LocalFileSystem;
  return *system;
}

}  // namespace accelerant::spill
