#include "plan/capture.h"

#include "base/error.h"
#include "plan/byte_reader.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace accelerant::plan {

namespace {

[[noreturn]] void fail_line(std::string_view section, std::string_view line) {
  throw Error(ErrorKind::Internal, "malformed captured query: section " + std::string(section) + " has the line '" +
                                       std::string(line) + "'");
}

/// Reads the next section, which must be `name`.
std::string_view read_section(ByteReader& reader, std::string_view name) {
  const std::string_view found = reader.text();
  if (found != name) reader.fail("section '" + std::string(found) + "' where '" + std::string(name) + "' is due");
  return reader.text();
}

/// Calls `visit(line)` for every line; the last one must end like the others.
template <class Visit>
void for_each_line(std::string_view section, std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) fail_line(section, text);
    visit(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

std::string unescape(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char code = text[++i];
    result += code == 'n' ? '\n' : code == 'r' ? '\r' : code == 't' ? '\t' : code;
  }
  return result;
}

/// @param base numbers are to that base; for floats the chars_format
template <class T>
T parse_number(std::string_view section, std::string_view text, auto base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) fail_line(section, text);
  return value;
}

/// Parses what Java's Double.toString writes.
double parse_double(std::string_view section, std::string_view text) {
  if (text == "NaN") return std::nan("");
  if (text == "Infinity") return HUGE_VAL;
  if (text == "-Infinity") return -HUGE_VAL;
  return parse_number<double>(section, text, std::chars_format::general);
}

std::pair<std::string_view, std::string_view> split_at(std::string_view section, std::string_view line,
                                                       char separator) {
  const size_t at = line.find(separator);
  if (at == std::string_view::npos) fail_line(section, line);
  return {line.substr(0, at), line.substr(at + 1)};
}

CapturedFile parse_file(std::string_view line) {
  const auto [path, after_path] = split_at("files", line, '\t');
  const auto [size, after_size] = split_at("files", after_path, '\t');
  const auto [time, hash] = split_at("files", after_size, '\t');
  CapturedFile file;
  file.path = unescape(path);
  file.size_bytes = parse_number<int64_t>("files", size, 10);
  file.modification_millis = parse_number<int64_t>("files", time, 10);
  if (hash != "-") file.tail_hash = parse_number<uint64_t>("files", hash, 16);
  return file;
}

void parse_float(FloatSums& sums, std::string_view name, std::string_view value) {
  if (name == "count") {
    sums.count = parse_number<int64_t>("answer", value, 10);
  } else if (name == "nan") {
    sums.nans = parse_number<int64_t>("answer", value, 10);
  } else if (name == "posinf") {
    sums.positive_infinities = parse_number<int64_t>("answer", value, 10);
  } else if (name == "neginf") {
    sums.negative_infinities = parse_number<int64_t>("answer", value, 10);
  } else if (name == "sum") {
    sums.sum = parse_double("answer", value);
  } else if (name == "abs") {
    sums.magnitude = parse_double("answer", value);
  } else {
    fail_line("answer", name);
  }
}

/// Parses a line "<kind>.<column>.<name>=<value>".
void parse_column(CapturedAnswer& answer, std::string_view name, std::string_view value) {
  const auto [kind, rest] = split_at("answer", name, '.');
  const auto [column_text, what] = split_at("answer", rest, '.');
  const int column = parse_number<int>("answer", column_text, 10);
  if (kind == "float") {
    parse_float(answer.floats[column], what, value);
  } else if (kind == "other" && what == "count") {
    answer.other_counts[column] = parse_number<int64_t>("answer", value, 10);
  } else {
    fail_line("answer", name);
  }
}

void parse_answer_line(CapturedAnswer& answer, std::string_view line) {
  const auto [name, value] = split_at("answer", line, '=');
  if (name == "rows") {
    answer.rows = parse_number<int64_t>("answer", value, 10);
  } else if (name == "hash") {
    answer.hash = parse_number<uint64_t>("answer", value, 16);
  } else if (name == "error.class") {
    answer.error_class = unescape(value);
  } else if (name == "error.condition") {
    answer.error_condition = unescape(value);
  } else {
    parse_column(answer, name, value);
  }
}

std::vector<uint8_t> to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

std::string_view Capture::setting(std::string_view name) const {
  for (const auto& [key, value] : settings) {
    if (key == name) return value;
  }
  return "";
}

std::string escape(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    const char code = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c;
    if (code != c || c == '\\') escaped += '\\';
    escaped += code;
  }
  return escaped;
}

Capture decode_capture(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes, "captured query");
  reader.header(kCaptureMagic, kCaptureVersion);
  Capture capture;
  capture.plan = to_bytes(read_section(reader, "plan"));
  capture.splits = to_bytes(read_section(reader, "splits"));
  capture.options = read_section(reader, "options");
  for_each_line("settings", read_section(reader, "settings"), [&](std::string_view line) {
    const auto [name, value] = split_at("settings", line, '=');
    capture.settings.emplace_back(std::string(name), unescape(value));
  });
  for_each_line("files", read_section(reader, "files"),
                [&](std::string_view line) { capture.files.push_back(parse_file(line)); });
  for_each_line("answer", read_section(reader, "answer"),
                [&](std::string_view line) { parse_answer_line(capture.answer, line); });
  if (!read_section(reader, "end").empty()) reader.fail("section 'end' is not empty");
  reader.expect_end();
  return capture;
}

}  // namespace accelerant::plan
