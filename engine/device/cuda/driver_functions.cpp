#include "device/cuda/driver_functions.h"

#include "base/error.h"

namespace accelerant::device::cuda {

std::string describe_failure(const FindSymbol& find, const char* name, Status status) {
  const auto describe = reinterpret_cast<Status (*)(Status, const char**)>(find("cuGetErrorString"));
  const char* text = nullptr;
  const bool has_text = describe != nullptr && describe(status, &text) == 0 && text != nullptr;
  return std::string(name) + " failed: " + (has_text ? text : "error " + std::to_string(status));
}

void fail_call(const FindSymbol& find, const char* name, Status status) {
  const ErrorKind kind = status == kOutOfMemory ? ErrorKind::Resource : ErrorKind::Internal;
  throw Error(kind, "GPU: " + describe_failure(find, name, status));
}

void* find_required(const FindSymbol& find, const char* name) {
  void* const function = find(name);
  if (function == nullptr) throw_unsupported("the NVIDIA driver has no " + std::string(name));
  return function;
}

}  // namespace accelerant::device::cuda
