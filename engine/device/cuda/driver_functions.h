#pragma once

#include "device/cuda/shared_library.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace accelerant::device::cuda {

/// What the driver's functions return: 0 for success.
using Status = int;
inline constexpr Status kOutOfMemory = 2;

/// Memory of a GPU, as the driver has it.
using Address = uint64_t;
/// Contexts, modules, functions, streams, events and pools.
using Handle = void*;

/// Returns a function's address.
/// @throws Error Unsupported where the library has no such function
void* find_required(const FindSymbol& find, const char* name);

/// Says why a call of the driver failed, e.g. "cuMemAllocAsync failed: out of memory".
std::string describe_failure(const FindSymbol& find, const char* name, Status status);
/// Throws Error{Resource} where memory ran out, else Error{Internal}.
[[noreturn]] void fail_call(const FindSymbol& find, const char* name, Status status);

/// A function of the driver.
template <class... Parameters>
class DriverFunction {
 public:
  /// @throws Error Unsupported where the driver has no such function
  DriverFunction(const FindSymbol& find, const char* name)
      : find_(find), name_(name), function_(reinterpret_cast<Function>(find_required(find, name))) {}

  /// @throws Error as `fail_call` does
  void operator()(Parameters... arguments) const {
    const Status status = function_(arguments...);
    if (status != 0) fail_call(find_, name_, status);
  }
  /// Returns the status instead.
  Status attempt(Parameters... arguments) const { return function_(arguments...); }

 private:
  using Function = Status (*)(Parameters...);

  const FindSymbol find_;
  const char* name_;
  Function function_;
};

/// What the engine calls of the driver, each function found once. The driver keeps these names and what they take.
struct DriverFunctions {
  explicit DriverFunctions(FindSymbol in_driver) : find(std::move(in_driver)) {}

  FindSymbol find;

  DriverFunction<int32_t*, int32_t> get_device{find, "cuDeviceGet"};
  DriverFunction<char*, int32_t, int32_t> get_name{find, "cuDeviceGetName"};
  DriverFunction<int32_t*, int32_t, int32_t> get_attribute{find, "cuDeviceGetAttribute"};
  DriverFunction<Handle*, int32_t> get_default_pool{find, "cuDeviceGetDefaultMemPool"};
  DriverFunction<Handle, int32_t, void*> set_pool_attribute{find, "cuMemPoolSetAttribute"};

  DriverFunction<Handle*, int32_t> retain_context{find, "cuDevicePrimaryCtxRetain"};
  DriverFunction<int32_t> release_context{find, "cuDevicePrimaryCtxRelease_v2"};
  DriverFunction<Handle> set_current_context{find, "cuCtxSetCurrent"};
  DriverFunction<size_t*, size_t*> get_memory{find, "cuMemGetInfo_v2"};

  DriverFunction<Handle*, const void*> load_module{find, "cuModuleLoadData"};
  DriverFunction<Handle> unload_module{find, "cuModuleUnload"};
  DriverFunction<Handle*, Handle, const char*> get_function{find, "cuModuleGetFunction"};

  DriverFunction<Handle*, uint32_t> create_stream{find, "cuStreamCreate"};
  DriverFunction<Handle> destroy_stream{find, "cuStreamDestroy_v2"};
  DriverFunction<Handle> synchronize_stream{find, "cuStreamSynchronize"};
  DriverFunction<Handle, Handle, uint32_t> wait_for_event{find, "cuStreamWaitEvent"};
  DriverFunction<Handle*, uint32_t> create_event{find, "cuEventCreate"};
  DriverFunction<Handle> destroy_event{find, "cuEventDestroy_v2"};
  DriverFunction<Handle, Handle> record_event{find, "cuEventRecord"};

  DriverFunction<Address*, size_t, Handle> allocate{find, "cuMemAllocAsync"};
  DriverFunction<Address, Handle> free{find, "cuMemFreeAsync"};
  DriverFunction<Address, const void*, size_t, Handle> copy_to_device{find, "cuMemcpyHtoDAsync_v2"};
  DriverFunction<void*, Address, size_t, Handle> copy_to_host{find, "cuMemcpyDtoHAsync_v2"};
  DriverFunction<Address, Address, size_t, Handle> copy_on_device{find, "cuMemcpyDtoDAsync_v2"};
  DriverFunction<Address, unsigned char, size_t, Handle> fill{find, "cuMemsetD8Async"};

  DriverFunction<void**, size_t, uint32_t> allocate_on_host{find, "cuMemHostAlloc"};
  DriverFunction<void*> free_on_host{find, "cuMemFreeHost"};

  /// Function; blocks and threads in three dimensions; bytes of shared memory; stream; pointers to the arguments.
  DriverFunction<Handle, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, Handle, void**, void**>
      launch{find, "cuLaunchKernel"};
};

}  // namespace accelerant::device::cuda
