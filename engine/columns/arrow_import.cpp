#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "columns/string_heap.h"
#include "memory/budget_ptr.h"
#include "types/integers.h"

#include <climits>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::columns {

using memory::BudgetPtr;
using memory::Buffer;
using memory::BufferPtr;
using types::DataType;
using types::Field;
using types::PhysicalType;
using types::StringView;
using types::TypeId;

namespace {

/// Keeps an imported array alive: every shared buffer holds it.
using Owner = std::shared_ptr<const ArrowArray>;

/// Moves the array out of the caller's struct, as the specification asks, into one whose release runs with the last
/// owner.
Owner take_over(ArrowArray* array) {
  const auto release = [](ArrowArray* owned) {
    if (owned->release) owned->release(owned);
    delete owned;
  };
  std::shared_ptr<ArrowArray> owner(new ArrowArray(), release);
  *owner = *array;
  array->release = nullptr;
  return owner;
}

void require(bool condition, const char* what) {
  if (!condition) throw Error(ErrorKind::User, std::string("an Arrow array is malformed: ") + what);
}

/// An array with its checks done: what converting needs.
struct Input {
  const ArrowArray& array;
  const DataType& type;
  const Owner& owner;
  const BudgetPtr& budget;

  int64_t end() const { return array.offset + array.length; }
  template <class T>
  const T* buffer(int i) const {
    return static_cast<const T*>(array.buffers[i]);
  }
};

int64_t num_buffers(PhysicalType physical) {
  switch (physical) {
    case PhysicalType::Null:
      return 0;
    case PhysicalType::Struct:
      return 1;
    case PhysicalType::String:
      return 3;
    case PhysicalType::Bool:
    case PhysicalType::Int8:
    case PhysicalType::Int16:
    case PhysicalType::Int32:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::Array:
    case PhysicalType::Map:
      break;
  }
  return 2;
}

int64_t num_children(PhysicalType physical, const DataType& type) {
  return physical == PhysicalType::Map ? 1 : static_cast<int64_t>(type.fields().size());
}

void check_shape(const Input& in, PhysicalType physical) {
  const ArrowArray& array = in.array;
  require(array.length >= 0 && array.offset >= 0 && array.offset <= INT64_MAX / 16 - array.length,
          "its length is out of range");
  require(array.n_buffers == num_buffers(physical) && (array.n_buffers == 0 || array.buffers),
          "the number of its buffers");
  require(array.n_children == num_children(physical, in.type) && (array.n_children == 0 || array.children),
          "the number of its children");
  for (int64_t i = 0; i < array.n_children; ++i) require(array.children[i] != nullptr, "a child is missing");
  require(array.dictionary == nullptr, "a dictionary");
  require(array.null_count <= array.length, "its null count");
  if (array.length > 0 && physical != PhysicalType::Null && physical != PhysicalType::Struct) {
    require(array.buffers[1] != nullptr, "a buffer is missing");
  }
}

/// Shares a buffer of `elements` values where it is aligned for them, else copies it.
BufferPtr share_values(const Input& in, int64_t elements, int width) {
  const void* data = in.array.buffers[1];
  if (elements == 0) return Buffer::allocate(0, in.budget);
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(width) == 0) {
    return Buffer::foreign(data, elements * width, in.owner);
  }
  auto copy = Buffer::allocate(elements * width, in.budget);
  std::memcpy(copy->mutable_data(), data, static_cast<size_t>(elements * width));
  return copy;
}

/// Returns the validity bitmap at the same offset as the values.
BufferPtr share_validity(const Input& in) {
  const uint8_t* validity = in.buffer<uint8_t>(0);
  if (!validity || in.array.null_count == 0 || in.array.length == 0) return nullptr;
  return Buffer::foreign(validity, bits::bytes_for(in.end()), in.owner);
}

BufferPtr copy_validity(const Input& in) {
  if (!share_validity(in)) return nullptr;
  auto validity = Buffer::allocate(bits::bytes_for(in.array.length), in.budget);
  bits::copy(in.buffer<uint8_t>(0), in.array.offset, in.array.length, validity->mutable_data());
  return validity;
}

/// Checks offsets that count up within [0, limit] and returns the last one.
int32_t check_offsets(const Input& in) {
  if (in.array.length == 0) return 0;
  const auto* offsets = in.buffer<int32_t>(1) + in.array.offset;
  require(reinterpret_cast<uintptr_t>(offsets) % sizeof(int32_t) == 0, "its offsets are not aligned");
  bool ascending = offsets[0] >= 0;
  for (int64_t i = 0; i < in.array.length; ++i) ascending &= offsets[i] <= offsets[i + 1];
  require(ascending, "its offsets are not ascending");
  return offsets[in.array.length];
}

