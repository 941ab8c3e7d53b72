#include "io/orc_metadata.h"

#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/file_errors.h"
#include "io/orc_bytes.h"
#include "io/proto_fields.h"
#include "io/read_sizes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace accelerant::io {

using memory::Buffer;

namespace {

constexpr int64_t kMostBlockBytes = (int64_t{1} << 23) - 1;  // the length of a chunk has 23 bits
constexpr size_t kMostColumns = 100'000;
constexpr size_t kMostStripes = 100'000;
constexpr size_t kMostStreams = 5;  ///< of a column's values

/// Adds to a list of what a file says. Lists are cut short, as a few bytes of a message make many of memory.
template <class T>
void add(std::vector<T>& list, T value, size_t most) {
  if (list.size() >= most) fail_damaged("its metadata is too large");
  list.push_back(std::move(value));
}

/// Returns a number of bytes or rows.
int64_t as_count(const ProtoFields& field) {
  const uint64_t value = field.as_unsigned();
  if (value > uint64_t{std::numeric_limits<int64_t>::max() / 4}) fail_damaged("its metadata is corrupt");
  return static_cast<int64_t>(value);
}

struct PostScript {
  int64_t footer_bytes = 0;
  uint64_t compression = 0;
  int64_t block_bytes = 256 * 1024;
  int64_t metadata_bytes = 0;
  std::vector<uint64_t> version;
  std::string magic;
};

PostScript read_post_script(std::span<const uint8_t> bytes) {
  PostScript found;
  for (ProtoFields field(bytes); field.next();) {
    switch (field.number()) {
      case 1:
        found.footer_bytes = as_count(field);
        break;
      case 2:
        found.compression = field.as_unsigned();
        break;
      case 3:
        found.block_bytes = as_count(field);
        break;
      case 4:
        field.append_to(found.version);
        break;
      case 5:
        found.metadata_bytes = as_count(field);
        break;
      case 8000:
        found.magic = field.as_text();
        break;
      default:
        break;
    }
  }
  return found;
}

/// Refuses what is no ORC file of a version that the engine reads.
void check_post_script(const PostScript& post_script) {
  if (post_script.magic != "ORC") fail_damaged("it is no ORC file");
  const auto& version = post_script.version;
  const bool is_known = version.empty() || (version.size() == 2 && version[0] == 0 && version[1] <= 12);
  if (!is_known) throw_unsupported("an ORC file of a version after 0.12");
  if (post_script.compression > 6) throw_unsupported("an ORC file of an unknown compression");
  if (post_script.block_bytes > kMostBlockBytes) throw_unsupported("an ORC file of large compressed blocks");
}

OrcStripe read_stripe(std::span<const uint8_t> bytes) {
  OrcStripe stripe;
  int64_t* const places[] = {&stripe.offset, &stripe.index_bytes, &stripe.data_bytes, &stripe.footer_bytes,
                             &stripe.num_rows};
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() >= 1 && field.number() <= std::size(places)) *places[field.number() - 1] = as_count(field);
  }
  return stripe;
}

std::pair<std::string, std::string> read_pair(std::span<const uint8_t> bytes) {
  std::pair<std::string, std::string> pair;
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() == 1) pair.first = field.as_text();
    if (field.number() == 2) pair.second = field.as_text();
  }
  return pair;
}

void read_attribute(std::span<const uint8_t> bytes, OrcType& type) {
  auto [name, value] = read_pair(bytes);
  if (name == "spark.sql.catalyst.type") type.spark_type = std::move(value);
}

