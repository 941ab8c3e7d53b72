#include "io/local_file.h"

#include "base/error.h"
#include "io/file_errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace accelerant::io {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string percent_decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    decoded += escaped ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escaped) i += 2;
  }
  return decoded;
}

}  // namespace

std::string local_path(const std::string& uri) {
  if (uri.starts_with('/')) return uri;
  std::string_view rest = uri;
  if (!rest.starts_with("file:")) {
    throw_unsupported("filesystem " + uri.substr(0, uri.find(':')) + "://… is not read natively yet (" + uri + ")");
  }
  rest.remove_prefix(5);
  if (rest.starts_with("//")) {
    const size_t path = rest.find('/', 2);
    const std::string_view host = rest.substr(2, path == rest.npos ? rest.npos : path - 2);
    if (path == rest.npos || !(host.empty() || host == "localhost")) throw_unsupported("file URI with a host: " + uri);
    rest.remove_prefix(path);
  }
  if (!rest.starts_with('/')) throw_unsupported("relative file URI: " + uri);
  return percent_decode(rest);
}

LocalFile::LocalFile(const std::string& uri) : uri_(uri) {
  descriptor_ = ::open(local_path(uri).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw_unsupported("can't open " + uri_ + ": " + std::strerror(errno));
}

LocalFile::LocalFile(LocalFile&& other) noexcept
    : uri_(std::move(other.uri_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LocalFile& LocalFile::operator=(LocalFile&& other) noexcept {
  std::swap(uri_, other.uri_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

LocalFile::~LocalFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LocalFile::fail(const char* what) const {
  throw_unsupported(std::string(what) + " " + uri_ + ": " + std::strerror(errno));
}

FileIdentity LocalFile::identity() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) fail("can't examine");
  return {status.st_size, int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec, status.st_ino};
}

void LocalFile::read(int64_t offset, int64_t num_bytes, uint8_t* to) const {
  while (num_bytes > 0) {
    const ssize_t n = ::pread(descriptor_, to, static_cast<size_t>(num_bytes), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("can't read");
    if (n == 0) {
      throw unread_file(uri_, "can't read " + uri_ + ": it ends before byte " + std::to_string(offset + num_bytes));
    }
    offset += n;
    to += n;
    num_bytes -= n;
  }
}

}  // namespace accelerant::io
