#include "device/device_batch.h"

#include "base/bits.h"
#include "base/error.h"
#include "columns/gather.h"
#include "columns/string_heap.h"
#include "device/stream_guard.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accelerant::device {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::PhysicalType;

namespace {

bool has_layout(PhysicalType physical) {
  switch (physical) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
    case PhysicalType::Int16:
    case PhysicalType::Int32:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
      return true;
    case PhysicalType::Null:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      return false;
  }
  return false;
}

/// Returns the bytes of strings of a flat column.
int64_t string_bytes(const Column& strings) {
  int64_t bytes = 0;
  for (int64_t row = 0; row < strings.length(); ++row) {
    if (!strings.is_null(row)) bytes += strings.string_at(row).length;
  }
  return bytes;
}

bool keeps_codes(const Column& column) { return column.is_dictionary() && column.physical() == PhysicalType::String; }

/// Returns the bytes of strings of a column when it is flat.
int64_t flat_string_bytes(const Column& column) {
  if (column.is_flat()) return string_bytes(column);
  return string_bytes(*column.child_values()) * column.length();
}

MemoryBound upload_bound(const Column& column) {
  const int64_t num_rows = column.length();
  const bool is_text = column.physical() == PhysicalType::String;
  const int64_t num_strings = keeps_codes(column) ? column.child_values()->length() : num_rows;
  MemoryBound bound;
  bound.add(bitmap_bytes(num_rows));
  if (!is_text) bound.add(num_rows, types::width_of(column.type().physical()));
  if (keeps_codes(column)) bound.add(num_rows, sizeof(int32_t));
  if (is_text) bound.add(num_strings + 1, sizeof(int64_t));
  if (is_text) bound.add(whole_words(flat_string_bytes(keeps_codes(column) ? *column.child_values() : column)));
  return bound;
}

/// Copies the columns of one batch.
class Upload {
 public:
  Upload(DeviceStream& stream, const std::shared_ptr<memory::Budget>& budget) : stream_(stream), budget_(budget) {}

  DeviceColumn copy(const ColumnPtr& column) {
    if (!has_layout(column->physical())) {
      throw_unsupported("a column of type " + column->type().to_string() + " on a device");
    }
    if (keeps_codes(*column)) return copy_codes(column);
    const ColumnPtr flat = keep(columns::flatten(column, budget_));
    DeviceColumn copied = start(*flat);
    if (flat->validity() != nullptr) {
      copied.validity = put(flat->validity(), bits::bytes_for(flat->length()), bitmap_bytes(flat->length()));
    }
    if (flat->physical() == PhysicalType::String) {
      copied.layout = ColumnLayout::Strings;
      copy_strings(*flat, copied);
    } else {
      copied.values = copy_values(*flat, copied.physical);
    }
    return copied;
  }

  std::vector<std::shared_ptr<const void>> take_host() { return std::move(host_); }

 private:
  static DeviceColumn start(const Column& column) {
    DeviceColumn copied;
    copied.type = column.type();
    copied.physical = column.type().physical();
    return copied;
  }

  ColumnPtr keep(ColumnPtr column) {
    host_.push_back(column);
    return column;
  }

  std::shared_ptr<Buffer> make_host(int64_t bytes) {
    auto buffer = Buffer::allocate(bytes, budget_);
    host_.push_back(buffer);
    return buffer;
  }

  /// Enqueues a copy of host memory to memory of at least as many bytes, and of one.
  std::shared_ptr<const DeviceBuffer> put(const void* from, int64_t bytes, int64_t room) {
    auto to = std::make_shared<const DeviceBuffer>(stream_, std::max<int64_t>(room, 1));
    if (bytes > 0) stream_.copy_to_device(to->as<void>(), from, bytes);
    return to;
  }
  std::shared_ptr<const DeviceBuffer> put(const Buffer& from) {
    return put(from.data(), from.size_bytes(), from.size_bytes());
  }

  std::shared_ptr<const DeviceBuffer> copy_values(const Column& flat, PhysicalType physical) {
    if (flat.physical() == physical) {
      const int64_t bytes = flat.length() * types::width_of(physical);
      return put(flat.values<uint8_t>(), bytes, bytes);
    }
    return physical == PhysicalType::Int128 ? copy_as<int64_t, __int128>(flat) : copy_as<__int128, int64_t>(flat);
  }

  template <class From, class To>
  std::shared_ptr<const DeviceBuffer> copy_as(const Column& flat) {
    const auto converted = make_host(flat.length() * static_cast<int64_t>(sizeof(To)));
    const From* from = flat.values<From>();
    for (int64_t i = 0; i < flat.length(); ++i) converted->mutable_as<To>()[i] = static_cast<To>(from[i]);
    return put(*converted);
  }

  /// Copies the strings of a flat column; those under nulls are empty.
  void copy_strings(const Column& flat, DeviceColumn& copied) {
    const auto offsets = make_host((flat.length() + 1) * static_cast<int64_t>(sizeof(int64_t)));
    const auto bytes = make_host(string_bytes(flat));
    int64_t end = 0;
    for (int64_t row = 0; row < flat.length(); ++row) {
      offsets->mutable_as<int64_t>()[row] = end;
      if (flat.is_null(row)) continue;
      const types::StringRef text = flat.string_at(row);
      std::memcpy(bytes->mutable_data() + end, text.data, static_cast<size_t>(text.length));
      end += text.length;
    }
    offsets->mutable_as<int64_t>()[flat.length()] = end;
    copied.offsets = put(*offsets);
    copied.bytes = put(bytes->data(), bytes->size_bytes(), whole_words(bytes->size_bytes()));
  }

