#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "columns/gather.h"
#include "memory/budget_ptr.h"
#include "memory/offset_limit.h"
#include "types/integers.h"

#include <climits>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::columns {

using memory::BudgetPtr;
using memory::Buffer;
using memory::BufferPtr;
using types::PhysicalType;
using types::StringView;

namespace {

/// What an exported array owns.
struct ArrayOwner {
  std::vector<BufferPtr> buffers;
  std::vector<const void*> addresses;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
};

void release_array(ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    if (array->children[i]->release) array->children[i]->release(array->children[i]);
  }
  delete static_cast<ArrayOwner*>(array->private_data);
  array->release = nullptr;
}

/// Makes an array that owns nothing yet; on an exception before `done` what it has gathered is released.
class ArrayWriter {
 public:
  ArrayWriter(ArrowArray* out, int64_t length) : out_(out), owner_(new ArrayOwner) {
    *out_ = {};
    out_->length = length;
    out_->private_data = owner_;
    out_->release = release_array;
  }
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;
  ~ArrayWriter() {
    if (!done_) out_->release(out_);
  }

  void add_buffer(BufferPtr buffer) {
    owner_->addresses.push_back(buffer ? buffer->data() : nullptr);
    owner_->buffers.push_back(std::move(buffer));
    out_->buffers = owner_->addresses.data();
    out_->n_buffers = static_cast<int64_t>(owner_->addresses.size());
  }

  /// Adds a child that `fill` exports into the array it is given.
  template <class Fill>
  void add_child(Fill fill) {
    auto child = std::make_unique<ArrowArray>();
    owner_->child_pointers.reserve(owner_->child_pointers.size() + 1);
    owner_->children.reserve(owner_->children.size() + 1);
    out_->children = owner_->child_pointers.data();  // it may have moved, and `fill` may throw
    fill(child.get());
    owner_->child_pointers.push_back(child.get());
    owner_->children.push_back(std::move(child));
    out_->children = owner_->child_pointers.data();
    out_->n_children = static_cast<int64_t>(owner_->child_pointers.size());
  }

  void done() { done_ = true; }

 private:
  ArrowArray* out_;
  ArrayOwner* owner_;
  bool done_ = false;
};

BufferPtr pack_booleans(const Column& column, const BudgetPtr& budget) {
  auto packed = Buffer::allocate_zeroed(bits::bytes_for(column.length()), budget);
  bits::pack(column.values<uint8_t>(), column.length(), packed->mutable_data());
  return packed;
}

int64_t string_bytes(const Column& column) {
  const auto* views = column.values<StringView>();
  int64_t total = 0;
  for (int64_t i = 0; i < column.length(); ++i) total += column.is_null(i) ? 0 : views[i].length;
  return total;
}

void export_strings(const Column& column, ArrayWriter& writer, const BudgetPtr& budget) {
  const int64_t total = string_bytes(column);
  memory::check_offsets(total, "bytes of strings");
  auto offsets = Buffer::allocate((column.length() + 1) * static_cast<int64_t>(sizeof(int32_t)), budget);
  auto data = Buffer::allocate(total, budget);
  int32_t* offset = offsets->mutable_as<int32_t>();
  int32_t position = 0;
  offset[0] = 0;
  for (int64_t i = 0; i < column.length(); ++i) {
    if (!column.is_null(i)) {
      const types::StringRef text = column.string_at(i);
      std::memcpy(data->mutable_data() + position, text.data, static_cast<size_t>(text.length));
      position += text.length;
    }
    offset[i + 1] = position;
  }
  writer.add_buffer(std::move(offsets));
  writer.add_buffer(std::move(data));
}

/// The elements that the lists of a flat column hold.
struct Elements {
  int64_t first = 0;
  int64_t count = 0;

  ColumnPtr of(const ColumnPtr& child) const { return child->slice(first, count); }
};

Elements elements_of(const Column& column) {
  if (column.length() == 0) return {};
  const auto* offsets = column.values<int32_t>();
  return {offsets[0], offsets[column.length()] - offsets[0]};
}

/// Returns where each list begins among the elements that are written out. A list without elements may have no offsets
/// buffer of ours; Arrow wants one.
BufferPtr offsets_of(const Column& column, const BudgetPtr& budget) {
  const int64_t first = elements_of(column).first;
  if (column.length() > 0 && first == 0) return column.parts().values;
  auto offsets = Buffer::allocate_zeroed((column.length() + 1) * static_cast<int64_t>(sizeof(int32_t)), budget);
  for (int64_t i = 0; i <= column.length() && first > 0; ++i) {
    offsets->mutable_as<int32_t>()[i] = column.values<int32_t>()[i] - static_cast<int32_t>(first);
  }
  return offsets;
}

