#pragma once

#include "codegen/row_values.h"
#include "device/block.h"

// What kernels over rows take, and their loops. Freestanding. All pointers are of device memory.

namespace accelerant::codegen {

/// A column of the batch; device::DeviceColumn says what the parts are.
struct InputView {
  const void* values;
  const uint8* validity;
  const int64* offsets;
  const char* bytes;
};

/// A constant of the program: a value of up to 16 bytes, a StringRef, or a ConstantList.
struct alignas(16) ConstantView {
  unsigned char bytes[16];

  template <class T>
  ACC_HD ACC_INLINE T as() const {
    T value;
    ACC_COPY_BYTES(&value, bytes, sizeof value);
    return value;
  }
};

/// Values of one type, without nulls.
struct ConstantList {
  const void* values;
  int64 length;
};

/// A column that is made.
struct OutputView {
  void* values;
  uint32* validity;  ///< whole words; null where the column has no nulls
};

/// What all kernels over rows take. `kept` is written by those that find rows, `rows` read by those that make columns.
struct RowArguments {
  int64 num_rows;
  const int32* rows;  ///< numbers of the rows to compute; null: all
  uint32* kept;       ///< a bitmap of whole words
  uint32* failed;     ///< becomes 1 where a row is in error
};

/// The arguments of a kernel over rows, one struct after the other; each array has at least one element.
template <int kNumInputs, int kNumConstants, int kNumOutputs>
struct KernelArguments {
  RowArguments rows;
  InputView inputs[kNumInputs];
  OutputView outputs[kNumOutputs];
  ConstantView constants[kNumConstants];
};

ACC_HD ACC_INLINE bool bit_at(const uint8* bits, int64 row) { return (bits[row / 8] >> (row % 8) & 1) != 0; }

template <bool kMayBeNull>
ACC_HD ACC_INLINE bool is_valid(const InputView& input, int64 row) {
  return !kMayBeNull || input.validity == nullptr || bit_at(input.validity, row);
}

/// Reads a value of fixed width, or the position in a dictionary.
template <class T, bool kMayBeNull>
ACC_HD ACC_INLINE RowValue<T> fixed_at(const InputView& input, int64 row) {
  if (!is_valid<kMayBeNull>(input, row)) return null_of<T>();
  return value_of(static_cast<const T*>(input.values)[row]);
}

ACC_HD ACC_INLINE StringRef entry_of(const InputView& input, int64 entry) {
  const int64 begin = input.offsets[entry];
  return {input.bytes + begin, static_cast<int32>(input.offsets[entry + 1] - begin)};
}
template <bool kMayBeNull>
ACC_HD ACC_INLINE RowValue<StringRef> string_at(const InputView& input, int64 row) {
  if (!is_valid<kMayBeNull>(input, row)) return null_of<StringRef>();
  return value_of(entry_of(input, row));
}
template <bool kMayBeNull>
ACC_HD ACC_INLINE RowValue<StringRef> coded_string_at(const InputView& input, int64 row) {
  if (!is_valid<kMayBeNull>(input, row)) return null_of<StringRef>();
  return value_of(entry_of(input, static_cast<const int32*>(input.values)[row]));
}

template <class T>
ACC_HD ACC_INLINE RowValue<T> constant_at(const ConstantView& constant) {
  return value_of(constant.as<T>());
}
template <bool kHasNull, class T>
ACC_HD ACC_INLINE RowValue<bool> is_in_constant(const RowValue<T>& value, const ConstantView& constant) {
  const ConstantList list = constant.as<ConstantList>();
  return is_in<kHasNull>(value, static_cast<const T*>(list.values), list.length);
}

/// Notes that some row is in error.
template <device::Threads B>
ACC_HD ACC_INLINE void note_failed(B& block, const RowArguments& rows) {
  block.template store<device::Order::Relaxed, device::Scope::Device>(rows.failed, 1u);
}

/// Finds the rows that are kept. `K::compute(arguments, row)` gives a K::Row.
template <class K, device::Threads B, class Arguments>
ACC_HD void find_kept(B& block, const Arguments& arguments) {
  const RowArguments& rows = arguments.rows;
  const int64 stride = block.blocks() * B::kThreads;
  for (int64 first = block.index() * B::kThreads; first < rows.num_rows; first += stride) {
    const int64 row = first + block.thread();
    bool is_kept = false;
    if (row < rows.num_rows) {
      const auto computed = K::compute(arguments, row);
      is_kept = computed.kept;
      if (computed.failed) note_failed(block, rows);
    }
    const uint32 kept = block.ballot(is_kept);
    if (device::lane_of(block) == 0 && row < rows.num_rows) rows.kept[row / device::kWarpThreads] = kept;
  }
}

/// Stores the i-th value of a column that is made. All threads of a warp call it, with places that follow each other.
template <class Stored, bool kMayBeNull, class T, device::Threads B>
ACC_HD ACC_INLINE void store_output(B& block, const OutputView& output, int64 i, bool is_there,
                                    const RowValue<T>& value) {
  if (is_there) static_cast<Stored*>(output.values)[i] = cast_to<Stored>(value.value);
  if constexpr (kMayBeNull) {
    const uint32 valid = block.ballot(is_there && value.valid);
    if (device::lane_of(block) == 0 && is_there) output.validity[i / device::kWarpThreads] = valid;
  }
}

/// Makes the columns of rows. `K::store(block, arguments, i, is_there, row)` stores what `K::compute` gave.
template <class K, device::Threads B, class Arguments>
ACC_HD void make_outputs(B& block, const Arguments& arguments) {
  const RowArguments& rows = arguments.rows;
  const int64 stride = block.blocks() * B::kThreads;
  for (int64 first = block.index() * B::kThreads; first < rows.num_rows; first += stride) {
    const int64 i = first + block.thread();
    const bool is_there = i < rows.num_rows;
    typename K::Row computed{};
    if (is_there) {
      computed = K::compute(arguments, rows.rows == nullptr ? i : rows.rows[i]);
      if (computed.failed) note_failed(block, rows);
    }
    K::store(block, arguments, i, is_there, computed);
  }
}

}  // namespace accelerant::codegen