void import_booleans(const Input& in, FlatParts& parts) {
  auto bytes = Buffer::allocate(parts.length, in.budget);
  if (parts.length > 0) bits::unpack(in.buffer<uint8_t>(1), in.array.offset, parts.length, bytes->mutable_data());
  parts.values = std::move(bytes);
  parts.validity = copy_validity(in);
}

/// Makes views into the array's own bytes.
void import_strings(const Input& in, FlatParts& parts) {
  const int32_t num_bytes = check_offsets(in);
  require(num_bytes == 0 || in.array.buffers[2] != nullptr, "a buffer is missing");
  auto values = Buffer::allocate(parts.length * static_cast<int64_t>(sizeof(StringView)), in.budget);
  auto* to = values->mutable_as<StringView>();
  const auto* offsets = in.buffer<int32_t>(1) + in.array.offset;
  const char* bytes = in.buffer<char>(2);
  bool uses_heap = false;
  for (int64_t i = 0; i < parts.length; ++i) {
    const types::StringRef text{bytes + offsets[i], offsets[i + 1] - offsets[i]};
    const bool is_inline = text.length <= StringView::kMaxInlineBytes;
    uses_heap |= !is_inline;
    to[i] = text.length == 0 ? StringView{}
            : is_inline      ? types::inline_view(text)
                             : types::heap_view(text, 0, offsets[i]);
  }
  parts.values = std::move(values);
  parts.validity = copy_validity(in);
  if (uses_heap) parts.heap.push_back(Buffer::foreign(bytes, num_bytes, in.owner));
}

ColumnPtr import_shared(const Input& in);

/// Imports a child that must have at least `length` rows.
ColumnPtr import_child(const Input& parent, const ArrowArray& array, const DataType& type, int64_t length) {
  require(array.length >= length, "a child is too short");
  return import_shared({array, type, parent.owner, parent.budget});
}

void import_map(const Input& in, int64_t elements, FlatParts& parts) {
  const ArrowArray& entries = *in.array.children[0];
  check_shape({entries, DataType::structure(in.type.fields()), in.owner, in.budget}, PhysicalType::Struct);
  require(entries.length >= elements, "a child is too short");
  require(entries.null_count <= 0 || !entries.buffers[0], "a map's entry is null");
  for (int i = 0; i < 2; ++i) {
    const DataType& type = in.type.fields()[static_cast<size_t>(i)].type;
    const ColumnPtr member = import_child(in, *entries.children[i], type, entries.offset + elements);
    parts.children.push_back(member->slice(entries.offset, elements));
  }
}

void import_nested(const Input& in, FlatParts& parts) {
  parts.offset = in.array.offset;
  parts.validity = share_validity(in);
  if (parts.physical == PhysicalType::Struct) {
    for (int64_t i = 0; i < in.array.n_children; ++i) {
      const DataType& type = in.type.fields()[static_cast<size_t>(i)].type;
      parts.children.push_back(import_child(in, *in.array.children[i], type, in.end()));
    }
    return;
  }
  const int32_t elements = check_offsets(in);
  parts.values = parts.length > 0 ? share_values(in, in.end() + 1, sizeof(int32_t)) : nullptr;
  if (parts.length == 0) parts.offset = 0;
  if (parts.physical == PhysicalType::Map) return import_map(in, elements, parts);
  parts.children.push_back(import_child(in, *in.array.children[0], in.type.fields()[0].type, elements));
}

ColumnPtr import_shared(const Input& in) {
  const PhysicalType physical = in.type.is_decimal() ? PhysicalType::Int128 : in.type.physical();
  check_shape(in, physical);
  FlatParts parts{in.type, physical, in.array.length, 0, nullptr, nullptr, {}, {}};
  if (physical == PhysicalType::Bool) {
    import_booleans(in, parts);
  } else if (physical == PhysicalType::String) {
    import_strings(in, parts);
  } else if (in.type.is_nested()) {
    import_nested(in, parts);
  } else if (physical != PhysicalType::Null) {
    parts.offset = in.array.offset;
    parts.values = share_values(in, in.end(), types::width_of(physical));
    parts.validity = share_validity(in);
  }
  return Column::flat(std::move(parts));
}

}  // namespace

ColumnPtr import_column(ArrowArray* array, const DataType& type, const BudgetPtr& budget) {
  const Owner owner = take_over(array);
  return import_shared({*owner, type, owner, budget});
}

Batch import_batch(ArrowArray* array, const DataType& type, const BudgetPtr& budget) {
  const ColumnPtr rows = import_column(array, type, budget);
  require(!rows->validity() || rows->count_nulls() == 0, "a row of a batch is null");
  Batch batch;
  batch.num_rows = rows->length();
  for (const auto& member : rows->children()) batch.columns.push_back(member->slice(rows->offset(), rows->length()));
  return batch;
}

}  // namespace accelerant::columns
