#pragma once

#include "base/error.h"
#include "column_functions/definition.h"
#include "memory/buffer.h"
#include "types/string_view.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Builds the texts of a call's rows, each of pieces: `visit_pieces(row, show)` shows those of a row that counts, in
/// their order, to `show(types::StringRef)`, twice.
template <class VisitPieces>
class BuiltTexts {
 public:
  /// Refers to both.
  BuiltTexts(const ColumnCall& call, const VisitPieces& visit_pieces)
      : call_(call),
        visit_pieces_(visit_pieces),
        builder_(call.type(), types::PhysicalType::String, call.num_rows(), call.budget()) {}

  /// Returns the column, once.
  /// @throws Error Resource where a text takes more than 2 GiB
  columns::ColumnPtr finish() && {
    std::vector<memory::BufferPtr> heap;
    for (int64_t first = 0; first < call_.num_rows();) {
      const auto [end, bytes] = rows_of_a_buffer(first);
      const auto buffer = memory::Buffer::allocate(bytes, call_.budget());
      write(first, end, buffer->template mutable_as<char>(), static_cast<int32_t>(heap.size()));
      heap.push_back(buffer);
      first = end;
    }
    builder_.set_heap(std::move(heap));
    return builder_.finish();
  }

 private:
  static constexpr int64_t kMostBufferBytes = int64_t{1} << 30;

  /// Writes the texts of rows [first, end) into a buffer, the heap's at `number`.
  void write(int64_t first, int64_t end, char* buffer, int32_t number) {
    char* to = buffer;
    for (int64_t row = first; row < end; ++row) {
      char* const begin = to;
      if (call_.counts(row)) visit_pieces_(row, [&](types::StringRef piece) { to = types::append(piece, to); });
      const types::StringRef text{begin, static_cast<int32_t>(to - begin)};
      const bool is_inline = text.length <= types::StringView::kMaxInlineBytes;
      builder_.template values<types::StringView>()[row] =
          is_inline ? types::inline_view(text) : types::heap_view(text, number, static_cast<int32_t>(begin - buffer));
      if (is_inline) to = begin;
    }
  }

  int64_t bytes_of(int64_t row) const {
    int64_t bytes = 0;
    if (call_.counts(row)) visit_pieces_(row, [&](types::StringRef piece) { bytes += piece.length; });
    return bytes;
  }

  /// Returns up to which row texts go into one buffer from a row on, and their bytes.
  std::pair<int64_t, int64_t> rows_of_a_buffer(int64_t first) const {
    int64_t bytes = 0;
    int64_t row = first;
    for (; row < call_.num_rows(); ++row) {
      const int64_t more = bytes_of(row);
      if (more > types::kMaxStringBytes) throw Error(ErrorKind::Resource, "a text takes more than 2 GiB");
      if (row > first && bytes + more > kMostBufferBytes) break;
      bytes += more;
    }
    return {row, bytes};
  }

  const ColumnCall& call_;
  const VisitPieces& visit_pieces_;
  columns::FlatBuilder builder_;
};

/// Returns the texts of a call's rows, of the pieces that `visit_pieces` shows; see BuiltTexts.
template <class VisitPieces>
columns::ColumnPtr build_texts(const ColumnCall& call, const VisitPieces& visit_pieces) {
  return BuiltTexts<VisitPieces>(call, visit_pieces).finish();
}

}  // namespace accelerant::column_functions
