#pragma once

#include "functions/definition.h"
#include "types/data_type.h"
#include "types/time_zone.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace accelerant::expressions {

inline constexpr int kMaxArity = 3;

/// An argument as a kernel reads it: `n` values, or one that holds for all rows.
struct Operand {
  const void* values = nullptr;       ///< in the physical type of the kernel; strings: views
  const char* const* heap = nullptr;  ///< what string views point into
  const uint8_t* valid = nullptr;     ///< one byte a row, for bodies that see nulls; nullptr: no nulls
  int32_t first_buffer = 0;           ///< where the heap begins in the result's, when results are slices
  bool is_constant = false;           ///< never for all operands at once
};

/// One run of a kernel. Rows are dense.
struct KernelCall {
  Operand operands[kMaxArity];
  int64_t num_rows = 0;
  void* result = nullptr;               ///< `num_rows` values; strings: views
  char* const* result_heap = nullptr;   ///< where long strings go that the body makes
  int64_t* result_heap_used = nullptr;  ///< bytes used of it, by bodies that give a Text
  uint8_t* result_valid = nullptr;      ///< one byte a row, written by bodies that give a Nullable
  const uint8_t* rows_seen = nullptr;  ///< bodies over strings, or that build them, skip rows that are 0; nullptr: none
  uint8_t* codes = nullptr;            ///< one ErrorCode byte a row, for `codes` only
  const types::DecimalContext* decimal = nullptr;
  const types::TimeZone* zone = nullptr;  ///< for bodies named `call_zoned`
};

/// The loops of one body over one choice of physical types.
struct Kernel {
  /// Computes all rows and returns the OR of their error bits. Where there is `write`: views with lengths alone.
  uint64_t (*compute)(const KernelCall&) = nullptr;
  /// Writes strings to where their views point, and completes the views; nullptr: compute is all.
  void (*write)(const KernelCall&) = nullptr;
  /// Computes the error code of each row; nullptr when the body cannot fail.
  void (*codes)(const KernelCall&) = nullptr;
};

/// Says whether a call with these decimals is computed as Spark does; `ansi` in ANSI and TRY mode.
using SupportFunction = bool (*)(const types::DecimalContext&, bool ansi);
using RangeFunction = types::DecimalRange (*)(const types::DecimalRange* arguments, const types::DecimalContext&);

/// A signature of a function with its loops.
struct Overload {
  std::vector<types::TypeId> arguments;  ///< TypeId{0}: any type
  types::TypeId result;
  bool sees_nulls = false;      ///< the body is `call_nullable`
  bool gives_nullable = false;  ///< the body returns a Nullable
  bool reads_values = true;     ///< false: the body sees nothing but nulls
  bool has_decimal = false;     ///< then `kernel` takes and gives int64 decimals, `wide` int128 ones
  bool uses_context = false;    ///< the body reads precision and scale; else decimals must have one scale
  bool gives_slices = false;    ///< results are parts of arguments
  int max_text_bytes = 0;       ///< of results that the body gives as a Text
  bool uses_zone = false;       ///< the body is `call_zoned`
  Kernel kernel;
  Kernel wide;
  RangeFunction range = nullptr;
  SupportFunction supports = nullptr;  ///< nullptr: always
};

/// Says whether a body of an overload has an error argument.
inline bool has_errors(const Overload& overload) { return overload.kernel.codes || overload.wide.codes; }

class FunctionCall;
struct ColumnFunction;

/// A function as the registry knows it.
struct Function {
  const functions::Description* description;
  std::span<const functions::Example> examples;
  std::vector<Overload> overloads;
  /// Binds an expression of its class; nullptr: its arguments are those of the class, in their order.
  int (*bind)(FunctionCall&) = nullptr;
  const ColumnFunction* columns = nullptr;  ///< of a function over columns, which has no overloads
};

}  // namespace accelerant::expressions
