#include "codegen/kernel_text.h"

#include "base/error.h"
#include "functions/hash/xx_hash64.h"

#include <cstdio>

namespace accelerant::codegen {

namespace {

/// What compiles in about a second.
constexpr size_t kMostTextBytes = 96 * 1024;

std::string name_of(const std::string& prefix, const std::string& text) {
  char digits[17];
  const uint64 hash = functions::xx_hash64_bytes(text.data(), static_cast<int64>(text.size()), 42);
  std::snprintf(digits, sizeof digits, "%016lx", hash);
  return prefix + "_" + digits;
}

}  // namespace

KernelText make_kernel_text(const std::string& prefix, const std::set<std::string>& headers, const std::string& base,
                            const std::string& body, int32_t num_threads) {
  KernelText kernel{name_of(prefix, base + body), "", num_threads};
  for (const std::string& header : headers) kernel.text += "#include \"" + header + "\"\n";
  kernel.text += "namespace accelerant::generated {\nusing namespace codegen;\nstruct " + kernel.name +
                 (base.empty() ? "" : " : " + base) + " {\n  using Kernel = " + kernel.name +
                 ";\n  static constexpr const char* kName = \"" + kernel.name + "\";\n" + body +
                 "};\n}  // namespace accelerant::generated\n";
  if (kernel.text.size() > kMostTextBytes) throw_unsupported("more expressions than a kernel takes");
  return kernel;
}

}  // namespace accelerant::codegen
