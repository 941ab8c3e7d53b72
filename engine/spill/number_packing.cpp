// A packed block is a number of runs, six words of each (offset, count, width, packed width, and two of the least
// number, the lower one first), and the block's bytes in their order, in which packed numbers stand for those
// of the runs.
#include "spill/number_packing.h"

#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace accelerant::spill {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int64_t kPackedWord = sizeof(int64_t);
constexpr int64_t kWordsOfRun = 6;

/// Calls `visit` with a number of a run's width.
template <class Visit>
void with_width(int width, const Visit& visit) {
  if (width == 2) return visit(int16_t());
  if (width == 4) return visit(int32_t());
  if (width == 8) return visit(int64_t());
  visit(int128());
}

bool is_width(int64_t width) { return width == 2 || width == 4 || width == 8 || width == 16; }

template <class T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// How the numbers of a run are packed.
struct Packing {
  NumberRun run;
  int packed_width;
  int128 least;

  bool is_packed() const { return packed_width < run.width; }
  int64_t packed_bytes() const { return run.count * packed_width; }
};

/// Returns the bytes that a number takes which is no less than 0.
int bytes_of(uint128 number) {
  int bytes = 0;
  for (; number != 0; number >>= 8) ++bytes;
  return bytes;
}

Packing packing_of(const NumberRun& run, const uint8_t* block) {
  Packing packing{run, run.width, 0};
  if (run.count == 0) return packing;
  with_width(run.width, [&]<class T>(T) {
    const uint8_t* from = block + run.offset;
    T least = load<T>(from);
    T most = least;
    for (int64_t i = 1; i < run.count; ++i) {
      const T number = load<T>(from + i * static_cast<int64_t>(sizeof(T)));
      least = std::min(least, number);
      most = std::max(most, number);
    }
    const int bytes = bytes_of(static_cast<uint128>(most) - static_cast<uint128>(least));
    // More are put together from two words: seldom worth it.
    if (bytes <= kPackedWord && bytes < run.width) packing = {run, bytes, least};
  });
  return packing;
}

/// In which numbers of a type are counted from the least one: as a packed one has a word at most, differences wrap.
template <class T>
using Difference = std::conditional_t<sizeof(T) <= sizeof(uint64_t), uint64_t, uint128>;

/// Returns how many of a run's packed numbers can be touched as whole words.
int64_t count_words(const Packing& packing, const uint8_t* packed, const uint8_t* end) {
  if (packing.packed_width == 0) return end - packed >= kPackedWord ? packing.run.count : 0;
  return std::clamp<int64_t>((end - packed - kPackedWord) / packing.packed_width + 1, 0, packing.run.count);
}

/// Writes the packed numbers of a run.
template <class T>
void pack(const Packing& packing, const uint8_t* from, uint8_t* to, const uint8_t* end) {
  const int64_t width = packing.packed_width;
  const auto least = static_cast<Difference<T>>(static_cast<T>(packing.least));
  const auto put = [&](int64_t i, size_t num_bytes) {
    const T number = load<T>(from + i * static_cast<int64_t>(sizeof(T)));
    const auto above = static_cast<uint64_t>(static_cast<Difference<T>>(number) - least);
    std::memcpy(to + i * width, &above, num_bytes);
  };
  // What is too much is written over by the next one.
  const int64_t num_words = count_words(packing, to, end);
  for (int64_t i = 0; i < num_words; ++i) put(i, kPackedWord);
  for (int64_t i = num_words; i < packing.run.count; ++i) put(i, static_cast<size_t>(width));
}

template <class T>
void unpack(const Packing& packing, const uint8_t* from, const uint8_t* end, uint8_t* to) {
  const int64_t width = packing.packed_width;
  const auto least = static_cast<Difference<T>>(static_cast<T>(packing.least));
  const uint64_t mask = width == 0 ? 0 : ~uint64_t{0} >> (64 - 8 * width);
  const auto take = [&](int64_t i, size_t num_bytes) {
    uint64_t above = 0;
    std::memcpy(&above, from + i * width, num_bytes);
    const auto number = static_cast<T>(least + (above & mask));
    std::memcpy(to + i * static_cast<int64_t>(sizeof(T)), &number, sizeof(T));
  };
  const int64_t num_words = count_words(packing, from, end);
  for (int64_t i = 0; i < num_words; ++i) take(i, kPackedWord);
  for (int64_t i = num_words; i < packing.run.count; ++i) take(i, static_cast<size_t>(width));
}

/// Reads the words of a packed block, and says whether they can be those of one.
class PackedHead {
 public:
  explicit PackedHead(std::span<const uint8_t> packed) : packed_(packed) {}

