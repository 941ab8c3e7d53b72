#include "io/read_options.h"

#include "base/error.h"

#include <algorithm>
#include <cctype>

namespace accelerant::io {

namespace {

/// What Spark says in the place of a value that looks like a secret, as one with "token" or "url" in it does.
constexpr std::string_view kRedacted = "*********(redacted)";

}  // namespace

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

void refuse_option(std::string_view name, std::string_view value) {
  throw_unsupported("read option " + std::string(name) + "=" + std::string(value));
}

ReadOptions::ReadOptions(const std::vector<std::pair<std::string_view, std::string_view>>& options, Setting setting,
                         const std::vector<types::Field>& data_schema)
    : left_(options.begin(), options.end()), setting_(std::move(setting)), data_schema_(data_schema) {}

std::optional<std::string> ReadOptions::take(std::string_view name) {
  const auto found = left_.find(name);
  if (found == left_.end()) return std::nullopt;
  std::optional<std::string> value = std::move(found->second);
  left_.erase(found);
  if (*value == kRedacted) refuse_option(name, *value);
  return value;
}

void ReadOptions::ignore(std::string_view name) {
  const auto found = left_.find(name);
  if (found != left_.end()) left_.erase(found);
}

std::string ReadOptions::setting(std::string_view name, std::string_view otherwise) const {
  std::string value = setting_(name, otherwise);
  if (value == kRedacted) throw_unsupported("setting " + std::string(name) + "=" + value);
  return value;
}

std::optional<std::string> ReadOptions::take(std::string_view name, std::string_view other_name) {
  std::optional<std::string> first = take(name);
  std::optional<std::string> second = take(other_name);
  return first ? first : second;
}

bool ReadOptions::take_flag(std::string_view name, bool otherwise) {
  const std::optional<std::string> value = take(name);
  if (!value) return otherwise;
  const std::string lower = lower_ascii(*value);
  if (lower != "true" && lower != "false") refuse_option(name, *value);
  return lower == "true";
}

void ReadOptions::require(std::string_view name, std::string_view value) {
  const std::optional<std::string> given = take(name);
  if (given && lower_ascii(*given) != lower_ascii(value)) refuse_option(name, *given);
}

std::vector<std::string> ReadOptions::take_those(std::string_view prefix) {
  std::vector<std::string> names;
  for (const auto& [name, value] : left_) {
    if (name.starts_with(prefix)) names.push_back(name);
  }
  for (const std::string& name : names) left_.erase(name);
  return names;
}

void ReadOptions::finish() const {
  for (const auto& [name, value] : left_) {
    if (!name.starts_with("fs.")) refuse_option(name, value);  // those say how Hadoop's file systems connect
  }
}

}  // namespace accelerant::io
