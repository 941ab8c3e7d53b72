#include "io/level_reader.h"

#include "base/error.h"
#include "io/fail_damaged.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace accelerant::io {

namespace {

/// Entries that are decoded at a time.
constexpr int64_t kLevelBlock = 4096;

int width_of_levels(int most) { return std::bit_width(static_cast<unsigned>(most)); }

/// Counts in blocks whose sums the compiler keeps in narrow lanes.
template <class Is>
int64_t count_levels(const uint8_t* levels, int64_t n, Is is) {
  int64_t total = 0;
  for (int64_t first = 0; first < n; first += kLevelBlock) {
    const int64_t end = std::min(n, first + kLevelBlock);
    uint32_t count = 0;
    for (int64_t i = first; i < end; ++i) count += is(levels[i]);
    total += count;
  }
  return total;
}

/// Returns the place of the zero that `before` zeros lie before.
int64_t find_zero(const uint8_t* levels, int64_t before) {
  int64_t i = 0;
  for (;; ++i) {
    if (levels[i] == 0 && before-- == 0) return i;
  }
}

/// Decodes levels and says whether they are all within their bound; where the highest is 0 none are stored.
bool decode(RunDecoder& runs, int most, int64_t n, uint8_t* to) {
  if (most == 0) {
    std::memset(to, 0, static_cast<size_t>(n));
    return true;
  }
  runs.read(n, to);
  uint8_t highest = 0;
  for (int64_t i = 0; i < n; ++i) highest = std::max(highest, to[i]);
  return highest <= most;
}

/// Starts the levels that lie behind their length at the start of a page, and cuts them off.
void start_at(int encoding, int most, RunDecoder& runs, PageBody& page) {
  if (most == 0) return;
  if (encoding == parquet::Encoding::BIT_PACKED) throw_unsupported("bit-packed levels");
  if (encoding != parquet::Encoding::RLE) fail_damaged("levels that are not run-length encoded");
  uint32_t num_bytes;
  constexpr auto kLengthBytes = static_cast<int64_t>(sizeof num_bytes);
  if (page.num_bytes < kLengthBytes) fail_damaged("corrupt levels");
  std::memcpy(&num_bytes, page.data, sizeof num_bytes);
  if (num_bytes > page.num_bytes - kLengthBytes) fail_damaged("corrupt levels");
  runs.reset(page.data + kLengthBytes, num_bytes, width_of_levels(most));
  page.data += kLengthBytes + num_bytes;
  page.num_bytes -= kLengthBytes + num_bytes;
}

}  // namespace

int64_t count_equal(const uint8_t* levels, int64_t n, int level) {
  const auto wanted = static_cast<uint8_t>(level);
  return count_levels(levels, n, [wanted](uint8_t other) { return other == wanted; });
}

int64_t count_at_least(const uint8_t* levels, int64_t n, int level) {
  const auto least = static_cast<uint8_t>(level);
  return count_levels(levels, n, [least](uint8_t other) { return other >= least; });
}

LevelReader::LevelReader(int repetition, int definition, const std::shared_ptr<memory::Budget>& budget)
    : max_repetition_(repetition), max_definition_(definition), repetitions_(budget), definitions_(budget) {}

void LevelReader::start_page(const PageHeader& header, PageBody& page, bool begins_row) {
  start_levels(header, page);
  page_left_ = header.num_values;
  begins_row_ = begins_row;
}

void LevelReader::start_levels(const PageHeader& header, PageBody& page) {
  if (header.type == PageHeader::kDataV2) {
    repetition_runs_.reset(page.repetition_levels, page.repetition_bytes, width_of_levels(max_repetition_));
    definition_runs_.reset(page.definition_levels, page.definition_bytes, width_of_levels(max_definition_));
  } else {
    start_at(header.repetition_encoding, max_repetition_, repetition_runs_, page);
    start_at(header.level_encoding, max_definition_, definition_runs_, page);
  }
}

int64_t LevelReader::take(int64_t& rows) {
  if (taken_ == decoded_) decode_block();
  const uint8_t* next = repetitions_.data() + taken_;
  int64_t n = decoded_ - taken_;
  int64_t num_begun = count_equal(next, n, 0);
  if (num_begun > rows) {
    n = find_zero(next, rows);
    num_begun = rows;
  }
  rows -= num_begun;
  taken_ += n;
  return n;
}

PageRows LevelReader::rows_of(const PageHeader& header, const StoredBody& page, int64_t most) const {
  RunDecoder runs;
  runs.reset(page.repetition_levels, page.repetition_bytes, width_of_levels(max_repetition_));
  uint8_t levels[kLevelBlock];
  PageRows rows{0, true};
  for (int64_t done = 0; done < header.num_values && rows.num_rows <= most; done += kLevelBlock) {
    const int64_t n = std::min<int64_t>(header.num_values - done, kLevelBlock);
    runs.read(n, levels);
    if (done == 0) rows.begins_row = levels[0] == 0;
    rows.num_rows += count_equal(levels, n, 0);
  }
  return rows;
}

void LevelReader::decode_block() {
  const int64_t n = std::min(page_left_, kLevelBlock);
  if (n == 0) return;
  const int64_t end = decoded_ + n;
  if (end > kMostEntries) fail_damaged("some rows hold more than 2^31 values");
  repetitions_.reserve(end, decoded_);
  definitions_.reserve(end, decoded_);
  uint8_t* repetitions = repetitions_.data() + decoded_;
  const bool are_levels = decode(repetition_runs_, max_repetition_, n, repetitions) &&
                          decode(definition_runs_, max_definition_, n, definitions_.data() + decoded_);
  if (!are_levels) fail_damaged("a level is above the highest of its column");
  if (std::exchange(begins_row_, false) && repetitions[0] != 0)
    fail_damaged("its first level is not that of a row's start");
  decoded_ = end;
  page_left_ -= n;
}

void LevelReader::forget() {
  const int64_t left = decoded_ - taken_;
  if (left > 0 && taken_ > 0) {
    std::memmove(repetitions_.data(), repetitions_.data() + taken_, static_cast<size_t>(left));
    std::memmove(definitions_.data(), definitions_.data() + taken_, static_cast<size_t>(left));
  }
  decoded_ = left;
  taken_ = 0;
}

}  // namespace accelerant::io