void export_map(const Column& column, ArrayWriter& writer, const BudgetPtr& budget) {
  const Elements elements = elements_of(column);
  writer.add_buffer(offsets_of(column, budget));
  writer.add_child([&](ArrowArray* out) {
    ArrayWriter entries(out, elements.count);
    entries.add_buffer(nullptr);
    for (const auto& child : column.children()) {
      entries.add_child([&](ArrowArray* member) { export_column(elements.of(child), budget, member); });
    }
    entries.done();
  });
}

void export_values(const Column& column, ArrayWriter& writer, const BudgetPtr& budget) {
  switch (column.physical()) {
    case PhysicalType::Bool:
      return writer.add_buffer(pack_booleans(column, budget));
    case PhysicalType::String:
      return export_strings(column, writer, budget);
    case PhysicalType::Map:
      return export_map(column, writer, budget);
    case PhysicalType::Array:
      writer.add_buffer(offsets_of(column, budget));
      return writer.add_child(
          [&](ArrowArray* out) { export_column(elements_of(column).of(column.children()[0]), budget, out); });
    case PhysicalType::Struct:
      for (const auto& child : column.children()) {
        writer.add_child([&](ArrowArray* out) { export_column(child->slice(0, column.length()), budget, out); });
      }
      return;
    case PhysicalType::Null:
    case PhysicalType::Int8:
    case PhysicalType::Int16:
    case PhysicalType::Int32:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
      return writer.add_buffer(column.parts().values);
  }
}

int64_t exported_string_bytes(const Column& column);

/// Adds up the bytes of a dictionary's strings, each as often as a row has it.
int64_t bytes_of_codes(const Column& column) {
  const auto* views = column.child_values()->values<StringView>();
  int64_t total = 0;
  for (int64_t i = 0; i < column.length(); ++i) total += column.is_null(i) ? 0 : views[column.indices()[i]].length;
  return total;
}

/// Does so of nested values, of which no leaf has more.
int64_t bytes_of_nested_codes(const Column& column) {
  int64_t total = 0;
  for (int64_t i = 0; i < column.length(); ++i) {
    if (!column.is_null(i)) total += exported_string_bytes(*column.child_values()->slice(column.indices()[i], 1));
  }
  return total;
}

/// Adds up the bytes of the strings below a column, as if every row were written out.
int64_t exported_string_bytes(const Column& column) {
  if (column.is_constant()) return column.length() * exported_string_bytes(*column.child_values());
  if (column.is_dictionary() && column.type().is_nested()) return bytes_of_nested_codes(column);
  if (column.physical() == PhysicalType::String) {
    return column.is_dictionary() ? bytes_of_codes(column) : string_bytes(column);
  }
  if (!column.type().is_nested()) return 0;
  const bool is_struct = column.physical() == PhysicalType::Struct;
  const Elements elements = is_struct ? Elements{column.offset(), column.length()} : elements_of(column);
  int64_t most = 0;
  for (const auto& child : column.children()) most = std::max(most, exported_string_bytes(*elements.of(child)));
  return most;
}

}  // namespace

void export_column(const ColumnPtr& column, const BudgetPtr& budget, ArrowArray* out) {
  const ColumnPtr flat = widen_decimal(flatten(column, budget), budget);
  ArrayWriter writer(out, flat->length());
  if (flat->physical() == PhysicalType::Null) {
    out->null_count = flat->length();
  } else {
    out->null_count = flat->count_nulls();
    writer.add_buffer(out->null_count > 0 ? flat->parts().validity : nullptr);
    export_values(*flat, writer, budget);
  }
  writer.done();
}

void export_batch(const Batch& batch, const BudgetPtr& budget, ArrowArray* out) {
  ACC_CHECK(!batch.selection && batch.errors.empty());
  ArrayWriter writer(out, batch.num_rows);
  writer.add_buffer(nullptr);
  for (const auto& column : batch.columns) {
    writer.add_child([&](ArrowArray* child) { export_column(column, budget, child); });
  }
  writer.done();
}

bool fits_export(const Batch& batch) {
  for (const auto& column : batch.columns) {
    if (exported_string_bytes(*column) > INT32_MAX) return false;
  }
  return true;
}

}  // namespace accelerant::columns