OrcType read_type(std::span<const uint8_t> bytes) {
  OrcType type;
  for (ProtoFields field(bytes); field.next();) {
    switch (field.number()) {
      case 1:
        if (field.as_unsigned() > static_cast<uint64_t>(OrcKind::TimestampInstant)) {
          throw_unsupported("an ORC file of an unknown type");
        }
        type.kind = static_cast<OrcKind>(field.as_unsigned());
        break;
      case 2:
        field.append_to(type.children);
        break;
      case 3:
        type.names.push_back(field.as_text());
        break;
      case 4:
        type.most_characters = as_count(field);
        break;
      case 5:
        type.precision = static_cast<int>(std::min<uint64_t>(field.as_unsigned(), 1000));
        break;
      case 6:
        type.scale = static_cast<int>(std::min<uint64_t>(field.as_unsigned(), 1000));
        break;
      case 7:
        read_attribute(field.as_bytes(), type);
        break;
      default:
        break;
    }
  }
  return type;
}

/// Reads the bounds of integers or dates.
void read_bounds(std::span<const uint8_t> bytes, OrcStatistics& statistics) {
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() == 1) statistics.min = field.as_signed();
    if (field.number() == 2) statistics.max = field.as_signed();
  }
}

void read_floating_bounds(std::span<const uint8_t> bytes, OrcStatistics& statistics) {
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() == 1) statistics.min_floating = field.as_double();
    if (field.number() == 2) statistics.max_floating = field.as_double();
  }
}

/// Takes the earlier one of the bounds below timestamps, which writers count by their own zone and by UTC.
void read_first_timestamp(std::span<const uint8_t> bytes, OrcStatistics& statistics) {
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() != 1 && field.number() != 3) continue;
    statistics.min_millis = std::min(statistics.min_millis.value_or(field.as_signed()), field.as_signed());
  }
}

OrcStatistics read_statistics(std::span<const uint8_t> bytes) {
  OrcStatistics statistics;
  for (ProtoFields field(bytes); field.next();) {
    switch (field.number()) {
      case 1:
        statistics.num_values = as_count(field);
        break;
      case 2:
      case 7:
        read_bounds(field.as_bytes(), statistics);
        break;
      case 3:
        read_floating_bounds(field.as_bytes(), statistics);
        break;
      case 9:
        read_first_timestamp(field.as_bytes(), statistics);
        break;
      case 11:
        statistics.stored_bytes = as_count(field);
        break;
      default:
        break;
    }
  }
  return statistics;
}

void read_orc_footer(std::span<const uint8_t> bytes, OrcMetadata& metadata) {
  size_t num_children = 0;
  for (ProtoFields field(bytes); field.next();) {
    switch (field.number()) {
      case 3:
        add(metadata.stripes, read_stripe(field.as_bytes()), kMostStripes);
        break;
      case 4:
        add(metadata.types, read_type(field.as_bytes()), kMostColumns);
        num_children += metadata.types.back().children.size() + metadata.types.back().names.size();
        if (num_children > 2 * kMostColumns) fail_damaged("its schema is corrupt");
        break;
      case 6:
        metadata.num_rows = as_count(field);
        break;
      case 7:
        add(metadata.statistics, read_statistics(field.as_bytes()), kMostColumns);
        break;
      case 10:
        throw_unsupported("an encrypted ORC file");
      case 11:
        metadata.has_old_calendar = field.as_unsigned() != 2;
        break;
      default:
        break;
    }
  }
}

/// Checks that columns make a tree below the root: a child comes after its parent, and is nobody else's.
void check_type_tree(const OrcMetadata& metadata) {
  const size_t n = metadata.types.size();
  if (n == 0) fail_damaged("its schema is corrupt");
  std::vector<bool> has_parent(n, false);
  for (size_t i = 0; i < n; ++i) {
    const OrcType& type = metadata.types[i];
    const bool is_named = type.kind != OrcKind::Struct || type.names.size() == type.children.size();
    if (!is_named) fail_damaged("its schema is corrupt");
    for (const uint64_t child : type.children) {
      if (child <= i || child >= n || has_parent[child]) fail_damaged("its schema is corrupt");
      has_parent[child] = true;
    }
  }
  if (!metadata.statistics.empty() && metadata.statistics.size() != n) fail_damaged("its statistics are corrupt");
}

