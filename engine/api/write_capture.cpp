#include "api/write_capture.h"

#include "api/captured_files.h"
#include "base/error.h"
#include "functions/hash/xx_hash64.h"
#include "plan/capture.h"
#include "plan/splits_message.h"
#include "plan/varint.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

namespace accelerant::api {

namespace {

std::string hex(uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016lx", number);
  return digits;
}

void append_text(std::string_view text, std::vector<uint8_t>& to) {
  plan::append_varint(text.size(), to);
  to.insert(to.end(), text.begin(), text.end());
}

std::string_view text_of(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string hash_of(const plan::MessageSplit& split) {
  try {
    return hex(tail_hash(PathMap({}).local(split.path), split.file_size));
  } catch (const Error&) {
    return "-";
  }
}

/// Returns a line for each file.
std::string lines_of_files(std::span<const uint8_t> splits) {
  const plan::SplitsMessage message = plan::decode_splits(splits);
  std::set<std::string_view> seen;
  std::string lines;
  for (const plan::MessageScan& scan : message.scans) {
    for (const auto& partition : scan.partitions) {
      for (const plan::MessageSplit& split : partition) {
        if (!seen.insert(split.path).second) continue;
        lines += plan::escape(split.path) + '\t' + std::to_string(split.file_size) + '\t' +
                 std::to_string(split.modification_millis) + '\t' + hash_of(split) + '\n';
      }
    }
  }
  return lines;
}

/// A file that has its name once all is written.
class PartialFile {
 public:
  explicit PartialFile(const std::string& folder) : path_(folder + "/query-XXXXXX.partial") {
    constexpr int kSuffixLength = sizeof ".partial" - 1;
    file_ = ::mkstemps(path_.data(), kSuffixLength);
    if (file_ < 0) fail(folder);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    if (file_ >= 0) ::close(file_);
    if (!is_named_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail(path_);
      if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  /// Ends the file.
  void rename(const std::string& path) {
    if (::close(std::exchange(file_, -1)) != 0) fail(path_);
    if (::rename(path_.c_str(), path.c_str()) != 0) fail(path);
    is_named_ = true;
  }

 private:
  [[noreturn]] static void fail(const std::string& path) {
    const int number = errno;
    throw Error(ErrorKind::Resource,
                "a query can't be captured: " + path + " can't be written: " + std::strerror(number));
  }

  std::string path_;
  int file_ = -1;
  bool is_named_ = false;
};

}  // namespace

void write_capture(const std::string& folder, std::string_view execution, const CaptureSections& sections) {
  const std::string files = lines_of_files(sections.splits);
  const std::pair<std::string_view, std::string_view> all[] = {{"plan", text_of(sections.plan)},
                                                               {"splits", text_of(sections.splits)},
                                                               {"options", sections.options},
                                                               {"settings", sections.settings},
                                                               {"files", files},
                                                               {"answer", sections.answer},
                                                               {"end", ""}};
  std::vector<uint8_t> bytes(plan::kCaptureMagic.begin(), plan::kCaptureMagic.end());
  plan::append_varint(plan::kCaptureVersion, bytes);
  for (const auto& [name, content] : all) {
    append_text(name, bytes);
    append_text(content, bytes);
  }
  std::error_code ignored;  // The file tells.
  std::filesystem::create_directories(folder, ignored);
  PartialFile file(folder);
  file.write(text_of(bytes));
  const auto plan_bytes = static_cast<int64_t>(sections.plan.size());
  const uint64_t hash = functions::xx_hash64_bytes(reinterpret_cast<const char*>(sections.plan.data()), plan_bytes, 0);
  file.rename(folder + "/query-" + std::string(execution) + "-" + hex(hash) + ".accq");
}

}  // namespace accelerant::api
