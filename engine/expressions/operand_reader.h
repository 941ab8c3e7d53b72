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

/// Reads rows of an operand: flat, constant, or either (slower).
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
  explicit FlatReader(const Operand& operand)
      : values(static_cast<const StringView*>(operand.values)), heap(operand.heap) {}
  ACC_INLINE StringRef operator[](int64_t i) const { return types::resolve(values[i], heap); }
};
template <>
struct FlatReader<types::AnyType::Physical> {
  explicit FlatReader(const Operand&) {}
  ACC_INLINE types::AnyType::Physical operator[](int64_t) const { return {}; }
};
template <class T>
struct ConstantReader {
  T value;
  explicit ConstantReader(const Operand& operand) : value(FlatReader<T>(operand)[0]) {}
  ACC_INLINE T operator[](int64_t) const { return value; }
};
template <class T>
struct AnyReader {
  FlatReader<T> values;
  int64_t stride;
  explicit AnyReader(const Operand& operand) : values(operand), stride(operand.is_constant ? 0 : 1) {}
  ACC_INLINE T operator[](int64_t i) const { return values[i * stride]; }
};
template <class T>
struct AnyReader<Nullable<T>> {
  AnyReader<T> values;
  const uint8_t* valid;
  explicit AnyReader(const Operand& operand) : values(operand), valid(operand.valid) {}
  ACC_INLINE Nullable<T> operator[](int64_t i) const {
    const bool is_valid = valid == nullptr || valid[i * values.stride] != 0;
    if constexpr (std::is_same_v<T, StringRef>) {
      return is_valid ? Nullable<T>{values[i], true} : Nullable<T>{{nullptr, 0}, false};
    } else {
      return {values[i], is_valid};
    }
  }
};

}  // namespace accelerant::expressions::definition