void check_stripes(const OrcMetadata& metadata, int64_t file_bytes) {
  int64_t num_rows = 0;
  for (const OrcStripe& stripe : metadata.stripes) {
    const int64_t sizes[] = {stripe.offset, stripe.index_bytes, stripe.data_bytes, stripe.footer_bytes};
    int64_t end = 0;
    for (const int64_t size : sizes) {
      if (size > file_bytes - end) fail_damaged("a stripe ends behind the file");
      end += size;
    }
    if (__builtin_add_overflow(num_rows, stripe.num_rows, &num_rows)) fail_damaged("its stripes have too many rows");
  }
  if (num_rows != metadata.num_rows) fail_damaged("its stripes do not add up to its number of rows");
}

/// Reads bytes of a file, and decompresses them.
class Section {
 public:
  Section(const LocalFile& file, int64_t offset, int64_t num_bytes, const std::shared_ptr<OrcCodec>& codec,
          const std::shared_ptr<memory::Budget>& budget)
      : buffer_(Buffer::allocate(num_bytes, budget)) {
    file.read(offset, num_bytes, buffer_->mutable_data());
    bytes_ = OrcBytes(codec, buffer_, {buffer_->data(), static_cast<size_t>(num_bytes)}, budget);
  }

  std::span<const uint8_t> read() { return bytes_.read_all(); }

 private:
  std::shared_ptr<Buffer> buffer_;
  OrcBytes bytes_;
};

OrcMetadata read_metadata(const LocalFile& file, int64_t file_bytes, const std::shared_ptr<memory::Budget>& budget) {
  const int64_t tail_bytes = std::min(file_bytes, kTailBytes);
  const auto tail = Buffer::allocate(tail_bytes, budget);
  file.read(file_bytes - tail_bytes, tail_bytes, tail->mutable_data());
  const uint8_t* end = tail->data() + tail_bytes - 1;
  const int64_t post_script_bytes = *end;
  if (post_script_bytes >= tail_bytes) fail_damaged("it is no ORC file");
  const PostScript found = read_post_script({end - post_script_bytes, static_cast<size_t>(post_script_bytes)});
  check_post_script(found);
  const int64_t footer_end = file_bytes - 1 - post_script_bytes;
  if (found.footer_bytes > footer_end) fail_damaged("its footer is longer than the file");
  OrcMetadata metadata;
  metadata.compression = static_cast<OrcCompression>(found.compression);
  metadata.block_bytes = found.block_bytes;
  metadata.statistics_bytes = std::min(found.metadata_bytes, footer_end - found.footer_bytes);
  metadata.statistics_offset = footer_end - found.footer_bytes - metadata.statistics_bytes;
  const auto codec = std::make_shared<OrcCodec>(metadata.compression, metadata.block_bytes);
  read_orc_footer(Section(file, footer_end - found.footer_bytes, found.footer_bytes, codec, budget).read(), metadata);
  check_type_tree(metadata);
  check_stripes(metadata, file_bytes);
  return metadata;
}

OrcEncoding read_encoding(std::span<const uint8_t> bytes) {
  OrcEncoding encoding;
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() == 1) {
      if (field.as_unsigned() > 3) fail_damaged("a column's encoding is unknown");
      encoding.has_dictionary = field.as_unsigned() & 1;
      encoding.is_second_version = field.as_unsigned() & 2;
    } else if (field.number() == 2) {
      encoding.dictionary_size = field.as_unsigned();
    }
  }
  return encoding;
}

/// Reads the statistics of some columns of a stripe.
std::vector<OrcStatistics> read_stripe_statistics(std::span<const uint8_t> bytes, size_t num_columns,
                                                  const std::vector<int64_t>& wanted) {
  std::vector<OrcStatistics> statistics;
  size_t column = 0;
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() != 1) continue;
    const bool is_wanted =
        statistics.size() < wanted.size() && static_cast<size_t>(wanted[statistics.size()]) == column;
    if (is_wanted) statistics.push_back(read_statistics(field.as_bytes()));
    ++column;
  }
  if (column != num_columns) fail_damaged("the statistics of stripes are corrupt");
  return statistics;
}

