#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accelerant::device {

/// What machine code is made of; the same parts make the same code.
struct CodeKey {
  std::string source;
  std::string options;   ///< of the compiler, the architecture among them
  std::string compiler;  ///< its name and version
};

/// Keeps machine code in a folder, for other processes and later ones. Only the folder's owner may write to it: who can
/// write there can run what he likes. Any thread, and any process at the same time.
class CodeCache {
 public:
  /// Makes the folder if it is not there.
  /// @throws Error Resource naming the folder, where it cannot be made, is somebody else's, or others may write to it
  explicit CodeCache(std::filesystem::path folder);

  /// Returns what was kept; nullopt where there is nothing, or it is damaged.
  std::optional<std::vector<uint8_t>> find(const CodeKey& key) const;
  /// Keeps code, and throws what was not asked for longest away where there are more than kMostFiles. A full disk is no
  /// error: then nothing is kept.
  void keep(const CodeKey& key, std::span<const uint8_t> code) const;

  static constexpr size_t kMostFiles = 2000;

 private:
  std::filesystem::path file_of(const CodeKey& key) const;
  void drop_oldest() const;

  const std::filesystem::path folder_;
};

}  // namespace accelerant::device
