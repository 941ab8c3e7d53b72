#include "io/csv_tokens.h"

#include "types/byte_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

namespace accelerant::io {

using types::StringRef;

namespace {

bool is_space(char byte) { return static_cast<unsigned char>(byte) <= ' '; }

StringRef between(const char* begin, const char* end) { return {begin, static_cast<int32_t>(end - begin)}; }

}  // namespace

CsvTokens::CsvTokens(const CsvOptions& options, std::vector<int> wanted)
    : options_(options), wanted_(std::move(wanted)) {}

/// Returns where the next delimiter is, or the end.
const char* CsvTokens::find_delimiter(const char* at, const char* end) const {
  const auto pattern = types::repeat_byte(options_.delimiter);
  for (; at < end; at += types::kWordBytes) {
    const auto marks = types::mark_zero_bytes(types::read_word(at) ^ pattern);
    if (marks != 0) return std::min(at + std::countr_zero(marks) / 8, end);
  }
  return end;
}

/// Takes a value that begins with a quote and returns where it ends; nullptr where it is not plain.
const char* CsvTokens::take_quoted(const char* at, const char* end, StringRef& token) const {
  const char* begin = at + 1;
  const auto* close = static_cast<const char*>(std::memchr(begin, options_.quote, static_cast<size_t>(end - begin)));
  if (!close || (close + 1 != end && close[1] != options_.delimiter)) return nullptr;
  token = between(begin, close);
  const auto has = [&](char byte) { return std::memchr(begin, byte, static_cast<size_t>(token.length)) != nullptr; };
  if (options_.escape != options_.quote && has(options_.escape)) return nullptr;
  if (options_.escape_of_escape != '\0' && has(options_.escape_of_escape)) return nullptr;
  if (token.length == 0) {
    token = {options_.empty_value.data(), static_cast<int32_t>(options_.empty_value.size())};
  }
  return close + 1;
}

/// Says whether univocity's parser, where it passes over a value in quotes, goes on to a later quote: it takes the last
/// quote of "" for an escaped one, where the first can be an escape.
bool CsvTokens::runs_on(const char* begin, const char* at, const char* end) const {
  if (options_.escape != options_.quote || at != begin + 2) return false;
  const auto* next = static_cast<const char*>(std::memchr(at, options_.quote, static_cast<size_t>(end - at)));
  return next && next + 1 != end && next[1] == options_.delimiter;
}

/// Leaves out blanks around a value as far as options say; false where a quote follows them.
bool CsvTokens::trim(StringRef& token) const {
  const char* begin = token.data;
  const char* end = begin + token.length;
  while (options_.trims_begin && begin < end && is_space(*begin)) ++begin;
  while (options_.trims_end && begin < end && is_space(end[-1])) --end;
  token = between(begin, end);
  return begin == end || *begin != options_.quote;
}

/// Returns a value; without bytes where it stands for null.
StringRef CsvTokens::unless_null(StringRef token) const {
  const std::string_view text(token.data, static_cast<size_t>(token.length));
  return text == options_.null_value ? StringRef{nullptr, 0} : token;
}

bool CsvTokens::split(StringRef line, StringRef* tokens) const {
  const char* at = line.data;
  const char* end = at + line.length;
  const bool may_trim = options_.trims_begin || options_.trims_end;
  size_t num_taken = 0;
  for (int column = 0; num_taken < wanted_.size(); ++column) {
    StringRef token;
    const char* begin = at;
    const bool is_wanted = wanted_[num_taken] == column;
    if (at < end && *at == options_.quote) {
      at = take_quoted(at, end, token);
      if (!at || (!is_wanted && runs_on(begin, at, end))) return false;
    } else {
      at = find_delimiter(at, end);
      token = between(begin, at);
      if (may_trim && !trim(token)) return false;
      // What is nothing is null, which the option that spells null says of no other value.
      if (token.length == 0) token.data = nullptr;
    }
    if (is_wanted) tokens[num_taken++] = token.data ? unless_null(token) : token;
    if (at == end) break;
    ++at;
  }
  for (; num_taken < wanted_.size(); ++num_taken) tokens[num_taken] = {nullptr, 0};
  return true;
}

}  // namespace accelerant::io