/// Says whether a stream is of an index. Java's reader has all of these before all streams of values.
bool is_of_index(uint64_t kind) { return kind == 4 || (kind >= 6 && kind <= 8); }

/// Reads what a stream is; its place follows from those before it.
void read_stream(std::span<const uint8_t> bytes, int64_t& offset, std::vector<OrcStream>& streams) {
  uint64_t kind = 0;
  OrcStream stream{OrcStreamKind::Present, 0, offset, 0};
  for (ProtoFields field(bytes); field.next();) {
    if (field.number() == 1) kind = field.as_unsigned();
    if (field.number() == 2) stream.column = field.as_unsigned();
    if (field.number() == 3) stream.num_bytes = as_count(field);
  }
  if (__builtin_add_overflow(offset, stream.num_bytes, &offset)) fail_damaged("its streams are corrupt");
  if (is_of_index(kind) && !streams.empty()) fail_damaged("an index is behind values");
  const bool is_of_values = kind <= 3 || kind == 5;
  stream.kind = static_cast<OrcStreamKind>(kind);
  if (is_of_values) streams.push_back(stream);
}

}  // namespace

OrcMetadata read_orc_metadata(const LocalFile& file, int64_t file_bytes,
                              const std::shared_ptr<memory::Budget>& budget) {
  if (file_bytes == 0) return {};
  try {
    return read_metadata(file, file_bytes, budget);
  } catch (const Error&) {
    leave_file_to_spark();
  }
}

std::vector<std::vector<OrcStatistics>> read_orc_stripe_statistics(const LocalFile& file, const OrcMetadata& metadata,
                                                                   const std::vector<int64_t>& columns,
                                                                   const std::shared_ptr<memory::Budget>& budget) {
  const auto codec = std::make_shared<OrcCodec>(metadata.compression, metadata.block_bytes);
  Section section(file, metadata.statistics_offset, metadata.statistics_bytes, codec, budget);
  std::vector<std::vector<OrcStatistics>> stripes;
  for (ProtoFields stripe(section.read()); stripe.next();) {
    if (stripe.number() != 1) continue;
    add(stripes, read_stripe_statistics(stripe.as_bytes(), metadata.types.size(), columns), metadata.stripes.size());
  }
  if (!stripes.empty() && stripes.size() != metadata.stripes.size())
    fail_damaged("the statistics of stripes are corrupt");
  return stripes;
}

OrcStripeFooter read_orc_stripe_footer(const LocalFile& file, const OrcMetadata& metadata, const OrcStripe& stripe,
                                       const std::shared_ptr<memory::Budget>& budget) {
  const int64_t data_end = stripe.offset + stripe.index_bytes + stripe.data_bytes;
  const auto codec = std::make_shared<OrcCodec>(metadata.compression, metadata.block_bytes);
  Section section(file, data_end, stripe.footer_bytes, codec, budget);
  OrcStripeFooter footer;
  int64_t offset = stripe.offset;
  for (ProtoFields field(section.read()); field.next();) {
    if (field.number() == 1) read_stream(field.as_bytes(), offset, footer.streams);
    if (field.number() == 2) add(footer.encodings, read_encoding(field.as_bytes()), metadata.types.size());
    if (footer.streams.size() > kMostStreams * metadata.types.size()) fail_damaged("a stripe's footer is corrupt");
    if (field.number() == 3) footer.time_zone = field.as_text();
  }
  if (offset > data_end) fail_damaged("the streams of a stripe end behind it");
  if (footer.encodings.size() != metadata.types.size()) fail_damaged("a stripe's footer is corrupt");
  return footer;
}

}  // namespace accelerant::io
