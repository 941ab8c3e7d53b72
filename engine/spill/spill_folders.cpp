#include "spill/spill_folders.h"

#include "base/error.h"
#include "spill/encrypted_file.h"
#include "spill/spill_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <variant>

namespace accelerant::spill {

namespace {

/// How long a folder that failed is left alone: a disk that was full may have room again.
constexpr std::chrono::seconds kPause{30};

std::string temporary_folder() {
  const char* set = std::getenv("TMPDIR");
  return set && *set ? set : "/tmp";
}

constexpr const char* kAdvice = "set spark.local.dir to folders with room, or spark.accelerant.memory.limit higher";

}  // namespace

SpillFolders::SpillFolders(SpillSettings settings, FileSystem& system) : system_(system) {
  configure(std::move(settings));
}

void SpillFolders::configure(SpillSettings settings) {
  if (settings.folders.empty()) settings.folders.push_back(temporary_folder());
  const std::lock_guard lock(mutex_);
  folders_.clear();
  for (std::string& path : settings.folders) folders_.push_back({.path = std::move(path)});
  next_ = 0;
  encrypted_ = settings.encrypted;
  if (quota_) {
    quota_->set_limit_bytes(settings.limit_bytes);
  } else {
    quota_ = std::make_shared<memory::Budget>("spill files", settings.limit_bytes, nullptr,
                                              "set spark.accelerant.spill.limit higher");
  }
}

bool SpillFolders::may_be_tried(const Folder& folder) {
  return folder.failure.empty() || std::chrono::steady_clock::now() - folder.failed_at > kPause;
}

std::optional<SpillFolders::Folder> SpillFolders::next_folder() {
  const std::lock_guard lock(mutex_);
  for (size_t tried = 0; tried < folders_.size(); ++tried) {
    const Folder& folder = folders_[next_++ % folders_.size()];
    if (may_be_tried(folder)) return folder;
  }
  return std::nullopt;
}

std::string SpillFolders::failures() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const Folder& folder : folders_) text += folder.path + ": " + folder.failure + "; ";
  return text;
}

SpillRefused::SpillRefused(std::string message) : Error(ErrorKind::Resource, std::move(message)) {
  with_class(memory::kOutOfBudget);
}

void SpillFolders::refuse(const std::string& owner, const std::string& why) {
  throw SpillRefused("out of memory: " + owner + " has to spill and can't: " + why);
}

bool SpillFolders::has_any() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(folders_, may_be_tried);
}

void SpillFolders::check(const std::string& owner) const {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::any_of(folders_, may_be_tried)) return;
  }
  refuse(owner, failures() + kAdvice);
}

template <class Use>
auto SpillFolders::in_new_file(const std::string& owner, const Use& use) {
  for (auto folder = next_folder(); folder; folder = next_folder()) {
    auto opened = system_.open_nameless(folder->path);
    int failed = 0;
    if (auto* file = std::get_if<std::unique_ptr<File>>(&opened)) {
      auto used = use(std::move(*file), *folder);
      if (used.index() == 0) return std::get<0>(std::move(used));
      failed = std::get<int>(used);
    } else {
      failed = std::get<int>(opened);
    }
    give_up(folder->path, std::strerror(failed));
  }
  refuse(owner, failures() + kAdvice);
}

std::shared_ptr<SpillFile> SpillFolders::create(const std::string& owner) {
  using Made = std::variant<std::shared_ptr<SpillFile>, int>;
  return in_new_file(owner, [&](std::unique_ptr<File> file, const Folder& folder) -> Made {
    if (encrypted_) file = encrypted(std::move(file));
    return std::make_shared<SpillFile>(std::move(file), folder.path, owner, quota_, folder.rates);
  });
}

std::shared_ptr<uint8_t> SpillFolders::map(int64_t num_bytes, const std::string& owner) {
  if (encrypted_) refuse(owner, "memory in files can't be encrypted, as spark.io.encryption.enabled asks");
  if (!quota_->try_reserve(num_bytes)) refuse(owner, limit_is_met(*quota_));
  auto charged = std::make_shared<memory::Reservation>(memory::Reservation::of_reserved(quota_, num_bytes));
  std::shared_ptr<uint8_t> mapped =
      in_new_file(owner, [&](const std::unique_ptr<File>& file, const Folder&) { return file->map(num_bytes); });
  uint8_t* const memory = mapped.get();
  // Who refers to it weakly keeps neither.
  return {memory, [mapped = std::move(mapped), charged = std::move(charged)](uint8_t*) mutable {
            mapped.reset();
            charged.reset();
          }};
}

void SpillFolders::give_up(const std::string& folder, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  for (Folder& known : folders_) {
    if (known.path != folder) continue;
    known.failure = reason;
    known.failed_at = std::chrono::steady_clock::now();
  }
}

int64_t SpillFolders::used_bytes() const { return quota_->used_bytes(); }

SpillFolders& process_folders() {
  static auto* folders = new SpillFolders({});
  return *folders;
}

}  // namespace accelerant::spill
