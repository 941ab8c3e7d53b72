// A block is a number of words, the words, and pieces. Words of a column are its encoding, physical type and whether it
// has nulls, its length, the number of its heaps and the bytes of each, then the words of its children. Pieces are
// values, validity and heaps, in the same order, each aligned and padded as a buffer of its own would be.
#include "spill/block_format.h"

#include "base/error.h"

#include <cstring>
#include <functional>
#include <utility>

namespace accelerant::spill {

using columns::Column;
using columns::ColumnPtr;
using columns::Encoding;
using memory::Buffer;
using types::PhysicalType;
using types::StringRef;
using types::StringView;

namespace {

/// Offsets into a heap are 32 bits.
constexpr int64_t kHeapBytes = int64_t{1} << 30;
constexpr int64_t kWordBytes = sizeof(int64_t);

bool is_list(const Column& column) {
  return column.is_flat() && (column.physical() == PhysicalType::Array || column.physical() == PhysicalType::Map);
}

bool is_texts(const Column& column) { return column.is_flat() && column.physical() == PhysicalType::String; }

/// Returns the bytes of a whole number of several bytes; 0: values are no such numbers.
int number_width_of(PhysicalType type) {
  switch (type) {
    case PhysicalType::Int16:
    case PhysicalType::Int32:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
      return static_cast<int>(types::width_of(type));
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::Int8:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      return 0;
  }
  return 0;
}

/// Gives each of a column's strings that is not in its view a place in heaps.
class HeapPlaces {
 public:
  /// Returns the view of a row, and the text where it lies in a heap.
  StringView place(const Column& column, int64_t row, StringRef& text) {
    text = {};
    if (column.is_null(row)) return {};
    const StringView view = column.values<StringView>()[row];
    if (view.is_inline()) return view;
    text = column.string_at(row);
    if (heaps_.empty() || heaps_.back() + text.length > kHeapBytes) heaps_.push_back(0);
    const auto offset = static_cast<int32_t>(heaps_.back());
    heaps_.back() += text.length;
    return types::heap_view(text, static_cast<int32_t>(heaps_.size()) - 1, offset);
  }

  /// Returns the bytes of each heap.
  const std::vector<int64_t>& heaps() const { return heaps_; }

 private:
  std::vector<int64_t> heaps_;
};

class Encoder {
 public:
  void add(const ColumnPtr& column) {
    kept_.push_back(column);
    const Column& added = *column;
    const bool has_nulls = !added.is_constant() && added.validity();
    words_.push_back(static_cast<int64_t>(added.encoding()) | static_cast<int64_t>(added.physical()) << 8 |
                     static_cast<int64_t>(has_nulls) << 16);
    words_.push_back(added.length());
    const size_t num_heaps = words_.size();
    words_.push_back(0);
    if (is_texts(added)) {
      add_texts(added, num_heaps);
    } else {
      add_values(added);
    }
    if (has_nulls) add_validity(added);
    add_heaps(added, num_heaps);
    add_children(added);
  }

  EncodedColumns finish(const std::shared_ptr<memory::Budget>& budget) const {
    const int64_t head = (1 + static_cast<int64_t>(words_.size())) * kWordBytes;
    int64_t total = Buffer::capacity_for(head);
    for (const Piece& piece : pieces_) total += Buffer::capacity_for(piece.num_bytes);
    EncodedColumns encoded{Buffer::allocate(total, budget), {}};
    uint8_t* const first = encoded.block->mutable_data();
    *encoded.block->mutable_as<int64_t>() = static_cast<int64_t>(words_.size());
    std::memcpy(first + kWordBytes, words_.data(), words_.size() * sizeof(int64_t));
    uint8_t* to = pad(first, head);
    for (const Piece& piece : pieces_) {
      piece.write(to);
      if (piece.number_width > 0) {
        encoded.numbers.push_back({to - first, piece.num_bytes / piece.number_width, piece.number_width});
      }
      to = pad(to, piece.num_bytes);
    }
    return encoded;
  }

 private:
  struct Piece {
    int64_t num_bytes;
    std::function<void(uint8_t* to)> write;
    int number_width = 0;  ///< of the whole numbers that it has; 0: it has others
  };

  /// Clears what lies between a piece and the next one, and returns where that begins.
  static uint8_t* pad(uint8_t* piece, int64_t num_bytes) {
    const int64_t capacity = Buffer::capacity_for(num_bytes);
    std::memset(piece + num_bytes, 0, static_cast<size_t>(capacity - num_bytes));
    return piece + capacity;
  }

  void add_values(const Column& column) {
    if (is_list(column)) return add_offsets(column);
    const int64_t width = column.is_flat()         ? types::width_of(column.physical())
                          : column.is_dictionary() ? static_cast<int64_t>(sizeof(int32_t))
                                                   : 0;
    const int64_t num_bytes = column.length() * width;
    if (num_bytes == 0) return pieces_.push_back({0, [](uint8_t*) {}});
    const uint8_t* from = column.parts().values->data() + column.offset() * width;
    pieces_.push_back({num_bytes, [=](uint8_t* to) { std::memcpy(to, from, static_cast<size_t>(num_bytes)); },
                       column.is_flat() ? number_width_of(column.physical()) : static_cast<int>(width)});
  }

  /// Offsets begin with 0.
  void add_offsets(const Column& column) {
    const int64_t n = column.length();
    pieces_.push_back({(n + 1) * static_cast<int64_t>(sizeof(int32_t)),
                       [&column, n](uint8_t* to) {
                         auto* offsets = reinterpret_cast<int32_t*>(to);
                         *offsets = 0;
                         if (n == 0) return;
                         const int32_t* from = column.values<int32_t>();
                         for (int64_t i = 0; i <= n; ++i) offsets[i] = from[i] - from[0];
                       },
                       static_cast<int>(sizeof(int32_t))});
  }

