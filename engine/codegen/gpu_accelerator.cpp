#include "codegen/gpu_accelerator.h"

#include "base/error.h"
#include "codegen/background_compiler.h"
#include "codegen/cuda_text.h"
#include "device/code_cache.h"
#include "device/cuda/cuda_device.h"
#include "device/device_buffer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::codegen {

namespace cuda = device::cuda;

namespace {

/// A kernel that the device has loaded, which keeps its machine code.
class GpuKernel final : public CompiledKernel {
 public:
  explicit GpuKernel(const KernelText& text)
      : name_(text.name), entry_{name_.c_str(), text.num_threads, 0, 0, nullptr} {}

  const device::KernelEntry& entry() const override { return entry_; }

 private:
  const std::string name_;
  const device::KernelEntry entry_;
};

std::optional<device::CodeCache> open_cache(const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  try {
    return std::optional<device::CodeCache>(std::in_place, folder);
  } catch (const Error&) {
    return std::nullopt;
  }
}

class GpuKernelMaker final : public KernelMaker {
 public:
  /// @param device outlives this
  GpuKernelMaker(const GpuParts& parts, cuda::CudaDevice& device)
      : compiler_(parts.compiler), device_(device), kernels_(parts.kernels), cache_(open_cache(parts.cache)) {}

  std::shared_ptr<const CompiledKernel> find_kept(const KernelText& text) override {
    // A name says which text it is of.
    if (const auto known = kernels_.find(text.name, device_.architecture())) return load(text, *known);
    if (!cache_ || !compiler_) return nullptr;
    const auto code = cache_->find(key_of(cuda_program(text)));
    return code ? load(text, *code) : nullptr;
  }

  std::shared_ptr<const CompiledKernel> make(const KernelText& text) override {
    if (!compiler_) {
      throw Error(ErrorKind::Internal, kernels_.place() + " has no machine code of kernel " + text.name + " for sm_" +
                                           std::to_string(device_.architecture()) + ", and there is no NVRTC");
    }
    const cuda::CudaProgram program = cuda_program(text);
    const std::vector<uint8_t> code = cuda::compile(*compiler_, program, device_.architecture()).bytes;
    if (cache_) cache_->keep(key_of(program), code);
    return load(text, code);
  }

 private:
  device::CodeKey key_of(const cuda::CudaProgram& program) const {
    device::CodeKey key{program.source, "sm_" + std::to_string(device_.architecture()),
                        "NVRTC " + cuda::format_version(compiler_->version)};
    for (const char* option : cuda::kCompilerOptions) key.options += std::string(" ") + option;
    for (const auto& [name, text] : program.headers) key.source += "\n// " + name + "\n" + text;
    return key;
  }

  std::shared_ptr<const CompiledKernel> load(const KernelText& text, const std::vector<uint8_t>& code) {
    device_.load(code);
    return std::make_shared<GpuKernel>(text);
  }

  const std::optional<cuda::RuntimeCompiler> compiler_;
  cuda::CudaDevice& device_;
  const cuda::KernelLibrary kernels_;
  const std::optional<device::CodeCache> cache_;
};

class GpuAccelerator final : public Accelerator {
 public:
  GpuAccelerator(const GpuParts& parts, std::unique_ptr<cuda::CudaDevice> device)
      : device_(std::move(device)),
        versions_("driver for CUDA " + cuda::format_version(parts.driver.version) + ", " +
                  (parts.compiler ? "NVRTC " + cuda::format_version(parts.compiler->version) : "no NVRTC")),
        compiler_(std::make_unique<GpuKernelMaker>(parts, *device_)) {}

  const std::string& name() const override { return device_->name(); }
  std::string description() const override {
    return name() + " (sm_" + std::to_string(device_->architecture()) + "), " + versions_;
  }
  device::Device& device() override { return *device_; }
  KernelCompiler& compiler() override { return compiler_; }

 private:
  const std::unique_ptr<cuda::CudaDevice> device_;
  const std::string versions_;
  BackgroundCompiler compiler_;
};

/// A driver may have a GPU and fail at the first thing it is told to do.
void check_works(device::Device& device) {
  constexpr uint64_t kSent = 0x0123456789abcdef;
  const std::unique_ptr<device::DeviceStream> stream = device.create_stream(memory::process_budget());
  uint64_t received = 0;
  const device::DeviceBuffer buffer(*stream, sizeof kSent);
  stream->copy_to_device(buffer.as<void>(), &kSent, sizeof kSent);
  stream->copy_to_host(&received, buffer.as<void>(), sizeof received);
  stream->synchronize();
  if (received != kSent) throw Error(ErrorKind::Internal, "GPU: memory does not keep what is copied to it");
}

}  // namespace

std::variant<std::shared_ptr<Accelerator>, Unavailable> start_gpu(const GpuParts& parts) {
  auto opened = cuda::CudaDevice::open(parts.driver, 0);
  if (const auto* failure = std::get_if<cuda::Unavailable>(&opened)) return Unavailable{failure->reason};
  auto device = std::move(std::get<std::unique_ptr<cuda::CudaDevice>>(opened));
  const auto kernels = parts.kernels.find("kernels", device->architecture());
  if (!kernels) {
    return Unavailable{"no GPU is used: " + parts.kernels.place() + " has no kernels for sm_" +
                       std::to_string(device->architecture()) + "; `make gpu` compiles them"};
  }
  try {
    device->load(*kernels);
    check_works(*device);
  } catch (const Error& error) {
    return Unavailable{"no GPU is used: " + error.message()};
  }
  return std::make_shared<GpuAccelerator>(parts, std::move(device));
}

}  // namespace accelerant::codegen
