#pragma once

#include "base/error.h"
#include "memory/budget.h"
#include "spill/file_system.h"
#include "spill/write_rates.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::spill {

class SpillFile;

/// Where spill files lie, and how much of them there may be.
struct SpillSettings {
  std::vector<std::string> folders;                  ///< none: that of the system's temporary files
  int64_t limit_bytes = memory::Budget::kUnlimited;  ///< of all files together
  bool encrypted = false;                            ///< nothing may be written in the clear
};

/// Thrown where there is no file to be had for what memory is too short for.
class SpillRefused final : public Error {
 public:
  explicit SpillRefused(std::string message);
};

/// The folders in which a process makes spill files. They are used in turns; one that fails is left alone for a while.
/// Any thread.
class SpillFolders {
 public:
  explicit SpillFolders(SpillSettings settings, FileSystem& system = local_file_system());

  /// Sets other settings for files to come.
  void configure(SpillSettings settings);
  /// Opens a new file.
  /// @param owner whose error it is, e.g. "Sort (plan node 3)"
  /// @throws SpillRefused naming what is wrong with each folder
  std::shared_ptr<SpillFile> create(const std::string& owner);
  /// Returns memory that lies in a new file. Freed by any thread.
  /// @throws SpillRefused as `create`, also where the limit is met, or files are encrypted
  std::shared_ptr<uint8_t> map(int64_t num_bytes, const std::string& owner);
  /// Throws where no file can be made, as `create` does.
  void check(const std::string& owner) const;
  /// Says whether `check` throws nothing.
  bool has_any() const;
  /// Throws the SpillRefused of an owner that can't spill.
  [[noreturn]] static void refuse(const std::string& owner, const std::string& why);
  /// Leaves a folder alone for a while.
  void give_up(const std::string& folder, const std::string& reason);
  /// Returns the bytes of all files that are open.
  int64_t used_bytes() const;

 private:
  struct Folder {
    std::string path;
    std::shared_ptr<WriteRates> rates = std::make_shared<WriteRates>();
    std::string failure = {};  ///< empty: none
    std::chrono::steady_clock::time_point failed_at = {};
  };

  static bool may_be_tried(const Folder& folder);
  /// Returns the next folder that may be tried; nullopt: there is none.
  std::optional<Folder> next_folder();
  /// Returns what `use` makes of a new file in the next folder that may be tried, and in further ones as long as it
  /// returns an errno.
  template <class Use>
  auto in_new_file(const std::string& owner, const Use& use);
  std::string failures() const;

  FileSystem& system_;
  mutable std::mutex mutex_;
  std::atomic<bool> encrypted_{false};
  std::vector<Folder> folders_;
  size_t next_ = 0;
  std::shared_ptr<memory::Budget> quota_;
};

/// Returns the folders of the process, which a host configures once.
SpillFolders& process_folders();

}  // namespace accelerant::spill
