#pragma once

#include "base/error.h"
#include "base/macros.h"
#include "expressions/kernel.h"
#include "expressions/operand_reader.h"
#include "types/string_view.h"
#include "types/text.h"

#include <climits>
#include <cstdint>
#include <type_traits>
#include <utility>

// How bodies give strings: slices of an argument, which copy nothing; short texts by value; or built strings, whose
// size is asked for before they are written, so that a batch's heap is allocated once.

namespace accelerant::expressions::definition {

template <class T>
inline constexpr int kTextBytes = 0;
template <int N>
inline constexpr int kTextBytes<types::Text<N>> = N;

/// What a column holds for a body's result.
template <class R>
using Stored = std::conditional_t<std::is_same_v<R, StringRef>, StringView, R>;

/// Returns the view of a slice of one of the row's arguments.
template <class... Readers>
ACC_INLINE StringView view_of_slice(StringRef slice, int64_t i, const Readers&... readers) {
  if (slice.length <= StringView::kMaxInlineBytes) return types::inline_view(slice);
  StringView view{};
  const auto find_in = [&](const auto& reader) {
    if constexpr (requires { reader.find_view(slice, i, view); }) return reader.find_view(slice, i, view);
    return false;
  };
  static_cast<void>((find_in(readers) || ...));
  return view;
}

/// Puts a text into the result's heap if it is long, and returns its view.
template <int N>
ACC_INLINE StringView view_of_text(const KernelCall& call, const types::Text<N>& text) {
  if (text.length <= StringView::kMaxInlineBytes) return types::inline_view(text.ref());
  const int64_t offset = *call.result_heap_used;
  ACC_COPY_BYTES(call.result_heap[0] + offset, text.bytes, text.length);
  *call.result_heap_used += text.length;
  return types::heap_view(text.ref(), 0, static_cast<int32_t>(offset));
}

/// Returns a body's value as the result's column holds it.
template <class T, class... Readers>
ACC_INLINE auto stored(const KernelCall& call, const T& value, int64_t i, const Readers&... readers) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return view_of_slice(value, i, readers...);
  } else if constexpr (kTextBytes<T> > 0) {
    return view_of_text(call, value);
  } else {
    return value;
  }
}

/// Says whether a body shall not see a row.
ACC_INLINE bool is_unseen(const KernelCall& call, int64_t i) { return call.rows_seen && !call.rows_seen[i]; }

template <class F, class... A>
concept BuildsStrings = requires(A... arguments, char* out) {
  F::write(arguments..., out);
};

/// The loops of a function that builds strings, over physical argument types A.
template <class F, class... A>
struct BuildingLoops {
  using E = uint32_t;
  static constexpr bool kCanFail = requires(A... arguments, E& error) { F::size(arguments..., error); };

  ACC_INLINE static int32_t size_of(E& error, A... arguments) {
    int64_t size = 0;
    if constexpr (kCanFail) {
      size = F::size(arguments..., error);
    } else {
      size = F::size(arguments...);
    }
    if (error != 0) return 0;
    if (size > types::kMaxStringBytes) throw Error(ErrorKind::Resource, "a string would be longer than 2 GiB");
    return static_cast<int32_t>(size);
  }

  /// Calls `visit(row, arguments...)` for each row that is to be seen.
  template <class Visit, size_t... kIndex>
  static void for_each_row(const KernelCall& call, std::index_sequence<kIndex...>, Visit visit) {
    const auto loop = [&](const auto&... readers) {
      for (int64_t i = 0; i < call.num_rows; ++i) {
        if (!is_unseen(call, i)) visit(i, readers[i]...);
      }
    };
    loop(AnyReader<A>(call.operands[kIndex])...);
  }

  static uint64_t compute(const KernelCall& call) {
    auto* views = static_cast<StringView*>(call.result);
    for (int64_t i = 0; i < call.num_rows; ++i) views[i] = StringView{};
    E errors = 0;
    for_each_row(call, std::index_sequence_for<A...>{}, [&](int64_t i, A... arguments) {
      E error = 0;
      views[i].length = size_of(error, arguments...);
      errors |= error;
    });
    return errors;
  }

  static void write(const KernelCall& call) {
    auto* views = static_cast<StringView*>(call.result);
    for_each_row(call, std::index_sequence_for<A...>{}, [&](int64_t i, A... arguments) {
      StringView& view = views[i];
      if (view.length == 0) return;
      char* out = view.is_inline() ? view.inlined : call.result_heap[view.ref.buffer] + view.ref.offset;
      F::write(arguments..., out);
      if (!view.is_inline()) ACC_COPY_BYTES(view.ref.prefix, out, sizeof view.ref.prefix);
    });
  }

  static void codes(const KernelCall& call) {
    for (int64_t i = 0; i < call.num_rows; ++i) call.codes[i] = 0;
    for_each_row(call, std::index_sequence_for<A...>{}, [&](int64_t i, A... arguments) {
      E error = 0;
      static_cast<void>(size_of(error, arguments...));
      call.codes[i] = static_cast<uint8_t>(error);
    });
  }

  static Kernel kernel() { return {&compute, &write, kCanFail ? &codes : nullptr}; }
};

}  // namespace accelerant::expressions::definition
