#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace accelerant::operators {

/// Reads bytes that need not be aligned.
template <class Word>
Word read_word(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Says whether as many bytes, at least `sizeof(Word)`, are equal. Reads the last word where it may overlap the one
/// before.
template <class Word>
bool equal_words(const char* lhs, const char* rhs, size_t num_bytes) {
  const size_t last = num_bytes - sizeof(Word);
  auto difference = static_cast<Word>(read_word<Word>(lhs + last) ^ read_word<Word>(rhs + last));
  for (size_t at = 0; at < last; at += sizeof(Word)) {
    difference = static_cast<Word>(difference | (read_word<Word>(lhs + at) ^ read_word<Word>(rhs + at)));
  }
  return difference == 0;
}

/// Says whether two keys of as many bytes are equal. Keys are mostly so short that a call of memcmp would take longer
/// than what it does.
inline bool equal_keys(const char* lhs, const char* rhs, size_t num_bytes) {
  constexpr size_t kMaxInline = 64;
  if (num_bytes > kMaxInline) return std::memcmp(lhs, rhs, num_bytes) == 0;
  if (num_bytes >= sizeof(uint64_t)) return equal_words<uint64_t>(lhs, rhs, num_bytes);
  if (num_bytes >= sizeof(uint32_t)) return equal_words<uint32_t>(lhs, rhs, num_bytes);
  if (num_bytes >= sizeof(uint16_t)) return equal_words<uint16_t>(lhs, rhs, num_bytes);
  return num_bytes == 0 || *lhs == *rhs;
}

}  // namespace accelerant::operators
