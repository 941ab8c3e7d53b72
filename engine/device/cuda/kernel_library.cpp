#include "device/cuda/kernel_library.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace accelerant::device::cuda {

namespace fs = std::filesystem;

namespace {

/// Ends a program that has machine code attached. Before it stands where its index begins, which reaches as far as
/// that: lines of "NAME OFFSET SIZE".
constexpr char kMark[] = "ACCKERN1";
constexpr int64_t kMarkBytes = 8;
constexpr int64_t kEndBytes = 2 * kMarkBytes;

std::string read_piece(std::ifstream& file, int64_t offset, int64_t size) {
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(offset);
  file.read(bytes.data(), size);
  return file ? bytes : "";
}

}  // namespace

std::optional<KernelLibrary> KernelLibrary::attached_to(const fs::path& program) {
  std::ifstream file(program, std::ios::binary | std::ios::ate);
  const int64_t size = file ? static_cast<int64_t>(file.tellg()) : 0;
  if (size < kEndBytes) return std::nullopt;
  const std::string end = read_piece(file, size - kEndBytes, kEndBytes);
  if (!end.ends_with(kMark)) return std::nullopt;
  int64_t begin = 0;
  std::memcpy(&begin, end.data(), sizeof begin);
  if (begin < 0 || begin > size - kEndBytes) return std::nullopt;
  std::istringstream index(read_piece(file, begin, size - kEndBytes - begin));
  KernelLibrary library(program);
  std::string name;
  Piece piece{};
  while (index >> name >> piece.offset >> piece.size) {
    if (piece.offset < 0 || piece.size < 0 || piece.offset > begin - piece.size) return std::nullopt;
    library.pieces_[name] = piece;
  }
  if (library.pieces_.empty()) return std::nullopt;
  return library;
}

std::optional<std::vector<uint8_t>> KernelLibrary::find(const std::string& name, int32_t architecture) const {
  for (int32_t built = architecture; built >= architecture - architecture % 10; --built) {
    std::vector<uint8_t> code = read(name + ".sm_" + std::to_string(built) + ".cubin");
    if (!code.empty()) return code;
  }
  return std::nullopt;
}

std::vector<uint8_t> KernelLibrary::read(const std::string& name) const {
  if (pieces_.empty()) {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  const auto found = pieces_.find(name);
  if (found == pieces_.end()) return {};
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes = read_piece(file, found->second.offset, found->second.size);
  return {bytes.begin(), bytes.end()};
}

}  // namespace accelerant::device::cuda
