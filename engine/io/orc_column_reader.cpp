#include "io/orc_column_reader.h"

#include "base/error.h"
#include "columns/gather.h"
#include "io/orc_streams.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::PhysicalType;

namespace {

/// Rows that are passed over are read, so many at a time.
constexpr int64_t kSkippedAtATime = 4096;

using ReaderPtr = std::unique_ptr<OrcColumnReader>;

/// Of what the file lacks.
class MissingReader final : public OrcColumnReader {
 public:
  MissingReader(types::DataType type, std::shared_ptr<memory::Budget> budget)
      : type_(std::move(type)), budget_(std::move(budget)) {}

  ColumnPtr read(int64_t n) override { return Column::nulls(type_, n, budget_); }

 private:
  const types::DataType type_;
  const std::shared_ptr<memory::Budget> budget_;
};

/// Refuses an encoding that a kind does not have.
void check_encoding(const OrcField& field, const OrcEncoding& encoding) {
  const bool is_text = field.kind == OrcKind::String || field.kind == OrcKind::Varchar;
  const bool has_versions =
      is_text || (field.kind != OrcKind::Boolean && field.kind != OrcKind::Byte && field.kind != OrcKind::Float &&
                  field.kind != OrcKind::Double && field.kind != OrcKind::Struct);
  if ((encoding.has_dictionary && !is_text) || (encoding.is_second_version && !has_versions)) {
    throw Error(ErrorKind::Resource, "its encoding is not one of its type");
  }
}

std::vector<ReaderPtr> make_children(const OrcField& field, const OrcStripeData& data, const OrcTimes& times) {
  std::vector<ReaderPtr> children;
  for (const OrcField& child : field.children) children.push_back(make_orc_reader(child, data, times));
  return children;
}

/// Members have values where the struct is not null.
class StructReader final : public OrcColumnReader {
 public:
  StructReader(const OrcField& field, const OrcStripeData& data, const OrcTimes& times)
      : type_(field.type),
        presence_(orc_presence(field, data)),
        members_(make_children(field, data, times)),
        budget_(data.budget()) {}

  ColumnPtr read(int64_t n) override {
    const OrcRows rows = presence_.read(n);
    columns::FlatParts parts{type_, PhysicalType::Struct, n, 0, nullptr, rows.validity, {}, {}};
    const auto places = rows.valid ? places_of(rows) : nullptr;
    for (const ReaderPtr& member : members_) {
      ColumnPtr values = member->read(rows.num_values);
      if (places) {
        values = columns::gather_or_null(*values, {places->as<int32_t>(), static_cast<size_t>(n)}, budget_);
      }
      parts.children.push_back(std::move(values));
    }
    return Column::flat(std::move(parts));
  }

 private:
  /// Returns which value each row has; -1: none.
  std::shared_ptr<Buffer> places_of(const OrcRows& rows) const {
    auto places = Buffer::allocate(rows.num_rows * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto* to = places->mutable_as<int32_t>();
    int32_t next = 0;
    for (int64_t i = 0; i < rows.num_rows; ++i) to[i] = rows.valid->data()[i] ? next++ : -1;
    return places;
  }

  const types::DataType type_;
  OrcPresence presence_;
  const std::vector<ReaderPtr> members_;
  const std::shared_ptr<memory::Budget> budget_;
};

/// Of arrays and maps.
class ListReader final : public OrcColumnReader {
 public:
  ListReader(const OrcField& field, const OrcStripeData& data, const OrcTimes& times)
      : type_(field.type),
        presence_(orc_presence(field, data)),
        lengths_(orc_integers(field, data, OrcStreamKind::Length, false)),
        elements_(make_children(field, data, times)),
        budget_(data.budget()) {}

  ColumnPtr read(int64_t n) override {
    const OrcRows rows = presence_.read(n);
    columns::FlatParts parts{type_, type_.physical(), n, 0, nullptr, rows.validity, {}, {}};
    int64_t num_elements = 0;
    parts.values = read_offsets(rows, num_elements);
    for (const ReaderPtr& elements : elements_) parts.children.push_back(elements->read(num_elements));
    return Column::flat(std::move(parts));
  }

 private:
  memory::BufferPtr read_offsets(const OrcRows& rows, int64_t& num_elements) {
    const int64_t n = rows.num_rows;
    const auto lengths = Buffer::allocate(n * static_cast<int64_t>(sizeof(int64_t)), budget_);
    auto* length = lengths->mutable_as<int64_t>();
    lengths_.read(rows.num_values, length);
    rows.spread(length);
    auto offsets = Buffer::allocate((n + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto* to = offsets->mutable_as<int32_t>();
    for (int64_t i = 0; i < n; ++i) {
      to[i] = static_cast<int32_t>(num_elements);
      if (length[i] < 0 || length[i] > std::numeric_limits<int32_t>::max() - num_elements) {
        throw Error(ErrorKind::Resource, "the lengths of lists are corrupt, or too large for a batch");
      }
      num_elements += length[i];
    }
    to[n] = static_cast<int32_t>(num_elements);
    return offsets;
  }

  const types::DataType type_;
  OrcPresence presence_;
  OrcIntegers lengths_;
  const std::vector<ReaderPtr> elements_;
  const std::shared_ptr<memory::Budget> budget_;
};

}  // namespace

void OrcColumnReader::skip(int64_t n) {
  for (int64_t count; n > 0; n -= count) {
    count = std::min(n, kSkippedAtATime);
    read(count);
  }
}

std::unique_ptr<OrcColumnReader> make_orc_reader(const OrcField& field, const OrcStripeData& data,
                                                 const OrcTimes& times) {
  if (field.is_missing()) return std::make_unique<MissingReader>(field.type, data.budget());
  check_encoding(field, data.encoding(field));
  switch (field.type.physical()) {
    case PhysicalType::Struct:
      return std::make_unique<StructReader>(field, data, times);
    case PhysicalType::Array:
    case PhysicalType::Map:
      return std::make_unique<ListReader>(field, data, times);
    case PhysicalType::String:
      return make_orc_text_reader(field, data);
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::Int8:
    case PhysicalType::Int16:
    case PhysicalType::Int32:
    case PhysicalType::Int64:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
      break;
  }
  return make_orc_value_reader(field, data, times);
}

}  // namespace accelerant::io
