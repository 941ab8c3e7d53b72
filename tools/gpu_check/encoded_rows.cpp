#include "encoded_rows.h"

#include "base/bits.h"
#include "cells.h"
#include "device/primitives/test_deltas.h"
#include "device/primitives/test_runs.h"
#include "device/primitives/test_snappy.h"
#include "device/primitives/test_string_pages.h"
#include "mixed_rows.h"
#include "random_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace accelerant::gpu_check {

using columns::Column;
using device::EncodedColumn;
using device::EncodedPage;
using device::PageEncoding;
using device::StoredKind;
using Bytes = std::vector<uint8_t>;

namespace {

/// How a column is stored.
struct Storage {
  MixedColumn column;
  StoredKind kind;
  int32_t value_bytes;
  std::vector<PageEncoding> encodings;  ///< of pages, in turn
  bool is_compressed;
  bool levels_in_body;
};

/// Rows of a column.
struct Piece {
  const Column& column;
  int64_t first;
  int64_t num_rows;
};

/// Returns the rows of a piece that are not null.
std::vector<int64_t> valid_rows(const Piece& piece) {
  std::vector<int64_t> rows;
  for (int64_t row = piece.first; row < piece.first + piece.num_rows; ++row) {
    if (!piece.column.is_null(row)) rows.push_back(row);
  }
  return rows;
}

std::string text_at(const Column& column, int64_t row) {
  const bool is_coded = column.is_dictionary();
  const Column& strings = is_coded ? *column.child_values() : column;
  const types::StringRef text = strings.string_at(is_coded ? column.indices()[row] : row);
  return {text.data, static_cast<size_t>(text.length)};
}

/// Appends the bits of a number, the lowest byte first.
void append_number(uint128 value, int32_t num_bytes, Bytes& to) {
  for (int32_t i = 0; i < num_bytes; ++i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

/// Returns a value's bits; of a double, its own.
uint128 bits_at(const Column& column, int64_t row) {
  if (column.physical() == types::PhysicalType::Float64) return std::bit_cast<uint64_t>(column.values<double>()[row]);
  return static_cast<uint128>(integer_at(column, row));
}

void append_text(const std::string& text, Bytes& to) {
  device::string_pages::put_length(text.size(), to);
  to.insert(to.end(), text.begin(), text.end());
}

Bytes plain(const Storage& storage, const Column& column, const std::vector<int64_t>& rows) {
  Bytes bytes;
  if (storage.kind == StoredKind::Booleans) bytes.resize((rows.size() + 7) / 8);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (storage.kind == StoredKind::Strings) {
      append_text(text_at(column, rows[i]), bytes);
    } else if (storage.kind == StoredKind::Booleans) {
      if (integer_at(column, rows[i]) != 0) bits::set(bytes.data(), static_cast<int64_t>(i));
    } else {
      append_number(bits_at(column, rows[i]), storage.value_bytes, bytes);
      if (storage.kind == StoredKind::Decimals) std::reverse(bytes.end() - storage.value_bytes, bytes.end());
    }
  }
  return bytes;
}

/// Writes numbers as packed runs, the last of which may have more than are wanted.
Bytes packed(std::vector<uint32_t> numbers, int bit_width) {
  numbers.resize((numbers.size() + 7) / 8 * 8);
  device::RunWriter runs(bit_width);
  runs.pack(numbers);
  return runs.bytes();
}

/// Numbers the values of a column in the order in which they come.
class Dictionary {
 public:
  uint32_t number(const Column& column, int64_t row) {
    std::string cell;
    append_cell(column, row, cell);
    const auto [found, is_new] = numbers_.try_emplace(cell, static_cast<uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(row);
    return found->second;
  }
  /// Returns a row of each value.
  const std::vector<int64_t>& rows() const { return rows_; }

 private:
  std::map<std::string, uint32_t> numbers_;
  std::vector<int64_t> rows_;
};

/// Writes a column chunk page by page.
class ChunkWriter {
 public:
  ChunkWriter(const Storage& storage, const Column& column) : storage_(storage), column_(column) {
    made_.type = column.type();
    made_.kind = storage.kind;
    made_.value_bytes = storage.value_bytes;
    made_.is_optional = storage.column != kDay;
  }

  EncodedColumn write(device::PinnedMemory& pinned) {
    if (has(PageEncoding::Dictionary)) write_dictionary();
    int64_t first = 0;
    for (const int64_t num_rows : page_sizes(column_.length())) {
      const size_t turn = made_.pages.size() % storage_.encodings.size();
      write_page({column_, first, num_rows}, storage_.encodings[turn]);
      first += num_rows;
    }
    const auto buffer = pinned.allocate(std::ssize(bytes_), memory::process_budget());
    std::ranges::copy(bytes_, buffer->mutable_as<uint8_t>());
    made_.bytes = buffer;
    made_.num_bytes = std::ssize(bytes_);
    return std::move(made_);
  }

 private:
  bool has(PageEncoding encoding) const { return std::ranges::count(storage_.encodings, encoding) > 0; }

  void write_dictionary() {
    for (int64_t row = 0; row < column_.length(); ++row) {
      if (!column_.is_null(row)) dictionary_.number(column_, row);
    }
    const bool is_text = storage_.kind == StoredKind::Strings;
    EncodedPage page;
    page.encoding = is_text ? PageEncoding::PlainStrings : PageEncoding::Plain;
    page.num_rows = std::ssize(dictionary_.rows());
    append(page, {}, plain(storage_, column_, dictionary_.rows()));
    made_.dictionary = page;
    if (!is_text || storage_.encodings.size() > 1 || page.num_rows == 0) return;
    std::vector<std::string> entries;
    for (const int64_t row : dictionary_.rows()) entries.push_back(text_at(column_, row));
    made_.dictionary_strings = make_strings(entries);
  }

  void write_page(const Piece& piece, PageEncoding encoding) {
    EncodedPage page;
    page.encoding = encoding;
    page.num_rows = piece.num_rows;
    page.levels_in_body = storage_.levels_in_body && made_.is_optional;
    append(page, made_.is_optional ? levels(piece) : Bytes(), values(piece, encoding));
    made_.pages.push_back(page);
  }

  /// Appends a page's bytes and notes where they are.
  void append(EncodedPage& page, const Bytes& level_runs, const Bytes& values) {
    Bytes body;
    page.offset = std::ssize(bytes_);
    if (page.levels_in_body) {
      device::string_pages::put_length(level_runs.size(), body);
      body.insert(body.end(), level_runs.begin(), level_runs.end());
    } else {
      bytes_.insert(bytes_.end(), level_runs.begin(), level_runs.end());
      page.level_bytes = std::ssize(level_runs);
    }
    body.insert(body.end(), values.begin(), values.end());
    page.body_bytes = std::ssize(body);
    page.is_compressed = storage_.is_compressed;
    if (page.is_compressed) body = compressed(body);
    page.stored_bytes = std::ssize(body);
    bytes_.insert(bytes_.end(), body.begin(), body.end());
  }

  static Bytes levels(const Piece& piece) {
    device::RunWriter runs(1);
    for (int64_t row = piece.first; row < piece.first + piece.num_rows;) {
      const bool is_null = piece.column.is_null(row);
      const int64_t first = row;
      while (row < piece.first + piece.num_rows && piece.column.is_null(row) == is_null) ++row;
      runs.repeat(is_null ? 0 : 1, static_cast<uint64_t>(row - first));
    }
    return runs.bytes();
  }

  Bytes values(const Piece& piece, PageEncoding encoding) {
    const std::vector<int64_t> rows = valid_rows(piece);
    if (encoding == PageEncoding::Dictionary) return indices(rows);
    if (encoding == PageEncoding::Runs) return boolean_runs(rows);
    if (encoding != PageEncoding::Deltas) return plain(storage_, column_, rows);
    std::vector<int64_t> numbers;
    for (const int64_t row : rows) numbers.push_back(static_cast<int64_t>(integer_at(column_, row)));
    return device::deltas::encode(numbers, {4, 32});
  }

  Bytes indices(const std::vector<int64_t>& rows) {
    const int bit_width = std::bit_width(dictionary_.rows().size());
    std::vector<uint32_t> numbers;
    for (const int64_t row : rows) numbers.push_back(dictionary_.number(column_, row));
    Bytes bytes = packed(std::move(numbers), bit_width);
    bytes.insert(bytes.begin(), static_cast<uint8_t>(bit_width));
    return bytes;
  }

  Bytes boolean_runs(const std::vector<int64_t>& rows) const {
    std::vector<uint32_t> numbers;
    for (const int64_t row : rows) numbers.push_back(static_cast<uint32_t>(integer_at(column_, row)));
    const Bytes runs = packed(std::move(numbers), 1);
    Bytes bytes;
    device::string_pages::put_length(runs.size(), bytes);
    bytes.insert(bytes.end(), runs.begin(), runs.end());
    return bytes;
  }

  const Storage& storage_;
  const Column& column_;
  Dictionary dictionary_;
  Bytes bytes_;
  EncodedColumn made_;
};

/// Finds bytes that came before.
class Matches {
 public:
  explicit Matches(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  /// How far back the same bytes are, and how many; none where it is 0.
  struct Match {
    size_t offset;
    size_t length;
  };
  Match find(size_t at) {
    constexpr size_t kFarthest = 65'535;
    uint32_t word;
    if (at + sizeof word > bytes_.size()) return {0, 0};
    std::memcpy(&word, bytes_.data() + at, sizeof word);
    const auto [found, is_new] = places_.try_emplace(word, at);
    const size_t offset = at - std::exchange(found->second, at);
    return is_new || offset > kFarthest ? Match{0, 0} : Match{offset, length_of(at, offset)};
  }

 private:
  size_t length_of(size_t at, size_t offset) const {
    constexpr size_t kLongest = 64;
    size_t length = 0;
    while (length < kLongest && at + length < bytes_.size() && bytes_[at + length - offset] == bytes_[at + length]) {
      ++length;
    }
    return length;
  }

  std::span<const uint8_t> bytes_;
  std::unordered_map<uint32_t, size_t> places_;  ///< of words, where they stood last
};

}  // namespace

std::vector<uint8_t> compressed(std::span<const uint8_t> bytes) {
  Matches matches(bytes);
  device::snappy::SnappyWriter writer;
  size_t literal = 0;
  const auto end_literal = [&](size_t end) {
    constexpr size_t kLongest = 60;
    for (; literal < end; literal = std::min(literal + kLongest, end)) {
      const std::span part = bytes.subspan(literal, std::min(kLongest, end - literal));
      writer.literal({part.begin(), part.end()}, 0);
    }
  };
  for (size_t at = 0; at < bytes.size();) {
    const auto [offset, length] = matches.find(at);
    if (length == 0) {
      ++at;
      continue;
    }
    end_literal(at);
    writer.copy(offset, length, 2);
    at += length;
    literal = at;
  }
  end_literal(bytes.size());
  return writer.block();
}

EncodedRows make_encoded_rows(int64_t num_rows, device::PinnedMemory& pinned) {
  using enum PageEncoding;
  const Storage storages[] = {
      {kInt, StoredKind::Numbers, 4, {Plain}, false, true},
      {kLong, StoredKind::Numbers, 8, {Deltas}, true, false},
      {kMoney, StoredKind::Numbers, 4, {Plain}, true, true},
      {kWide, StoredKind::Decimals, 16, {Plain}, false, false},
      {kDouble, StoredKind::Numbers, 8, {Plain}, false, true},
      {kFlag, StoredKind::Booleans, 0, {Plain, Runs}, false, false},
      {kDay, StoredKind::Numbers, 4, {Dictionary}, true, true},
      {kText, StoredKind::Strings, 0, {PlainStrings}, true, true},
      {kCode, StoredKind::Strings, 0, {Dictionary}, false, true},
      {kCode, StoredKind::Strings, 0, {Dictionary, PlainStrings}, true, false},
      {kMoney, StoredKind::Numbers, 4, {Dictionary, Plain}, false, false},
  };
  const columns::Batch mixed = make_mixed_rows(num_rows);
  EncodedRows made;
  made.rows.num_rows = num_rows;
  made.encoded.num_rows = num_rows;
  for (const Storage& storage : storages) {
    const columns::ColumnPtr& column = mixed.columns[storage.column];
    made.rows.columns.push_back(column);
    made.encoded.columns.push_back(ChunkWriter(storage, *column).write(pinned));
  }
  return made;
}

}  // namespace accelerant::gpu_check