  bool read(int64_t block_bytes) {
    const auto size = static_cast<int64_t>(packed_.size());
    if (size < kPackedWord) return false;
    const int64_t num_runs = word(0);
    if (num_runs < 0 || num_runs > size / (kWordsOfRun * kPackedWord)) return false;
    int64_t end = 0;
    num_bytes_ = (1 + num_runs * kWordsOfRun) * kPackedWord;
    int64_t body = block_bytes;
    for (int64_t i = 0; i < num_runs; ++i) {
      const int64_t at = 1 + i * kWordsOfRun;
      const int64_t width = word(at + 2);
      const int64_t packed_width = word(at + 3);
      if (!is_width(width) || packed_width < 0 || packed_width >= width || packed_width > kPackedWord) return false;
      const NumberRun run{word(at), word(at + 1), static_cast<int>(width)};
      if (run.offset < end || run.offset > block_bytes || run.count < 0 ||
          run.count > (block_bytes - run.offset) / width)
        return false;
      const auto low = static_cast<uint64_t>(word(at + 4));
      const int128 least = static_cast<int128>(static_cast<uint128>(word(at + 5)) << 64 | low);
      packings_.push_back({run, static_cast<int>(packed_width), least});
      body -= run.num_bytes() - packings_.back().packed_bytes();
      end = run.end();
    }
    return num_bytes_ + body == size;
  }

  const std::vector<Packing>& packings() const { return packings_; }
  int64_t num_bytes() const { return num_bytes_; }

 private:
  int64_t word(int64_t index) const { return load<int64_t>(packed_.data() + index * kPackedWord); }

  const std::span<const uint8_t> packed_;
  std::vector<Packing> packings_;
  int64_t num_bytes_ = 0;
};

void write_head(std::span<const Packing> packings, uint8_t* to) {
  const auto put = [&](int64_t word) {
    std::memcpy(to, &word, sizeof(word));
    to += sizeof(word);
  };
  put(static_cast<int64_t>(packings.size()));
  for (const Packing& packing : packings) {
    put(packing.run.offset);
    put(packing.run.count);
    put(packing.run.width);
    put(packing.packed_width);
    put(static_cast<int64_t>(packing.least));
    put(static_cast<int64_t>(packing.least >> 64));
  }
}

}  // namespace

std::optional<int64_t> pack_numbers(std::span<const uint8_t> block, std::span<const NumberRun> runs, int64_t most_bytes,
                                    std::span<uint8_t> to) {
  std::vector<Packing> packings;
  auto num_bytes = static_cast<int64_t>(block.size()) + kPackedWord;
  for (const NumberRun& run : runs) {
    const Packing packing = packing_of(run, block.data());
    if (!packing.is_packed()) continue;
    num_bytes += kWordsOfRun * kPackedWord + packing.packed_bytes() - run.num_bytes();
    packings.push_back(packing);
  }
  if (num_bytes >= most_bytes || num_bytes > static_cast<int64_t>(to.size())) return std::nullopt;
  write_head(packings, to.data());
  const uint8_t* const end = to.data() + num_bytes;
  uint8_t* at = to.data() + (1 + static_cast<int64_t>(packings.size()) * kWordsOfRun) * kPackedWord;
  int64_t done = 0;
  const auto copy_until = [&](int64_t offset) {
    std::memcpy(at, block.data() + done, static_cast<size_t>(offset - done));
    at += offset - done;
    done = offset;
  };
  for (const Packing& packing : packings) {
    copy_until(packing.run.offset);
    with_width(packing.run.width, [&]<class T>(T) { pack<T>(packing, block.data() + done, at, end); });
    at += packing.packed_bytes();
    done = packing.run.end();
  }
  copy_until(static_cast<int64_t>(block.size()));
  return num_bytes;
}

bool unpack_numbers(std::span<const uint8_t> packed, std::span<uint8_t> to) {
  PackedHead head(packed);
  if (!head.read(static_cast<int64_t>(to.size()))) return false;
  const uint8_t* const end = packed.data() + packed.size();
  const uint8_t* from = packed.data() + head.num_bytes();
  int64_t done = 0;
  const auto copy_until = [&](int64_t offset) {
    std::memmove(to.data() + done, from, static_cast<size_t>(offset - done));
    from += offset - done;
    done = offset;
  };
  // Where it is unpacked in place, what is written never reaches what is still to be read: no part gets smaller.
  for (const Packing& packing : head.packings()) {
    copy_until(packing.run.offset);
    with_width(packing.run.width, [&]<class T>(T) { unpack<T>(packing, from, end, to.data() + done); });
    from += packing.packed_bytes();
    done = packing.run.end();
  }
  copy_until(static_cast<int64_t>(to.size()));
  return true;
}

}  // namespace accelerant::spill
