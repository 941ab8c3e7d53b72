#pragma once

#include "device/cuda/driver.h"
#include "device/cuda/driver_functions.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// A driver for tests, whose memory is the host's and which does all work at once. It runs no kernels but writes down
/// what was called. There is one in a process: the driver's functions have no place for a state of their own.
namespace accelerant::device::cuda::test {

struct DriverState {
  int32_t architecture = 90;
  size_t free_bytes = 1 << 20;
  Status status_of_allocate = 0;
  Status status_of_allocate_on_host = 0;
  Status status_of_free_on_host = 0;
  Status status_of_synchronize = 0;
  std::vector<std::string> calls;
  std::vector<uint8_t> launched_arguments;
  uint32_t launched_threads = 0;
  std::map<Address, void*> memory;
  int64_t num_slabs = 0;  ///< of pinned memory
};

inline DriverState& state() {
  static DriverState state;
  return state;
}

inline Status note(std::string call, Status status = 0) {
  state().calls.push_back(std::move(call));
  return status;
}

/// Whether the calling thread has a context, without which the driver does nothing on the GPU.
inline bool& has_context() {
  thread_local bool has = false;
  return has;
}

/// Notes a call that needs one.
inline Status note_in_context(const std::string& call, Status status = 0) {
  constexpr Status kInvalidContext = 201;
  return has_context() ? note(call, status) : note(call + " without a context", kInvalidContext);
}

/// Handles are told apart by their first letter.
inline Handle handle(const char* of) { return const_cast<char*>(of); }
inline std::string shown(Handle handle) { return handle == nullptr ? "none" : static_cast<const char*>(handle); }

inline Status get_attribute(int32_t* value, int32_t attribute, int32_t) {
  *value = attribute == 75 ? state().architecture / 10 : state().architecture % 10;
  return 0;
}

inline Status get_function(Handle* function, Handle, const char* name) {
  if (std::string(name) != "known_kernel") return 500;
  *function = handle("kernel");
  return 0;
}

inline Status allocate(Address* address, size_t bytes, Handle stream) {
  if (state().status_of_allocate != 0) return state().status_of_allocate;
  void* const memory = std::malloc(bytes);
  *address = reinterpret_cast<Address>(memory);
  state().memory[*address] = memory;
  return note_in_context("allocate " + std::to_string(bytes) + " on " + shown(stream));
}

inline Status free(Address address, Handle stream) {
  const Status status = note_in_context("free on " + shown(stream));
  if (status != 0) return status;
  std::free(state().memory.at(address));
  state().memory.erase(address);
  return 0;
}

inline Status allocate_on_host(void** memory, size_t bytes, uint32_t) {
  const Status status = state().status_of_allocate_on_host;
  if (status == 0) *memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (status == 0) ++state().num_slabs;
  return note_in_context("pin " + std::to_string(bytes), status);
}

/// The memory is gone even where that fails, as after a failure of the GPU.
inline Status free_on_host(void* memory) {
  std::free(memory);
  --state().num_slabs;
  return note_in_context("unpin", state().status_of_free_on_host);
}

inline Status copy_to_device(Address to, const void* from, size_t bytes, Handle) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return note_in_context("copy to device");
}

inline Status copy_to_host(void* to, Address from, size_t bytes, Handle) {
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return note_in_context("copy to host");
}

inline Status copy_on_device(Address to, Address from, size_t bytes, Handle) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return note_in_context("copy on device");
}

inline Status fill(Address to, unsigned char value, size_t bytes, Handle) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return note_in_context("fill");
}

/// What the driver's launch takes: function; blocks, threads and bytes of shared memory; stream; arguments; none.
using LaunchParameters =
    std::tuple<Handle, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, Handle, void**, void**>;

inline Status launch(const LaunchParameters& launched) {
  state().launched_threads = std::get<4>(launched);
  const auto* arguments = static_cast<const uint8_t*>(std::get<9>(launched)[0]);
  state().launched_arguments.assign(arguments, arguments + sizeof(int64_t));
  return note_in_context("launch " + shown(std::get<0>(launched)) + " of " + std::to_string(std::get<1>(launched)) +
                         " on " + shown(std::get<8>(launched)));
}

