#include "api/captured_files.h"

#include "base/error.h"
#include "functions/hash/xx_hash64.h"
#include "io/local_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace accelerant::api {

namespace {

constexpr int64_t kTrailerBytes = 8;
constexpr int64_t kOtherTailBytes = 8192;

[[noreturn]] void throw_unusable_file(std::string message) { throw Error(ErrorKind::User, std::move(message)); }

/// Returns the bytes of a Parquet footer with its trailer, or of the end of any other file.
int64_t tail_bytes(const io::LocalFile& file, int64_t size_bytes) {
  const int64_t otherwise = std::min(kOtherTailBytes, size_bytes);
  if (size_bytes < kTrailerBytes) return otherwise;
  uint8_t trailer[kTrailerBytes];
  file.read(size_bytes - kTrailerBytes, kTrailerBytes, trailer);
  const bool parquet = std::memcmp(trailer + 4, "PAR1", 4) == 0 || std::memcmp(trailer + 4, "PARE", 4) == 0;
  uint32_t footer = 0;
  std::memcpy(&footer, trailer, sizeof footer);
  const int64_t bytes = footer + kTrailerBytes;
  return parquet && bytes <= size_bytes ? bytes : otherwise;
}

void check_file(const plan::CapturedFile& captured, const std::string& path) {
  int64_t size = 0;
  try {
    size = io::LocalFile(path).identity().size_bytes;
  } catch (const Error& error) {
    throw_unusable_file(path + ", captured as " + captured.path + ", can't be read (" + error.message() +
                        "); --map OLD=NEW says where the files are");
  }
  if (size != captured.size_bytes) {
    throw_unusable_file(path + " has changed since the capture: it had " + std::to_string(captured.size_bytes) +
                        " bytes, now it has " + std::to_string(size));
  }
  if (captured.tail_hash && tail_hash(path, size) != *captured.tail_hash) {
    throw_unusable_file(path + " has changed since the capture: its size is the same, its footer is not");
  }
}

}  // namespace

PathMap::PathMap(std::vector<std::pair<std::string, std::string>> prefixes) : prefixes_(std::move(prefixes)) {
  for (auto& [from, to] : prefixes_) {
    if (from.starts_with("file:")) from = io::local_path(from);
    if (to.starts_with("file:")) to = io::local_path(to);
  }
}

std::string PathMap::local(std::string_view captured) const {
  const std::string uri(captured);
  for (const auto& [from, to] : prefixes_) {
    const bool remote = !from.starts_with('/') && uri.starts_with(from);
    if (remote) return to + uri.substr(from.size());
  }
  const std::string path = io::local_path(uri);
  for (const auto& [from, to] : prefixes_) {
    if (path.starts_with(from)) return to + path.substr(from.size());
  }
  return path;
}

uint64_t tail_hash(const std::string& path, int64_t size_bytes) {
  const io::LocalFile file(path);
  std::vector<uint8_t> tail(static_cast<size_t>(tail_bytes(file, size_bytes)));
  if (!tail.empty())
    file.read(size_bytes - static_cast<int64_t>(tail.size()), static_cast<int64_t>(tail.size()), tail.data());
  return functions::xx_hash64_bytes(reinterpret_cast<const char*>(tail.data()), static_cast<int64_t>(tail.size()), 0);
}

void check_files(const std::vector<plan::CapturedFile>& files, const PathMap& paths) {
  for (const plan::CapturedFile& file : files) check_file(file, paths.local(file.path));
}

std::vector<uint8_t> read_file(const std::string& path) {
  try {
    const io::LocalFile file(std::filesystem::absolute(path).string());
    std::vector<uint8_t> bytes(static_cast<size_t>(file.identity().size_bytes));
    if (!bytes.empty()) file.read(0, static_cast<int64_t>(bytes.size()), bytes.data());
    return bytes;
  } catch (const Error&) {
    throw_unusable_file(path + " can't be read");
  }
}

}  // namespace accelerant::api
