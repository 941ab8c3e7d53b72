#include "codegen/fused_rows.h"

#include "base/why_unsupported.h"
#include "codegen/row_pass.h"
#include "device/primitives/exclusive_scan.h"
#include "device/primitives/gather.h"
#include "device/primitives/gather_strings.h"

#include <algorithm>
#include <utility>

namespace accelerant::codegen {

using device::ColumnLayout;
using device::DeviceBatch;
using device::DeviceBuffer;
using device::DeviceColumn;
using device::MemoryBound;
using types::PhysicalType;

namespace {

using BufferPtr = std::shared_ptr<DeviceBuffer>;

/// Says whether an output is copied as it is, string by string or code by code.
bool is_copied(const RowOutput& output) { return output.type.physical() == PhysicalType::String; }

/// Returns the positions of the outputs that a kernel makes.
std::vector<int> made_outputs(const std::vector<RowOutput>& outputs) {
  std::vector<int> made;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!is_copied(outputs[i])) {
      made.push_back(static_cast<int>(i));
    } else if (!outputs[i].input) {
      throw_unsupported("a column of strings that are computed");
    }
  }
  return made;
}

struct RowKernels {
  std::optional<RowKernel> filter;  ///< finds the rows that are kept; nullopt: all are
  RowKernel maker;                  ///< makes their columns
};

RowKernels make_kernels(const RowSteps& steps) {
  RowKernels kernels;
  if (has_filter(steps)) kernels.filter = make_filter_kernel(steps);
  kernels.maker = make_output_kernel(steps, made_outputs(make_row_text(steps, RowPart::Outputs, {}).outputs));
  return kernels;
}

}  // namespace

struct FusedRows::Impl {
  RowKernels kernels;
  KernelCompiler& compiler;
  std::shared_ptr<const CompiledKernel> compiled_filter;
  std::shared_ptr<const CompiledKernel> compiled_maker;
};

namespace {

/// Makes the columns of the rows that a pass keeps.
class Maker {
 public:
  Maker(device::DeviceStream& stream, const DeviceBatch& batch, RowPass& pass)
      : stream_(stream), batch_(batch), pass_(pass) {}

  /// Returns what `make` allocates: for n rows that are kept, w n for values of width w, 4 n for codes, 12 n and the
  /// batch's bytes for other strings, and a bit a row.
  MemoryBound bound(const RowKernel& kernel) const {
    MemoryBound bound;
    bound.add(DeviceConstants::bytes_of(kernel.constants));
    for (const RowOutput& output : kernel.outputs) {
      bound.add(device::bitmap_bytes(pass_.num_rows()));
      if (!is_copied(output)) {
        bound.add(pass_.num_rows(), types::width_of(output.type.physical()));
      } else if (pass_.rows() != nullptr) {
        bound += copy_bound(batch_.columns[static_cast<size_t>(*output.input)]);
      }
    }
    return bound;
  }

  /// Nullopt where a row is in error.
  std::optional<DeviceBatch> make(const RowKernel& kernel, const device::KernelEntry& entry) {
    const DeviceConstants constants(stream_, kernel.constants);
    DeviceBatch made;
    made.num_rows = pass_.num_rows();
    std::vector<OutputView> views;
    for (const RowOutput& output : kernel.outputs) {
      made.columns.push_back(is_copied(output) ? copy(output) : prepare(output));
      if (!is_copied(output)) views.push_back(output_view(made.columns.back()));
    }
    if (made.num_rows > 0 && !views.empty()) {
      launch_rows(stream_, {kernel, entry, pass_.arguments(), batch_, views, constants});
    }
    if (!pass_.is_sound()) return std::nullopt;
    return made;
  }

 private:
  /// Allocates a byte at least: there may be no rows, or none but empty strings.
  DeviceBuffer reserve(int64_t bytes) { return {stream_, std::max<int64_t>(bytes, 1)}; }
  BufferPtr allocate(int64_t bytes) { return std::make_shared<DeviceBuffer>(reserve(bytes)); }

  MemoryBound copy_bound(const DeviceColumn& column) const {
    const int64_t n = pass_.num_rows();
    MemoryBound bound;
    bound.add(n, sizeof(int32_t));  // codes, or sizes
    if (column.layout == ColumnLayout::Codes) return bound;
    bound.add(n + 1, sizeof(int64_t));
    bound.add(device::exclusive_scan_workspace_bytes(n));
    bound.add(column.bytes->size_bytes());
    bound.add(device::gather_strings_workspace_bytes(column.bytes->size_bytes()));
    return bound;
  }

