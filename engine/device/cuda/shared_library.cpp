#include "device/cuda/shared_library.h"

#include <dlfcn.h>

namespace accelerant::device::cuda {

std::variant<FindSymbol, Unavailable> open_library(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Unavailable{dlerror()};
  return [library](const char* symbol) { return dlsym(library, symbol); };
}

}  // namespace accelerant::device::cuda