/// The driver's launch, which takes them one by one.
template <class Parameters>
struct Launch;
template <class... Parameters>
struct Launch<std::tuple<Parameters...>> {
  static Status call(Parameters... parameters) { return launch({parameters...}); }
};

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

template <class... Parameters>
void* succeeding() {
  return address_of(+[](Parameters...) -> Status { return 0; });
}

/// Returns the functions of a driver with one GPU, by name.
inline std::map<std::string, void*> functions() {
  return {
      {"cuGetErrorString", address_of(+[](Status, const char** text) -> Status {
         *text = "it was told to fail";
         return 0;
       })},
      {"cuDeviceGet", succeeding<int32_t*, int32_t>()},
      {"cuDeviceGetName", address_of(+[](char* name, int32_t, int32_t) -> Status {
         std::strcpy(name, "Test GPU");
         return 0;
       })},
      {"cuDeviceGetAttribute", address_of(get_attribute)},
      {"cuDeviceGetDefaultMemPool", succeeding<Handle*, int32_t>()},
      {"cuMemPoolSetAttribute", succeeding<Handle, int32_t, void*>()},
      {"cuDevicePrimaryCtxRetain", address_of(+[](Handle* context, int32_t) -> Status {
         *context = handle("context");
         return note("retain context");
       })},
      {"cuDevicePrimaryCtxRelease_v2", address_of(+[](int32_t) -> Status { return note("release context"); })},
      {"cuCtxSetCurrent", address_of(+[](Handle context) -> Status {
         has_context() = context != nullptr;
         return 0;
       })},
      {"cuMemGetInfo_v2", address_of(+[](size_t* free, size_t* all) -> Status {
         *free = state().free_bytes;
         *all = 2 * state().free_bytes;
         return 0;
       })},
      {"cuModuleLoadData", address_of(+[](Handle* module, const void*) -> Status {
         *module = handle("module");
         return note_in_context("load module");
       })},
      {"cuModuleUnload", address_of(+[](Handle) -> Status { return note_in_context("unload module"); })},
      {"cuModuleGetFunction", address_of(get_function)},
      {"cuStreamCreate", address_of(+[](Handle* stream, uint32_t) -> Status {
         *stream = handle("stream");
         return 0;
       })},
      {"cuStreamDestroy_v2", address_of(+[](Handle) -> Status { return note_in_context("destroy stream"); })},
      {"cuStreamSynchronize",
       address_of(+[](Handle) -> Status { return note_in_context("synchronize", state().status_of_synchronize); })},
      {"cuStreamWaitEvent", address_of(+[](Handle stream, Handle event, uint32_t) -> Status {
         return note_in_context(shown(stream) + " waits for " + shown(event));
       })},
      {"cuEventCreate", address_of(+[](Handle* event, uint32_t) -> Status {
         *event = handle("event");
         return 0;
       })},
      {"cuEventDestroy_v2", address_of(+[](Handle) -> Status { return note_in_context("destroy event"); })},
      {"cuEventRecord", address_of(+[](Handle event, Handle stream) -> Status {
         return note_in_context("record " + shown(event) + " on " + shown(stream));
       })},
      {"cuMemAllocAsync", address_of(allocate)},
      {"cuMemFreeAsync", address_of(free)},
      {"cuMemHostAlloc", address_of(allocate_on_host)},
      {"cuMemFreeHost", address_of(free_on_host)},
      {"cuMemcpyHtoDAsync_v2", address_of(copy_to_device)},
      {"cuMemcpyDtoHAsync_v2", address_of(copy_to_host)},
      {"cuMemcpyDtoDAsync_v2", address_of(copy_on_device)},
      {"cuMemsetD8Async", address_of(fill)},
      {"cuLaunchKernel", address_of(Launch<LaunchParameters>::call)},
  };
}

/// Returns a driver of these functions.
inline CudaDriver driver_of(std::map<std::string, void*> functions) {
  const auto find = [functions = std::move(functions)](const char* name) {
    const auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
  };
  return {find, 13'050, 1};
}

}  // namespace accelerant::device::cuda::test
