#pragma once

#include "base/macros.h"
#include "expressions/kernel.h"
#include "types/logical.h"
#include "types/string_view.h"

#include <cstdint>
#include <type_traits>

namespace accelerant::expressions::definition {

using types::Nullable;
using types::StringRef;
using types::StringView;

/// Reads rows of an operand: flat, constant, or either (slower). Readers of strings also find the view of a slice of
/// row i in the result's heap; false if the slice lies elsewhere.
template <class T>
struct FlatReader {
  const T* values;
  explicit FlatReader(const Operand& operand) : values(static_cast<const T*>(operand.values)) {}
  ACC_INLINE T operator[](int64_t i) const { return values[i]; }
};
template <>
struct FlatReader<StringRef> {
  const StringView* values;
  const char* const* heap;
  int32_t first_buffer;
  explicit FlatReader(const Operand& operand)
      : values(static_cast<const StringView*>(operand.values)),
        heap(operand.heap),
        first_buffer(operand.first_buffer) {}
  ACC_INLINE StringRef operator[](int64_t i) const { return types::resolve(values[i], heap); }
  ACC_INLINE bool find_view(StringRef slice, int64_t i, StringView& view) const {
    const StringView& whole = values[i];
    if (whole.is_inline()) return false;
    const char* begin = heap[whole.ref.buffer] + whole.ref.offset;
    if (slice.data < begin || slice.data + slice.length > begin + whole.length) return false;
    const auto offset = static_cast<int32_t>(slice.data - begin);
    view = types::heap_view(slice, first_buffer + whole.ref.buffer, whole.ref.offset + offset);
    return true;
  }
};
template <>
struct FlatReader<types::AnyType::Physical> {
  explicit FlatReader(const Operand&) {}
  ACC_INLINE types::AnyType::Physical operator[](int64_t) const { return {}; }
};
template <class T>
struct ConstantReader {
  FlatReader<T> values;
  T value;
  explicit ConstantReader(const Operand& operand) : values(operand), value(values[0]) {}
  ACC_INLINE T operator[](int64_t) const { return value; }
  ACC_INLINE bool find_view(StringRef slice, int64_t, StringView& view) const {
    if constexpr (std::is_same_v<T, StringRef>) return values.find_view(slice, 0, view);
    return false;
  }
};
template <class T>
struct AnyReader {
  FlatReader<T> values;
  int64_t stride;
  explicit AnyReader(const Operand& operand) : values(operand), stride(operand.is_constant ? 0 : 1) {}
  ACC_INLINE T operator[](int64_t i) const { return values[i * stride]; }
  ACC_INLINE bool find_view(StringRef slice, int64_t i, StringView& view) const {
    if constexpr (std::is_same_v<T, StringRef>) return values.find_view(slice, i * stride, view);
    return false;
  }
};
template <class T>
struct AnyReader<Nullable<T>> {
  AnyReader<T> values;
  const uint8_t* valid;
  explicit AnyReader(const Operand& operand) : values(operand), valid(operand.valid) {}
  ACC_INLINE bool is_valid(int64_t i) const { return valid == nullptr || valid[i * values.stride] != 0; }
  ACC_INLINE bool find_view(StringRef slice, int64_t i, StringView& view) const {
    return is_valid(i) && values.find_view(slice, i, view);
  }
  ACC_INLINE Nullable<T> operator[](int64_t i) const {
    if constexpr (std::is_same_v<T, StringRef>) {
      return is_valid(i) ? Nullable<T>{values[i], true} : Nullable<T>{{nullptr, 0}, false};
    } else {
      return {values[i], is_valid(i)};
    }
  }
};

}  // namespace accelerant::expressions::definition
