#include "column_functions/split_pattern.h"

#include "column_functions/java_text.h"

namespace accelerant::column_functions {

namespace {

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_ascii_of_text(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::optional<std::string> text_of_pattern(std::string_view pattern) {
  constexpr std::string_view kMeaningful = "^$.|?*+()[{";
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (kMeaningful.find(pattern[i]) != kMeaningful.npos) return std::nullopt;
    if (pattern[i] == '\\') {
      ++i;
      if (i == pattern.size() || is_letter_or_digit(pattern[i]) || !is_ascii_of_text(pattern[i])) return std::nullopt;
    }
    text += pattern[i];
  }
  const bool is_java_text = is_utf8({pattern.data(), static_cast<int32_t>(pattern.size())});
  return text.empty() || !is_java_text ? std::nullopt : std::optional(text);
}

}  // namespace accelerant::column_functions