  void add_texts(const Column& column, size_t num_heaps) {
    HeapPlaces places;
    StringRef text;
    for (int64_t row = 0; row < column.length(); ++row) places.place(column, row, text);
    words_[num_heaps] = static_cast<int64_t>(places.heaps().size());
    words_.insert(words_.end(), places.heaps().begin(), places.heaps().end());
    pieces_.push_back({column.length() * static_cast<int64_t>(sizeof(StringView)), [&column](uint8_t* to) {
                         HeapPlaces again;
                         StringRef ignored;
                         auto* views = reinterpret_cast<StringView*>(to);
                         for (int64_t row = 0; row < column.length(); ++row) {
                           views[row] = again.place(column, row, ignored);
                         }
                       }});
  }

  void add_heaps(const Column& column, size_t num_heaps) {
    for (int64_t heap = 0; heap < words_[num_heaps]; ++heap) {
      pieces_.push_back({words_[num_heaps + 1 + static_cast<size_t>(heap)], [&column, heap](uint8_t* to) {
                           HeapPlaces places;
                           StringRef text;
                           for (int64_t row = 0; row < column.length(); ++row) {
                             const StringView view = places.place(column, row, text);
                             if (view.is_inline() || view.ref.buffer != heap) continue;
                             std::memcpy(to + view.ref.offset, text.data, static_cast<size_t>(text.length));
                           }
                         }});
    }
  }

  void add_validity(const Column& column) {
    pieces_.push_back({bits::bytes_for(column.length()), [&column](uint8_t* to) {
                         std::memset(to, 0, static_cast<size_t>(bits::bytes_for(column.length())));
                         bits::copy(column.validity(), column.offset(), column.length(), to);
                       }});
  }

  void add_children(const Column& column) {
    if (!column.is_flat()) return add(column.child_values());
    if (column.physical() == PhysicalType::Struct) {
      for (const ColumnPtr& child : column.children()) add(child->slice(column.offset(), column.length()));
    } else if (is_list(column)) {
      const int32_t* offsets = column.length() > 0 ? column.values<int32_t>() : nullptr;
      const int32_t first = offsets ? offsets[0] : 0;
      const int32_t count = offsets ? offsets[column.length()] - first : 0;
      for (const ColumnPtr& child : column.children()) add(child->slice(first, count));
    }
  }

  std::vector<int64_t> words_;
  std::vector<Piece> pieces_;
  std::vector<ColumnPtr> kept_;  ///< that pieces read from
};

class Decoder {
 public:
  explicit Decoder(const std::shared_ptr<Buffer>& block)
      : block_(block),
        word_(block->as<int64_t>() + 1),
        piece_(block->mutable_data() + Buffer::capacity_for((1 + *block->as<int64_t>()) * kWordBytes)) {}

  ColumnPtr next(const types::DataType& type) {
    const int64_t kind = *word_++;
    const auto encoding = static_cast<Encoding>(kind & 0xff);
    columns::FlatParts parts{type, static_cast<PhysicalType>(kind >> 8 & 0xff), *word_++, 0, nullptr, nullptr, {}, {}};
    const int64_t num_heaps = *word_++;
    const int64_t* heaps = std::exchange(word_, word_ + num_heaps);
    parts.values = piece(num_value_bytes(encoding, parts));
    if (kind >> 16 & 1) parts.validity = piece(bits::bytes_for(parts.length));
    for (int64_t heap = 0; heap < num_heaps; ++heap) parts.heap.push_back(piece(heaps[heap]));
    if (encoding == Encoding::Constant) return Column::constant(next(type), parts.length);
    if (encoding == Encoding::Dictionary) {
      return Column::dictionary(next(type), std::move(parts.values), parts.length, std::move(parts.validity));
    }
    if (type.is_nested()) {
      for (const types::Field& field : type.fields()) parts.children.push_back(next(field.type));
    }
    return Column::flat(std::move(parts));
  }

 private:
  static int64_t num_value_bytes(Encoding encoding, const columns::FlatParts& parts) {
    if (encoding == Encoding::Constant) return 0;
    if (encoding == Encoding::Dictionary) return parts.length * static_cast<int64_t>(sizeof(int32_t));
    const bool has_offsets = parts.physical == PhysicalType::Array || parts.physical == PhysicalType::Map;
    return (parts.length + static_cast<int64_t>(has_offsets)) * types::width_of(parts.physical);
  }

  memory::BufferPtr piece(int64_t num_bytes) {
    uint8_t* at = std::exchange(piece_, piece_ + Buffer::capacity_for(num_bytes));
    ACC_CHECK(piece_ <= block_->data() + block_->size_bytes());
    return Buffer::adopt(at, num_bytes, block_);
  }

  const std::shared_ptr<Buffer>& block_;
  const int64_t* word_;
  uint8_t* piece_;
};

}  // namespace

EncodedColumns encode_columns(std::span<const ColumnPtr> columns, const std::shared_ptr<memory::Budget>& budget) {
  Encoder encoder;
  for (const ColumnPtr& column : columns) encoder.add(column);
  return encoder.finish(budget);
}

std::vector<ColumnPtr> decode_columns(const std::shared_ptr<Buffer>& block, std::span<const types::DataType> types) {
  Decoder decoder(block);
  std::vector<ColumnPtr> columns;
  for (const types::DataType& type : types) columns.push_back(decoder.next(type));
  return columns;
}

}  // namespace accelerant::spill