  DeviceColumn prepare(const RowOutput& output) {
    DeviceColumn column{output.type, output.type.physical(), ColumnLayout::Fixed, nullptr, nullptr, nullptr, nullptr,
                        nullptr};
    column.values = allocate(pass_.num_rows() * types::width_of(column.physical));
    if (output.nullable) column.validity = allocate(device::bitmap_bytes(pass_.num_rows()));
    return column;
  }

  static OutputView output_view(const DeviceColumn& column) {
    return {column.values->as<void>(), column.validity ? column.validity->as<uint32>() : nullptr};
  }

  /// Copies the strings of an input column, or their codes.
  DeviceColumn copy(const RowOutput& output) {
    DeviceColumn column = batch_.columns[static_cast<size_t>(*output.input)];
    column.type = output.type;
    if (pass_.rows() == nullptr) return column;
    if (column.validity) {
      const BufferPtr validity = allocate(device::bitmap_bytes(pass_.num_rows()));
      device::gather_bits(stream_, column.validity->as<const uint8_t>(), pass_.rows(), pass_.num_rows(),
                          validity->as<uint32_t>());
      column.validity = validity;
    }
    if (column.layout == ColumnLayout::Codes) {
      const BufferPtr codes = allocate(pass_.num_rows() * static_cast<int64_t>(sizeof(int32_t)));
      device::gather(stream_, sizeof(int32_t), column.values->as<void>(), pass_.rows(), pass_.num_rows(),
                     codes->as<void>());
      column.values = codes;
    } else {
      copy_strings(column);
    }
    return column;
  }

  void copy_strings(DeviceColumn& column) {
    const DeviceBuffer sizes = reserve(pass_.num_rows() * static_cast<int64_t>(sizeof(int32_t)));
    const BufferPtr offsets = allocate((pass_.num_rows() + 1) * static_cast<int64_t>(sizeof(int64_t)));
    const DeviceBuffer scan_workspace = reserve(device::exclusive_scan_workspace_bytes(pass_.num_rows()));
    device::string_sizes(stream_, column.offsets->as<const int64_t>(), pass_.rows(), pass_.num_rows(),
                         sizes.as<int32_t>());
    device::exclusive_scan(stream_, sizes.as<const int32_t>(), pass_.num_rows(), offsets->as<int64_t>(),
                           scan_workspace.as<void>());
    int64_t num_bytes = 0;
    stream_.copy_to_host(&num_bytes, offsets->as<int64_t>() + pass_.num_rows(), sizeof num_bytes);
    stream_.synchronize();
    const BufferPtr bytes = allocate(device::whole_words(num_bytes));
    const DeviceBuffer workspace = reserve(device::gather_strings_workspace_bytes(num_bytes));
    device::gather_strings(stream_,
                           {column.offsets->as<const int64_t>(), column.bytes->as<const uint8_t>(), pass_.rows(),
                            pass_.num_rows(), offsets->as<const int64_t>(), num_bytes, bytes->as<uint8_t>()},
                           workspace.as<void>());
    column.offsets = offsets;
    column.bytes = bytes;
  }

  device::DeviceStream& stream_;
  const DeviceBatch& batch_;
  RowPass& pass_;
};

}  // namespace

FusedRows::FusedRows(const RowSteps& steps, KernelCompiler& compiler)
    : impl_(new Impl{make_kernels(steps), compiler, nullptr, nullptr}) {}

FusedRows::~FusedRows() = default;

std::optional<std::string> FusedRows::refusal_of(const RowSteps& steps) {
  return why_unsupported([&] { static_cast<void>(make_kernels(steps)); });
}

bool FusedRows::ready() {
  const auto& [filter, maker] = impl_->kernels;
  if (filter && !impl_->compiled_filter) impl_->compiled_filter = impl_->compiler.find(filter->text);
  if (!impl_->compiled_maker) impl_->compiled_maker = impl_->compiler.find(maker.text);
  return impl_->compiled_maker && (!filter || impl_->compiled_filter);
}

std::optional<DeviceBatch> FusedRows::run(device::DeviceStream& stream, const DeviceBatch& batch) {
  ACC_CHECK(ready());
  const auto& [filter, maker] = impl_->kernels;
  std::optional<device::StreamReservation> reserved(std::in_place, stream,
                                                    RowPass::bound(filter ? &*filter : nullptr, batch.num_rows));
  RowPass pass(stream, batch);
  if (filter && !pass.filter(*filter, impl_->compiled_filter->entry())) return std::nullopt;
  Maker columns(stream, batch, pass);
  reserved.reset();
  reserved.emplace(stream, columns.bound(maker));
  return columns.make(maker, impl_->compiled_maker->entry());
}

}  // namespace accelerant::codegen
