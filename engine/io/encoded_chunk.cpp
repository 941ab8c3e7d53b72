#include "io/encoded_chunk.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace accelerant::io {

using device::EncodedColumn;
using device::EncodedPage;
using device::PageEncoding;
using device::StoredKind;
using parquet::Encoding;

namespace {

/// What the values of a column are stored as, where a device reads them.
struct Stored {
  StoredKind kind;
  int32_t value_bytes = 0;
  bool has_deltas = false;  ///< they may be DELTA_BINARY_PACKED
};

std::optional<Stored> stored_of(const FileColumn& column) {
  switch (column.kind) {
    case ValueKind::Boolean:
      return Stored{StoredKind::Booleans};
    case ValueKind::Int32ToInt8:
    case ValueKind::Int32ToInt16:
    case ValueKind::Int32ToInt32:
    case ValueKind::Int32ToInt64:
    case ValueKind::Int32ToInt128:
      return Stored{StoredKind::Numbers, 4, true};
    case ValueKind::Int64ToInt64:
    case ValueKind::Int64ToInt128:
      return Stored{StoredKind::Numbers, 8, true};
    case ValueKind::Float:
      return Stored{StoredKind::Numbers, 4};
    case ValueKind::Double:
      return Stored{StoredKind::Numbers, 8};
    case ValueKind::Bytes:
      return Stored{StoredKind::Strings};
    case ValueKind::FixedBytesToInt64:
    case ValueKind::FixedBytesToInt128:
      if (column.stored_bytes < 1 || column.stored_bytes > types::width_of(column.physical())) return std::nullopt;
      return Stored{StoredKind::Decimals, column.stored_bytes};
    case ValueKind::Int32ToDouble:
    case ValueKind::UInt32ToInt64:
    case ValueKind::Int64MillisToMicros:
    case ValueKind::UInt64ToInt128:
    case ValueKind::Int96ToMicros:
    case ValueKind::FloatToDouble:
    case ValueKind::BytesToInt128:
    case ValueKind::FixedBytes:
      break;
  }
  return std::nullopt;
}

/// Says whether a device takes pages in a codec as they are.
bool has_stored_codec(parquet::Compression::type codec) {
  return codec == parquet::Compression::UNCOMPRESSED || codec == parquet::Compression::SNAPPY;
}

/// Describes the pages of a chunk.
class ChunkEncoder {
 public:
  ChunkEncoder(const ChunkSource& source, const Stored& stored, const memory::AllocateBuffer& allocate,
               const std::shared_ptr<memory::Budget>& budget)
      : source_(source), stored_(stored), allocate_(allocate), budget_(budget) {
    made_.type = source.column->type;
    made_.kind = stored.kind;
    made_.value_bytes = stored.value_bytes;
    made_.is_optional = source.column->is_optional;
    made_.bytes = source.bytes;
    made_.offset = source.offset;
    made_.num_bytes = source.num_bytes;
  }

  /// Returns the chunk; nullopt where a device does not decode one of its pages.
  std::optional<EncodedColumn> run() {
    PageReader pages = open();
    for (int64_t rows = 0; rows < source_.num_rows;) {
      const PageHeader& header = pages.next();
      if (!header.is_data() && header.type != PageHeader::kDictionary) continue;
      if (!add(header, pages.stored_body())) return std::nullopt;
      if (header.is_data()) rows += header.num_values;
      if (rows > source_.num_rows) return std::nullopt;
    }
    if (is_compressed_ && !has_stored_codec(source_.codec)) decompress();
    if (stored_.kind == StoredKind::Strings) keep_dictionary();
    return std::move(made_);
  }

 private:
  PageReader open() const {
    return {source_.bytes->data() + source_.offset, source_.num_bytes, source_.codec, source_.always_compressed,
            budget_};
  }

  bool add(const PageHeader& header, const StoredBody& body) {
    const std::optional<PageEncoding> encoding = encoding_of(header);
    if (!encoding) return false;
    EncodedPage page;
    page.encoding = *encoding;
    page.is_compressed = body.is_compressed;
    page.level_bytes = body.definition_bytes;
    page.offset = body.data - body.definition_bytes - source_.bytes->data() - source_.offset;
    page.stored_bytes = body.stored_bytes;
    page.body_bytes = body.num_bytes;
    page.num_rows = header.num_values;
    is_compressed_ |= body.is_compressed;
    if (header.type == PageHeader::kDictionary) {
      made_.dictionary = page;
      return may_have_entries(page);
    }
    page.levels_in_body = header.type == PageHeader::kData && made_.is_optional;
    if (page.levels_in_body && header.level_encoding != Encoding::RLE) return false;
    made_.pages.push_back(page);
    return true;
  }

