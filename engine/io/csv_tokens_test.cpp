#include "io/csv_tokens.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

namespace {

using Texts = std::vector<std::string>;

/// Returns values, "null" and all others in brackets; nothing where a line is not plain.
std::optional<Texts> split(const CsvOptions& options, const std::vector<int>& wanted, const std::string& line) {
  const std::string padded = line + std::string(16, ',');
  std::vector<types::StringRef> tokens(wanted.size());
  const CsvTokens splitter(options, wanted);
  if (!splitter.split({padded.data(), static_cast<int32_t>(line.size())}, tokens.data())) return std::nullopt;
  Texts texts;
  for (const types::StringRef& token : tokens) {
    texts.push_back(token.data ? "[" + std::string(token.data, static_cast<size_t>(token.length)) + "]" : "null");
  }
  return texts;
}

TEST(CsvTokens, TakesWhatIsWanted) {
  const CsvOptions options;
  EXPECT_EQ(split(options, {0, 1, 2}, "a,bb,ccc"), (Texts{"[a]", "[bb]", "[ccc]"}));
  EXPECT_EQ(split(options, {1}, "a,a longer value,c"), (Texts{"[a longer value]"}));
  EXPECT_EQ(split(options, {0, 1, 2}, "a,,"), (Texts{"[a]", "null", "null"}));
  EXPECT_EQ(split(options, {0, 1, 2}, "a"), (Texts{"[a]", "null", "null"}));
  EXPECT_EQ(split(options, {0}, "a,b,c,d"), (Texts{"[a]"}));
  EXPECT_EQ(split(options, {0, 1}, " a , b "), (Texts{"[ a ]", "[ b ]"}));
}

TEST(CsvTokens, TakesPlainQuotes) {
  const CsvOptions options;
  EXPECT_EQ(split(options, {0, 1}, R"("a,b",c)"), (Texts{"[a,b]", "[c]"}));
  EXPECT_EQ(split(options, {0, 1}, R"(c,"a,b")"), (Texts{"[c]", "[a,b]"}));
  EXPECT_EQ(split(options, {1}, R"("a","")"), (Texts{"null"}));
  for (const char* line : {R"("a)", R"("a"b,c)", R"("a""b")", R"("a\"b",c)", R"(")", R"("a" ,b)"}) {
    EXPECT_FALSE(split(options, {0, 1}, line)) << line;
  }
}

TEST(CsvTokens, KnowsWhatUnivocityDropsAndPassesOver) {
  CsvOptions options;
  options.escape_of_escape = 'x';
  EXPECT_FALSE(split(options, {0, 1}, R"(1,"axb")"));
  EXPECT_EQ(split(options, {0, 1}, R"(x,"ab")"), (Texts{"[x]", "[ab]"}));
  options = {};
  options.escape = '"';
  EXPECT_FALSE(split(options, {1}, R"("",5",c)"));
  EXPECT_EQ(split(options, {0, 1}, R"("",5",c)"), (Texts{"null", "[5\"]"}));
  EXPECT_EQ(split(options, {1}, R"("",5" disk,c)"), (Texts{"[5\" disk]"}));
  EXPECT_EQ(split(options, {1}, R"("",5,"")"), (Texts{"[5]"}));
  EXPECT_EQ(split(options, {1}, R"("a",5",c)"), (Texts{"[5\"]"}));
}

TEST(CsvTokens, HonoursOptions) {
  CsvOptions options;
  options.delimiter = '\t';
  options.quote = '\'';
  options.null_value = "NA";
  options.empty_value = "none";
  options.trims_begin = options.trims_end = true;
  EXPECT_EQ(split(options, {0, 1, 2}, " a \t'b'\tNA"), (Texts{"[a]", "[b]", "null"}));
  EXPECT_EQ(split(options, {0, 1, 2}, "  \t''\t'NA'"), (Texts{"null", "[none]", "null"}));
  EXPECT_FALSE(split(options, {0, 1}, " 'a'\tb"));
}

}  // namespace

}  // namespace accelerant::io
