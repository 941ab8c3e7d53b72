#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::device::cuda {

/// Machine code that was compiled before, by names of files: "kernels.sm_90.cubin" has all kernels of kernels/list.h
/// for sm_90, "outputs_0123.sm_90.cubin" a kernel of a pipeline. Immutable; any thread.
class KernelLibrary {
 public:
  /// Files in a folder, which need not be there.
  explicit KernelLibrary(std::filesystem::path folder) : path_(std::move(folder)) {}
  /// Returns what scripts/make_gpu_check.py attached to a program; nullopt: nothing.
  static std::optional<KernelLibrary> attached_to(const std::filesystem::path& program);

  /// Finds the code for the latest architecture that a GPU runs: its own, and earlier ones of its major version.
  /// @param architecture of the GPU, e.g. 89 for sm_89
  /// @returns nullopt where there is none
  std::optional<std::vector<uint8_t>> find(const std::string& name, int32_t architecture) const;
  /// Says where it is, for people.
  std::string place() const { return pieces_.empty() ? "folder " + path_.string() : "this program"; }

 private:
  /// A part of a file, in bytes.
  struct Piece {
    int64_t offset;
    int64_t size;
  };

  std::vector<uint8_t> read(const std::string& file) const;

  std::filesystem::path path_;           ///< the folder, or the program
  std::map<std::string, Piece> pieces_;  ///< of a program, by names of files
};

}  // namespace accelerant::device::cuda