  /// Says whether a dictionary's entries fit its bytes, before memory is taken for them, and can be counted.
  bool may_have_entries(const EncodedPage& page) const {
    const int64_t entry_bytes = stored_.kind == StoredKind::Strings ? sizeof(uint32_t) : stored_.value_bytes;
    const bool is_short = stored_.kind == StoredKind::Booleans ? page.num_rows > page.body_bytes * 8
                                                               : page.num_rows * entry_bytes > page.body_bytes;
    return !is_short && page.num_rows + source_.num_rows < std::numeric_limits<int32_t>::max();
  }

  /// Returns the encoding of a page, if a device decodes such values in it.
  std::optional<PageEncoding> encoding_of(const PageHeader& header) const {
    const bool is_dictionary = header.type == PageHeader::kDictionary;
    if (is_dictionary && made_.dictionary) return std::nullopt;
    if (header.encoding == Encoding::PLAIN || (is_dictionary && header.encoding == Encoding::PLAIN_DICTIONARY)) {
      return stored_.kind == StoredKind::Strings ? PageEncoding::PlainStrings : PageEncoding::Plain;
    }
    if (is_dictionary) return std::nullopt;
    if (header.encoding == Encoding::RLE_DICTIONARY || header.encoding == Encoding::PLAIN_DICTIONARY) {
      return made_.dictionary ? std::optional(PageEncoding::Dictionary) : std::nullopt;
    }
    if (header.encoding == Encoding::DELTA_BINARY_PACKED && stored_.has_deltas) return PageEncoding::Deltas;
    if (header.encoding == Encoding::RLE && stored_.kind == StoredKind::Booleans) return PageEncoding::Runs;
    return std::nullopt;
  }

  /// Puts what the pages stand for in the place of the chunk's bytes.
  void decompress() {
    const auto bytes_of = [](const EncodedPage& page) { return page.level_bytes + page.body_bytes; };
    int64_t num_bytes = made_.dictionary ? bytes_of(*made_.dictionary) : 0;
    for (const EncodedPage& page : made_.pages) num_bytes += bytes_of(page);
    const auto bytes = allocate_(num_bytes, budget_);
    PageReader pages = open();
    int64_t end = 0;
    const auto copy = [&](EncodedPage& page) {
      const uint8_t* const levels = pages.stored_body().definition_levels;
      page.offset = end;
      page.is_compressed = false;
      page.stored_bytes = page.body_bytes;
      uint8_t* const to = bytes->mutable_data() + end;
      if (page.level_bytes > 0) std::memcpy(to, levels, static_cast<size_t>(page.level_bytes));
      pages.copy_body(to + page.level_bytes);
      end += bytes_of(page);
    };
    for (auto page = made_.pages.begin(); page != made_.pages.end();) {
      const PageHeader& header = pages.next();
      if (header.type == PageHeader::kDictionary) copy(*made_.dictionary);
      if (header.is_data()) copy(*page++);
    }
    made_.bytes = bytes;
    made_.offset = 0;
    made_.num_bytes = num_bytes;
  }

  /// Keeps the dictionary of a column of strings, if it has all of them.
  void keep_dictionary() {
    const bool is_coded = std::ranges::all_of(
        made_.pages, [](const EncodedPage& page) { return page.encoding == PageEncoding::Dictionary; });
    if (!is_coded || !made_.dictionary || made_.dictionary->num_rows == 0) return;
    made_.dictionary_strings = ChunkReader(source_, budget_).dictionary();
  }

  const ChunkSource& source_;
  const Stored stored_;
  const memory::AllocateBuffer& allocate_;
  const std::shared_ptr<memory::Budget>& budget_;
  EncodedColumn made_;
  bool is_compressed_ = false;
};

}  // namespace

bool is_decoded_as_stored(const ChunkSource& source) {
  return stored_of(*source.column) && has_stored_codec(source.codec);
}

EncodedColumn encode_chunk(const ChunkSource& source, const memory::AllocateBuffer& allocate,
                           const std::shared_ptr<memory::Budget>& budget) {
  if (const auto stored = stored_of(*source.column)) {
    if (auto encoded = ChunkEncoder(source, *stored, allocate, budget).run()) return *std::move(encoded);
  }
  EncodedColumn decoded;
  decoded.type = source.column->type;
  decoded.decoded = ChunkReader(source, budget).read(source.num_rows);
  return decoded;
}

}  // namespace accelerant::io
