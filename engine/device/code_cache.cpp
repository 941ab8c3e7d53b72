#include "device/code_cache.h"

#define XXH_INLINE_ALL
#include "base/error.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace accelerant::device {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".code";

using Digest = std::array<uint8_t, sizeof(XXH128_canonical_t)>;

Digest digest_of(std::span<const uint8_t> bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Digest digest;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), digest.begin());
  return digest;
}

std::string in_hexadecimal(const Digest& digest) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw Error(ErrorKind::Resource, "folder " + folder.string() + " can't keep machine code: " + why);
}

void check_owner(const fs::path& folder) {
  struct stat found;
  if (lstat(folder.c_str(), &found) != 0) refuse(folder, std::strerror(errno));
  if (!S_ISDIR(found.st_mode)) refuse(folder, "it is no folder");
  if (found.st_uid != geteuid()) refuse(folder, "it belongs to somebody else");
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) refuse(folder, "others may write to it");
}

}  // namespace

CodeCache::CodeCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (folder_.has_parent_path()) fs::create_directories(folder_.parent_path(), error);
  if (mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) refuse(folder_, std::strerror(errno));
  check_owner(folder_);
}

std::optional<std::vector<uint8_t>> CodeCache::find(const CodeKey& key) const {
  const fs::path path = file_of(key);
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Digest digest;
  if (content.size() < digest.size()) return std::nullopt;
  std::copy_n(content.begin(), digest.size(), digest.begin());
  content.erase(content.begin(), content.begin() + static_cast<ptrdiff_t>(digest.size()));
  if (digest != digest_of(content)) return std::nullopt;
  std::error_code error;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return content;
}

void CodeCache::keep(const CodeKey& key, std::span<const uint8_t> code) const {
  const fs::path path = file_of(key);
  // Nobody sees a file before it is complete.
  fs::path unfinished = path;
  unfinished += "." + std::to_string(getpid()) + "." + std::to_string(reinterpret_cast<uintptr_t>(code.data()));
  const Digest digest = digest_of(code);
  std::ofstream file(unfinished, std::ios::binary);
  file.write(reinterpret_cast<const char*>(digest.data()), static_cast<std::streamsize>(digest.size()));
  file.write(reinterpret_cast<const char*>(code.data()), static_cast<std::streamsize>(code.size()));
  file.close();
  std::error_code error;
  if (file) fs::rename(unfinished, path, error);
  if (!file || error) fs::remove(unfinished, error);
  drop_oldest();
}

fs::path CodeCache::file_of(const CodeKey& key) const {
  std::string parts;
  for (const std::string* part : {&key.source, &key.options, &key.compiler}) {
    parts += std::to_string(part->size()) + ":" + *part;
  }
  const std::span bytes(reinterpret_cast<const uint8_t*>(parts.data()), parts.size());
  return folder_ / (in_hexadecimal(digest_of(bytes)) + kEnding);
}

void CodeCache::drop_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const fs::file_time_type time = entry.last_write_time(error);
    // Another process may have removed it by now.
    if (!error) files.emplace_back(time, entry.path());
  }
  if (files.size() <= kMostFiles) return;
  std::ranges::sort(files);
  files.resize(files.size() - kMostFiles);
  for (const auto& [time, path] : files) fs::remove(path, error);
}

}  // namespace accelerant::device
