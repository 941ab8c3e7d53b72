#pragma once

#include <bit>
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

/// Longer keys are left to the functions of the C library.
inline constexpr size_t kMaxInlineKeyBytes = 64;

/// Says whether two keys of as many bytes are equal. Keys are mostly so short that a call of memcmp would take longer
/// than what it does.
inline bool equal_keys(const char* lhs, const char* rhs, size_t num_bytes) {
  constexpr size_t kWord = sizeof(uint64_t);
  if (num_bytes - kWord <= kWord) {
    // One or two words, without a loop: most keys of groups.
    const size_t last = num_bytes - kWord;
    return ((read_word<uint64_t>(lhs) ^ read_word<uint64_t>(rhs)) |
            (read_word<uint64_t>(lhs + last) ^ read_word<uint64_t>(rhs + last))) == 0;
  }
  if (num_bytes > kMaxInlineKeyBytes) return std::memcmp(lhs, rhs, num_bytes) == 0;
  if (num_bytes >= sizeof(uint64_t)) return equal_words<uint64_t>(lhs, rhs, num_bytes);
  if (num_bytes >= sizeof(uint32_t)) return equal_words<uint32_t>(lhs, rhs, num_bytes);
  if (num_bytes >= sizeof(uint16_t)) return equal_words<uint16_t>(lhs, rhs, num_bytes);
  return num_bytes == 0 || *lhs == *rhs;
}

template <class Word>
void copy_words(char* to, const char* from, size_t num_bytes) {
  const size_t last = num_bytes - sizeof(Word);
  for (size_t at = 0; at < last; at += sizeof(Word)) std::memcpy(to + at, from + at, sizeof(Word));
  std::memcpy(to + last, from + last, sizeof(Word));
}

/// Copies a key to where no part of it lies, without a call of memcpy where it is short.
inline void copy_key(char* to, const char* from, size_t num_bytes) {
  if (num_bytes > kMaxInlineKeyBytes) {
    std::memcpy(to, from, num_bytes);
  } else if (num_bytes >= sizeof(uint64_t)) {
    copy_words<uint64_t>(to, from, num_bytes);
  } else if (num_bytes >= sizeof(uint32_t)) {
    copy_words<uint32_t>(to, from, num_bytes);
  } else {
    for (size_t i = 0; i < num_bytes; ++i) to[i] = from[i];
  }
}

/// Hashes at most 16 bytes.
inline uint64_t hash_short_key(const char* key, size_t num_bytes) {
  constexpr uint64_t kFirst = 0xa0761d6478bd642f;
  constexpr uint64_t kSecond = 0xe7037ed1a0b428db;
  uint64_t first = 0;
  uint64_t second = 0;
  if (num_bytes >= sizeof(uint64_t)) {
    first = read_word<uint64_t>(key);
    second = read_word<uint64_t>(key + num_bytes - sizeof(uint64_t));
  } else if (num_bytes >= sizeof(uint32_t)) {
    first = read_word<uint32_t>(key);
    second = read_word<uint32_t>(key + num_bytes - sizeof(uint32_t));
  } else {
    for (size_t i = 0; i < num_bytes; ++i) first = first << 8 | static_cast<unsigned char>(key[i]);
  }
  const auto mixed = static_cast<unsigned __int128>(first ^ kFirst) * (second ^ kSecond);
  // The product is 0 where one factor is, whatever the other one.
  const uint64_t both = first + std::rotl(second, 32);
  const auto folded = static_cast<uint64_t>(mixed >> 64) ^ static_cast<uint64_t>(mixed) ^ both ^ num_bytes;
  const auto spread = static_cast<unsigned __int128>(folded ^ kSecond) * kFirst;
  return static_cast<uint64_t>(spread >> 64) ^ static_cast<uint64_t>(spread);
}

}  // namespace accelerant::operators
