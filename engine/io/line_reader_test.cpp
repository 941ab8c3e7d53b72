#include "io/line_reader.h"

#include "io/test_files.h"
#include "memory/reservation_probe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::io {

namespace {

struct Line {
  int64_t begin;
  std::string text;
};

/// Finds the lines of a text byte by byte.
std::vector<Line> lines_of(const std::string& text, std::optional<char> separator) {
  const size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  std::vector<Line> lines;
  size_t begin = mark;
  for (size_t at = mark; at < text.size(); ++at) {
    const bool is_end = separator ? text[at] == *separator : text[at] == '\n' || text[at] == '\r';
    if (!is_end) continue;
    lines.push_back({static_cast<int64_t>(lines.empty() ? 0 : begin), text.substr(begin, at - begin)});
    if (!separator && text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
    begin = at + 1;
  }
  if (begin < text.size()) lines.push_back({static_cast<int64_t>(lines.empty() ? 0 : begin), text.substr(begin)});
  return lines;
}

/// Returns what belongs to a part of a file.
std::vector<std::string> lines_of_part(const std::vector<Line>& lines, int64_t start, int64_t end) {
  std::vector<std::string> texts;
  for (const Line& line : lines) {
    if (line.begin <= end && (line.begin > start || start == 0)) texts.push_back(line.text);
  }
  return texts;
}

std::vector<std::string> read(LineReader& reader, int64_t max_lines) {
  std::vector<std::string> texts;
  while (!reader.at_end()) {
    const LineBlock block = reader.next(max_lines);
    EXPECT_LE(static_cast<int64_t>(block.lines.size()), max_lines);
    for (const types::StringRef& line : block.lines) texts.emplace_back(line.data, static_cast<size_t>(line.length));
  }
  return texts;
}

void expect_all_parts(const std::string& text, std::optional<char> separator) {
  const test::TemporaryFile file(text, "lines.txt");
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  const std::vector<Line> lines = lines_of(text, separator);
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t start = 0; start < size; ++start) {
    for (int64_t end = start + 1; end <= size; ++end) {
      LineReader reader(open_bytes(file.path(), start, budget), start, end, separator, budget);
      EXPECT_EQ(read(reader, 1 + (start + end) % 3), lines_of_part(lines, start, end)) << start << " to " << end;
    }
  }
}

TEST(LineReader, GivesEachLineToOnePart) {
  for (const char* text : {"a", "a\n", "\n", "\n\n", "a\nbb\n\nccc", "a\r\nbb\r\n\r\nccc\r\n", "a\rbb\r\rccc\r",
                           "a\n\r\nb\r\r\nc\n\n\rd\r", "\xef\xbb\xbf", "\xef\xbb\xbf\n",
                           "\xef\xbb\xbf"
                           "a\nb\n"}) {
    expect_all_parts(text, std::nullopt);
    expect_all_parts(text, '\n');
    expect_all_parts(text, 'b');
  }
}

TEST(LineReader, ReadsWhatIsLongerThanItReadsAtOnce) {
  const std::string text = "a\n" + std::string(5'000'000, 'x') + "\r\n" + std::string(1'048'575, 'y') + "\r\nb";
  const test::TemporaryFile file(text, "lines.txt");
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  const std::vector<Line> lines = lines_of(text, std::nullopt);
  for (const int64_t start : {0, 1, 2, 1'000'000, 5'000'002, 5'000'003, 5'000'004}) {
    LineReader reader(open_bytes(file.path(), start, budget), start, static_cast<int64_t>(text.size()), std::nullopt,
                      budget);
    EXPECT_EQ(read(reader, 100), lines_of_part(lines, start, static_cast<int64_t>(text.size()))) << start;
  }
}

TEST(LineReader, CanBeAskedAgainWhereItHasToWait) {
  const std::string text = "a\n" + std::string(3'000'000, 'x') + "\nb\n";
  const test::TemporaryFile file(text, "lines.txt");
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  for (int64_t index = 0; index < 4; ++index) {
    LineReader reader(open_bytes(file.path(), 1, budget), 1, static_cast<int64_t>(text.size()), std::nullopt, budget);
    std::vector<std::string> texts;
    bool has_waited = false;
    while (!reader.at_end()) {
      LineBlock block;
      try {
        const memory::ReservationProbe probe(has_waited ? 1'000'000 : index, nullptr);
        block = reader.next(100);
      } catch (const memory::MemoryWait&) {
        has_waited = true;
        continue;
      }
      for (const types::StringRef& line : block.lines) texts.emplace_back(line.data, static_cast<size_t>(line.length));
    }
    EXPECT_EQ(texts, lines_of_part(lines_of(text, std::nullopt), 1, static_cast<int64_t>(text.size()))) << index;
  }
}

TEST(LineReader, SaysWhereAFileStarts) {
  const test::TemporaryFile file("a\nb\n", "lines.txt");
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  LineReader reader(open_bytes(file.path(), 0, budget), 0, 4, std::nullopt, budget);
  EXPECT_TRUE(reader.next(1).starts_file);
  EXPECT_FALSE(reader.next(1).starts_part);
  LineReader second(open_bytes(file.path(), 1, budget), 1, 4, std::nullopt, budget);
  const LineBlock block = second.next(1);
  EXPECT_TRUE(block.starts_part);
  EXPECT_FALSE(block.starts_file);
}

}  // namespace

}  // namespace accelerant::io
