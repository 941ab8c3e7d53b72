#include "codegen/group_parts.h"

#include "base/bits.h"
#include "base/error.h"
#include "columns/string_heap.h"
#include "types/logical.h"

#include <cstring>
#include <utility>

namespace accelerant::codegen {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::PhysicalType;

namespace {

/// What a string takes beside its bytes: a node of the map, its place in the table, a view.
constexpr int64_t kStringBytes = 96;

int64_t bytes_of(const Column& entries) {
  int64_t bytes = entries.length() * kStringBytes;
  for (int64_t i = 0; i < entries.length(); ++i) bytes += entries.is_null(i) ? 0 : entries.string_at(i).length;
  return bytes;
}

}  // namespace

std::vector<int32_t> KeyDictionary::number(const Column& entries, const std::shared_ptr<memory::Budget>& budget) {
  if (numbers_.empty()) reservation_ = memory::Reservation(budget, 0);
  int64_t bytes = reservation_.bytes();
  reservation_.resize(bytes + bytes_of(entries));
  std::vector<int32_t> numbers;
  for (int64_t i = 0; i < entries.length(); ++i) {
    const types::StringRef text = entries.is_null(i) ? types::StringRef{"", 0} : entries.string_at(i);
    const auto [found, is_new] = numbers_.try_emplace(std::string(text.data, static_cast<size_t>(text.length)),
                                                      static_cast<int32_t>(strings_.size()));
    if (is_new) strings_.push_back(found->first);
    if (is_new) bytes += kStringBytes + text.length;
    numbers.push_back(found->second);
  }
  reservation_.resize(bytes);
  return numbers;
}

ColumnPtr KeyDictionary::strings(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget) const {
  int64_t long_bytes = 0;
  for (const std::string_view text : strings_) {
    if (text.size() > types::StringView::kMaxInlineBytes) long_bytes += static_cast<int64_t>(text.size());
  }
  columns::StringHeap heap(long_bytes, budget);
  columns::FlatBuilder builder(type, PhysicalType::String, static_cast<int64_t>(strings_.size()), budget);
  for (size_t i = 0; i < strings_.size(); ++i) {
    const types::StringRef text{strings_[i].data(), static_cast<int32_t>(strings_[i].size())};
    const bool is_short = text.length <= types::StringView::kMaxInlineBytes;
    builder.values<types::StringView>()[i] = is_short ? types::inline_view(text) : heap.add(text);
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

namespace {

/// Makes a column of keys, of `value_at(i)`, whose `valid` says whether it is null.
template <class T, class ValueAt>
ColumnPtr make_keys(const types::DataType& type, PhysicalType physical, size_t num_keys, const ValueAt& value_at,
                    const std::shared_ptr<memory::Budget>& budget) {
  columns::FlatBuilder builder(type, physical, static_cast<int64_t>(num_keys), budget);
  for (size_t i = 0; i < num_keys; ++i) {
    const types::Nullable<T> value = value_at(i);
    builder.values<T>()[i] = value.valid ? value.value : T{};
    if (!value.valid) bits::clear(builder.validity(), static_cast<int64_t>(i));
  }
  return builder.finish();
}

/// Makes strings of codes.
template <class ValueAt>
ColumnPtr make_coded(ColumnPtr dictionary, size_t num_keys, const ValueAt& value_at,
                     const std::shared_ptr<memory::Budget>& budget) {
  const ColumnPtr codes =
      make_keys<int32_t>(types::DataType(types::TypeId::Int), PhysicalType::Int32, num_keys, value_at, budget);
  return Column::dictionary(std::move(dictionary), codes->parts().values, codes->length(), codes->parts().validity);
}

__extension__ using Bits = unsigned __int128;

/// A key as it lies in the words of groups.
class KeyReader {
 public:
  KeyReader(const KeyField& field, std::span<const std::vector<uint64_t>> words) : field_(field), words_(words) {}

  template <class T>
  types::Nullable<T> at(size_t group) const {
    Bits bits = words_[0][group];
    if (words_.size() > 1) bits |= static_cast<Bits>(words_[1][group]) << 64;
    bits >>= field_.shift;
    T value{};
    std::memcpy(&value, &bits, sizeof value);
    return {value, !is_null(bits)};
  }

 private:
  bool is_null(Bits bits) const {
    if (!field_.key.nullable) return false;
    if (field_.has_null_bit) return (bits >> field_.value_bits & 1) != 0;
    return bits == static_cast<Bits>(1) << 127;
  }

  const KeyField& field_;
  const std::span<const std::vector<uint64_t>> words_;
};

template <class T>
ColumnPtr read_keys(const KeyField& field, std::span<const std::vector<uint64_t>> words,
                    const std::shared_ptr<memory::Budget>& budget) {
  const KeyReader reader(field, words);
  return make_keys<T>(
      field.key.type, field.key.type.physical(), words[0].size(), [&](size_t group) { return reader.at<T>(group); },
      budget);
}

ColumnPtr read_fixed_keys(const KeyField& field, std::span<const std::vector<uint64_t>> words,
                          const std::shared_ptr<memory::Budget>& budget) {
  switch (const int width = types::width_of(field.key.type.physical())) {
    case 1:
      return read_keys<uint8_t>(field, words, budget);
    case 2:
      return read_keys<uint16_t>(field, words, budget);
    case 4:
      return read_keys<uint32_t>(field, words, budget);
    case 8:
      return read_keys<uint64_t>(field, words, budget);
    case 16:
      return read_keys<__int128>(field, words, budget);
    default:
      throw Error(ErrorKind::Internal, "keys of groups: values of " + std::to_string(width) + " bytes");
  }
}

}  // namespace

void complete_states(const GroupShape& shape, GroupPart& part) {
  for (size_t i = 0; i < shape.states.size(); ++i) {
    const aggregates::SharedForm& form = *shape.states[i].form;
    if (form.rows_word < 0 || shape.states[i].nullable) continue;
    const auto width = static_cast<size_t>(form.num_words);
    for (size_t group = 0; group < part.num_rows.size(); ++group) {
      part.states[i][group * width + static_cast<size_t>(form.rows_word)] = static_cast<uint64_t>(part.num_rows[group]);
    }
  }
}

std::vector<ColumnPtr> keys_of_codes(const GroupShape& shape, std::span<const KeyDomain> domains,
                                     std::span<const int32_t> groups, const std::shared_ptr<memory::Budget>& budget) {
  std::vector<ColumnPtr> keys;
  for (size_t k = 0; k < domains.size(); ++k) {
    const KeyDomain& domain = domains[k];
    const RowOutput& key = shape.keys[k].key;
    const auto code_at = [&](size_t i) {
      const int32_t code = groups[i] / domain.stride % (domain.num_values + 1);
      return types::Nullable<int32_t>{code, code < domain.num_values};
    };
    if (domain.dictionary) {
      keys.push_back(make_coded(domain.dictionary, groups.size(), code_at, budget));
      continue;
    }
    const auto bool_at = [&](size_t i) {
      return types::Nullable<uint8_t>{static_cast<uint8_t>(code_at(i).value), code_at(i).valid};
    };
    keys.push_back(make_keys<uint8_t>(key.type, PhysicalType::Bool, groups.size(), bool_at, budget));
  }
  return keys;
}

std::vector<ColumnPtr> keys_of_words(const GroupShape& shape, std::span<const std::vector<uint64_t>> words,
                                     std::span<const KeyDictionary> dictionaries,
                                     const std::shared_ptr<memory::Budget>& budget) {
  std::vector<ColumnPtr> keys;
  for (size_t k = 0; k < shape.keys.size(); ++k) {
    const KeyField& field = shape.keys[k];
    if (!field.is_coded()) {
      keys.push_back(read_fixed_keys(field, words, budget));
      continue;
    }
    const KeyReader reader(field, words);
    keys.push_back(make_coded(
        dictionaries[k].strings(field.key.type, budget), words[0].size(),
        [&](size_t group) { return reader.at<int32_t>(group); }, budget));
  }
  return keys;
}

}  // namespace accelerant::codegen
