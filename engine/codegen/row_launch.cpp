#include "codegen/row_launch.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>

namespace accelerant::codegen {

using types::PhysicalType;

namespace {

/// Blocks that keep the largest GPUs busy; more rows are further rounds of theirs.
constexpr int64_t kMostBlocks = 2048;

/// Of values in a list.
constexpr size_t kAlignment = 16;

size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

size_t stored_width(PhysicalType physical) { return static_cast<size_t>(types::width_of(physical)); }

/// Returns the bytes of strings of a flat column.
size_t string_bytes(const columns::Column& values) {
  size_t bytes = 0;
  for (int64_t i = 0; i < values.length(); ++i) {
    if (!values.is_null(i)) bytes += static_cast<size_t>(values.string_at(i).length);
  }
  return bytes;
}

bool is_in_memory(const RowConstant& constant) { return constant.is_list || constant.physical == PhysicalType::String; }

template <class T>
void append(std::vector<char>& bytes, const std::vector<T>& values) {
  const size_t begin = bytes.size();
  bytes.resize(begin + values.size() * sizeof(T));
  std::memcpy(bytes.data() + begin, values.data(), values.size() * sizeof(T));
}

/// Writes a value of a flat column of fixed width as `physical`, which may be wider.
void write_value(const columns::Column& values, int64_t row, PhysicalType physical, char* to) {
  if (values.physical() == PhysicalType::Int64 && physical == PhysicalType::Int128) {
    const __int128 wide = values.values<int64_t>()[row];
    std::memcpy(to, &wide, sizeof wide);
    return;
  }
  const size_t width = stored_width(physical);
  std::memcpy(to, values.values<char>() + static_cast<size_t>(row) * width, width);
}

}  // namespace

int64_t DeviceConstants::bytes_of(const std::vector<RowConstant>& constants) {
  size_t bytes = 0;
  for (const RowConstant& constant : constants) {
    if (!is_in_memory(constant)) continue;
    // A StringRef has the width of a view.
    if (constant.is_list)
      bytes += aligned(static_cast<size_t>(constant.values->length()) * stored_width(constant.physical));
    if (constant.physical == PhysicalType::String) bytes += aligned(string_bytes(*constant.values));
  }
  return static_cast<int64_t>(bytes);
}

DeviceConstants::DeviceConstants(device::DeviceStream& stream, const std::vector<RowConstant>& constants)
    : host_(static_cast<size_t>(bytes_of(constants))), guard_(stream) {
  if (!host_.empty()) memory_ = device::DeviceBuffer(stream, static_cast<int64_t>(host_.size()));
  for (const RowConstant& constant : constants) place(constant);
  if (!host_.empty()) stream.copy_to_device(memory_.as<void>(), host_.data(), static_cast<int64_t>(host_.size()));
}

void DeviceConstants::place(const RowConstant& constant) {
  const columns::Column& values = *constant.values;
  ConstantView& view = views_.emplace_back();
  if (!is_in_memory(constant)) return write_value(values, 0, constant.physical, reinterpret_cast<char*>(view.bytes));
  const auto* memory = memory_.as<const char>();
  std::vector<types::StringRef> strings;
  if (constant.physical == PhysicalType::String) {
    for (int64_t i = 0; i < values.length(); ++i) {
      if (values.is_null(i)) continue;
      const types::StringRef text = values.string_at(i);
      std::memcpy(host_.data() + used_, text.data, static_cast<size_t>(text.length));
      strings.push_back({memory + used_, text.length});
      used_ += static_cast<size_t>(text.length);
    }
    used_ = aligned(used_);
    if (!constant.is_list) {
      std::memcpy(view.bytes, strings.data(), sizeof strings.front());
      return;
    }
  }
  ConstantList list{memory + used_, 0};
  const size_t width = stored_width(constant.physical);
  for (int64_t i = 0; i < values.length(); ++i) {
    if (values.is_null(i)) continue;
    char* to = host_.data() + used_ + static_cast<size_t>(list.length) * width;
    if (constant.physical == PhysicalType::String) {
      std::memcpy(to, &strings[static_cast<size_t>(list.length)], width);
    } else {
      write_value(values, i, constant.physical, to);
    }
    ++list.length;
  }
  used_ += aligned(static_cast<size_t>(values.length()) * width);
  std::memcpy(view.bytes, &list, sizeof list);
}

namespace {

template <class T>
const T* part(const std::shared_ptr<const device::DeviceBuffer>& buffer) {
  return buffer ? buffer->as<const T>() : nullptr;
}

}  // namespace

InputView view_of(const device::DeviceColumn& column) {
  return {part<void>(column.values), part<uint8>(column.validity), part<int64>(column.offsets),
          part<char>(column.bytes)};
}

void launch_rows(device::DeviceStream& stream, const RowLaunch& launch) {
  std::vector<InputView> inputs;
  for (size_t i = 0; i < launch.kernel.num_inputs; ++i) inputs.push_back(view_of(launch.batch.columns[i]));
  inputs.resize(std::max<size_t>(inputs.size(), 1));
  std::vector<OutputView> made(launch.outputs.begin(), launch.outputs.end());
  made.resize(std::max<size_t>(made.size(), 1));
  std::vector<ConstantView> constants(launch.constants.views().begin(), launch.constants.views().end());
  constants.resize(std::max<size_t>(constants.size(), 1));
  // Laid out as KernelArguments, whose parts all have multiples of 16 bytes.
  std::vector<char> arguments;
  append(arguments, std::vector{launch.rows});
  append(arguments, inputs);
  append(arguments, made);
  append(arguments, constants);
  arguments.insert(arguments.end(), launch.more.begin(), launch.more.end());
  arguments.resize((arguments.size() + 15) / 16 * 16);
  const int64_t argument_bytes = launch.entry.argument_bytes;
  ACC_CHECK(argument_bytes == 0 || argument_bytes == static_cast<int64_t>(arguments.size()));
  const int64_t blocks = (launch.rows.num_rows + launch.entry.num_threads - 1) / launch.entry.num_threads;
  stream.launch(launch.entry, std::clamp<int64_t>(blocks, 1, kMostBlocks), arguments.data());
}

}  // namespace accelerant::codegen