  DeviceColumn copy_codes(const ColumnPtr& column) {
    keep(column);
    DeviceColumn copied = start(*column);
    copied.layout = ColumnLayout::Codes;
    copied.dictionary = columns::flatten(column->child_values(), budget_);
    const int64_t bytes = column->length() * static_cast<int64_t>(sizeof(int32_t));
    copied.values = put(column->indices(), bytes, bytes);
    if (column->may_have_nulls()) {
      const auto validity = make_host(bitmap_bytes(column->length()));
      for (int64_t row = 0; row < column->length(); ++row) {
        bits::assign(validity->mutable_data(), row, !column->is_null(row));
      }
      copied.validity = put(*validity);
    }
    copy_strings(*copied.dictionary, copied);
    return copied;
  }

  DeviceStream& stream_;
  const std::shared_ptr<memory::Budget>& budget_;
  std::vector<std::shared_ptr<const void>> host_;
  const StreamGuard guard_{stream_};
};

}  // namespace

MemoryBound upload_bound(const columns::Batch& batch, std::span<const int> positions) {
  MemoryBound bound;
  for (const int position : positions) bound += upload_bound(*batch.columns[static_cast<size_t>(position)]);
  return bound;
}

DeviceBatch upload(DeviceStream& stream, const columns::Batch& batch, std::span<const int> positions,
                   const std::shared_ptr<memory::Budget>& budget) {
  ACC_CHECK(batch.selection == nullptr);
  DeviceBatch copied;
  copied.num_rows = batch.num_rows;
  copied.columns.resize(batch.columns.size());
  Upload upload(stream, budget);
  for (const int position : positions) {
    const auto i = static_cast<size_t>(position);
    copied.columns[i] = upload.copy(batch.columns[i]);
  }
  copied.host = upload.take_host();
  return copied;
}

namespace {

/// Copies columns of one batch back.
class Download {
 public:
  Download(DeviceStream& stream, int64_t num_rows, const std::shared_ptr<memory::Budget>& budget)
      : stream_(stream), num_rows_(num_rows), budget_(budget) {}

  ColumnPtr copy(const DeviceColumn& column) {
    const memory::BufferPtr validity = column.validity ? get(*column.validity, bitmap_bytes(num_rows_)) : nullptr;
    const StreamGuard guard(stream_);  // there may be no room for the rest, while the validity is copied
    if (column.layout == ColumnLayout::Codes) {
      const auto codes = get(*column.values, num_rows_ * static_cast<int64_t>(sizeof(int32_t)));
      stream_.synchronize();
      return Column::dictionary(column.dictionary, codes, num_rows_, validity);
    }
    columns::FlatParts parts{column.type, column.physical, num_rows_, 0, nullptr, validity, {}, {}};
    if (column.layout == ColumnLayout::Fixed) {
      parts.values = get(*column.values, num_rows_ * types::width_of(column.physical));
      stream_.synchronize();
    } else {
      copy_strings(column, parts);
    }
    return Column::flat(std::move(parts));
  }

 private:
  memory::BufferPtr get(const DeviceBuffer& from, int64_t bytes) {
    auto to = Buffer::allocate(bytes, budget_);
    if (bytes > 0) stream_.copy_to_host(to->mutable_data(), from.as<void>(), bytes);
    return to;
  }

  void copy_strings(const DeviceColumn& column, columns::FlatParts& parts) {
    const auto offsets = get(*column.offsets, (num_rows_ + 1) * static_cast<int64_t>(sizeof(int64_t)));
    stream_.synchronize();
    const auto* ends = offsets->as<int64_t>();
    const auto bytes = get(*column.bytes, ends[num_rows_]);
    stream_.synchronize();
    const auto text_at = [&](int64_t row) {
      return types::StringRef{bytes->as<char>() + ends[row], static_cast<int32_t>(ends[row + 1] - ends[row])};
    };
    int64_t long_bytes = 0;
    for (int64_t row = 0; row < num_rows_; ++row) {
      if (text_at(row).length > types::StringView::kMaxInlineBytes) long_bytes += text_at(row).length;
    }
    columns::StringHeap heap(long_bytes, budget_);
    auto views = Buffer::allocate(num_rows_ * static_cast<int64_t>(sizeof(types::StringView)), budget_);
    for (int64_t row = 0; row < num_rows_; ++row) {
      const types::StringRef text = text_at(row);
      const bool is_short = text.length <= types::StringView::kMaxInlineBytes;
      views->mutable_as<types::StringView>()[row] = is_short ? types::inline_view(text) : heap.add(text);
    }
    parts.values = std::move(views);
    parts.heap = heap.finish();
  }

  DeviceStream& stream_;
  const int64_t num_rows_;
  const std::shared_ptr<memory::Budget>& budget_;
};

}  // namespace

columns::Batch download(DeviceStream& stream, const DeviceBatch& batch, const std::shared_ptr<memory::Budget>& budget) {
  columns::Batch copied;
  copied.num_rows = batch.num_rows;
  Download download(stream, batch.num_rows, budget);
  for (const DeviceColumn& column : batch.columns) {
    const bool has_parts = column.values || column.offsets;
    copied.columns.push_back(has_parts ? download.copy(column) : nullptr);
  }
  return copied;
}

}  // namespace accelerant::device
