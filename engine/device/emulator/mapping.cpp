#include "device/emulator/mapping.h"

#include "base/error.h"
#include "device/emulator/sanitizer_hooks.h"
#include "memory/budget.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace accelerant::device::emulator {

namespace {

size_t page_bytes() {
  static const auto kBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return kBytes;
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

Mapping::Mapping(size_t bytes) : size_bytes_(round_up(bytes, page_bytes())) {
  const size_t all = size_bytes_ + 2 * page_bytes();
  void* pages = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    throw Error(ErrorKind::Resource,
                "the emulator gets no " + memory::format_bytes(static_cast<int64_t>(all)) + " from the system");
  }
  data_ = static_cast<char*>(pages) + page_bytes();
  set_access(true);
}

Mapping::~Mapping() {
  unpoison(data_, size_bytes_);
  munmap(data_ - page_bytes(), size_bytes_ + 2 * page_bytes());
}

void Mapping::set_access(bool allowed) {
  ACC_CHECK(mprotect(data_, size_bytes_, allowed ? PROT_READ | PROT_WRITE : PROT_NONE) == 0);
}

void Mapping::drop_content() { madvise(data_, size_bytes_, MADV_DONTNEED); }

GuardedMemory::GuardedMemory(size_t bytes, size_t alignment)
    : mapping_(round_up(bytes, alignment)),
      data_(mapping_.data() + mapping_.size_bytes() - round_up(bytes, alignment)),
      size_bytes_(bytes) {
  poison(mapping_.data(), mapping_.size_bytes());
  unpoison(data_, bytes);
}

}  // namespace accelerant::device::emulator
