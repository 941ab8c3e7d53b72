#include "expressions/operands.h"

#include "base/error.h"

#include <cstring>

namespace accelerant::expressions {

using columns::Column;
using types::PhysicalType;

namespace {

template <class From, class To>
void gather_values(const From* values, const int32_t* indices, int64_t n, To* __restrict out) {
  for (int64_t i = 0; i < n; ++i) out[i] = values[indices[i]];
}

/// Copies values as `To`; the width differs only where int64 widens to int128.
template <class From, class To>
void decode_as(const Column& column, int64_t begin, int64_t n, To* out) {
  if (column.is_dictionary()) {
    gather_values(column.child_values()->values<From>(), column.indices() + begin, n, out);
  } else {
    const From* values = column.values<From>() + begin;
    for (int64_t i = 0; i < n; ++i) out[i] = values[i];
  }
}

}  // namespace

void decode(const Column& column, int64_t begin, int64_t n, PhysicalType physical, void* out) {
  if (column.physical() == PhysicalType::Int64 && physical == PhysicalType::Int128) {
    return decode_as<int64_t>(column, begin, n, static_cast<__int128*>(out));
  }
  ACC_DCHECK(column.physical() == physical);
  switch (types::width_of(physical)) {
    case 1:
      return decode_as<uint8_t>(column, begin, n, static_cast<uint8_t*>(out));
    case 2:
      return decode_as<uint16_t>(column, begin, n, static_cast<uint16_t*>(out));
    case 4:
      return decode_as<uint32_t>(column, begin, n, static_cast<uint32_t*>(out));
    case 8:
      return decode_as<uint64_t>(column, begin, n, static_cast<uint64_t*>(out));
    case 16:
      return decode_as<Bytes16>(column, begin, n, static_cast<Bytes16*>(out));
  }
  throw_unsupported(std::string("an operand of physical type ") + types::to_string(physical));
}

void unpack_validity(const Column& column, int64_t begin, int64_t n, uint8_t* out) {
  if (column.physical() == PhysicalType::Null) {
    std::memset(out, 0, static_cast<size_t>(n));
    return;
  }
  if (column.validity()) {
    bits::unpack(column.validity(), column.offset() + begin, n, out);
  } else {
    std::memset(out, 1, static_cast<size_t>(n));
  }
  if (!column.is_dictionary() || !column.child_values()->may_have_nulls()) return;
  const Column& child = *column.child_values();
  const int32_t* indices = column.indices() + begin;
  for (int64_t i = 0; i < n; ++i) {
    out[i] = static_cast<uint8_t>(out[i] & bits::get(child.validity(), child.offset() + indices[i]));
  }
}

memory::BufferPtr row_validity(const Column& column, BufferPool& pool) {
  if (!column.may_have_nulls()) return nullptr;
  const int64_t n = column.length();
  const bool from_child = column.is_dictionary() && column.child_values()->may_have_nulls();
  if (!from_child && column.validity() && column.offset() == 0) return column.parts().validity;
  auto bitmap = pool.allocate(bits::bytes_for(n));
  if (!from_child && column.validity()) {
    bits::copy(column.validity(), column.offset(), n, bitmap->mutable_data());
    return bitmap;
  }
  auto bytes = pool.allocate(n);
  unpack_validity(column, 0, n, bytes->mutable_data());
  bits::pack(bytes->data(), n, bitmap->mutable_data());
  return bitmap;
}

memory::BufferPtr intersect(const memory::BufferPtr& a, const memory::BufferPtr& b, int64_t n, BufferPool& pool) {
  if (!b || a == b) return a;
  if (!a) return b;
  auto both = pool.allocate(bits::bytes_for(n));
  std::memcpy(both->mutable_data(), a->data(), static_cast<size_t>(bits::bytes_for(n)));
  bits::and_with(both->mutable_data(), b->data(), 0, n);
  return both;
}

const Column& stored_values(const Column& column) { return column.is_flat() ? column : *column.child_values(); }

const void* first_value(const Column& column) {
  const Column& flat = stored_values(column);
  return flat.values<uint8_t>() - flat.offset() + flat.offset() * types::width_of(flat.physical());
}

}  // namespace accelerant::expressions
