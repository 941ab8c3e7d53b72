#include "base/error.h"
#include "codegen/test_rows.h"
#include "columns/test_columns.h"

#include <random>

// Random steps over random rows: what the device makes of each row is compared with what the host makes of it.

namespace accelerant::codegen {
namespace {

using expressions::EvalMode;
using test::Slot;
using test::Texts;

/// The columns that every pipeline starts from; the last is a dictionary.
struct Source {
  const char* type;
  Texts values;
};
const Source kSources[] = {
    {"int", {"0", "1", "-1", "7", "2147483647", "-2147483648", "null"}},
    {"int", {"1", "2", "0", "null", "31", "32"}},
    {"bigint", {"0", "5", "-5", "9223372036854775807", "-9223372036854775808", "null"}},
    {"double", {"0.5", "-0.0", "nan", "inf", "1e300", "null"}},
    {"decimal(9,2)", {"0.00", "0.01", "-1.50", "9999999.99", "null"}},
    {"decimal(38,4)", {"1.5000", "0.0000", "-9999999999999999999999999999999999.9999", "null"}},
    {"boolean", {"true", "false", "null"}},
    {"date", {"1970-01-01", "1995-03-15", "null"}},
    {"string", {"a", "b", "a string of more than twelve bytes", "null"}},
    {"string", {"b", "a", "a long entry of the dictionary"}},
};

class RandomStepsTest : public test::RowsTest, public testing::WithParamInterface<int> {
 protected:
  size_t below(size_t n) { return random_() % n; }
  const std::string& any_of(const Texts& texts) { return texts[below(texts.size())]; }
  EvalMode mode() { return below(4) == 0 ? EvalMode::Ansi : below(2) == 0 ? EvalMode::Legacy : EvalMode::Try; }

  void draw_rows(int64_t num_rows) {
    for (const Source& source : kSources) {
      Texts texts;
      for (int64_t row = 0; row < num_rows; ++row) texts.push_back(any_of(source.values));
      column(source.type, texts);
    }
    std::vector<std::optional<int32_t>> codes;
    for (int64_t row = 0; row < num_rows; ++row) codes.push_back(static_cast<int32_t>(below(3)));
    for (auto& code : codes) {
      if (below(8) == 0) code.reset();
    }
    add(columns::test::make_dictionary(columns::test::make_strings({"a", "b", "an entry of more than twelve bytes"}),
                                       codes));
  }

  /// Returns a value of a type, from calls nested at most so deep.
  Slot draw(const std::string& type, int depth) {
    if (depth == 0) return leaf(type);
    switch (below(type == "string" || type == "date" ? 3 : 5)) {
      case 0:
        return leaf(type);
      case 1:
        return builder().case_when({{draw("boolean", depth - 1), draw(type, depth - 1)}}, draw(type, depth - 1),
                                   expressions::parse_type(type));
      case 2:
        return builder().coalesce({draw(type, depth - 1), draw(type, depth - 1)}, expressions::parse_type(type));
      default:
        return type == "boolean" ? condition(depth) : number(type, depth);
    }
  }

 private:
  Slot leaf(const std::string& type) {
    std::vector<int> columns;
    for (int i = 0; i <= static_cast<int>(std::size(kSources)); ++i) {
      const bool is_coded = i == static_cast<int>(std::size(kSources));
      if ((is_coded ? "string" : kSources[i].type) == type) columns.push_back(i);
    }
    const size_t choice = below(columns.size() + 1);
    if (choice < columns.size()) return input(columns[choice]);
    return literal((any_of(source_of(type).values) + " " + type).c_str());
  }

  static const Source& source_of(const std::string& type) {
    return *std::ranges::find_if(kSources, [&](const Source& source) { return source.type == type; });
  }

  Slot condition(int depth) {
    const Source& source = kSources[below(std::size(kSources))];
    const std::string type = source.type;
    switch (below(6)) {
      case 0:
        return builder().conjunction({draw("boolean", depth - 1), draw("boolean", depth - 1)});
      case 1:
        return builder().disjunction({draw("boolean", depth - 1), draw("boolean", depth - 1)});
      case 2:
        return call("Not", {draw("boolean", depth - 1)}, "boolean");
      case 3:
        return call("IsNull", {draw(type, depth - 1)}, "boolean");
      case 4:
        return builder().in_list(draw(type, depth - 1), expressions::parse_column(type, source.values));
      default: {
        const Texts names = {"EqualTo", "EqualNullSafe", "LessThan", "GreaterThanOrEqual"};
        return call(any_of(names).c_str(), {draw(type, depth - 1), draw(type, depth - 1)}, "boolean");
      }
    }
  }

  Slot number(const std::string& type, int depth) {
    if (type == "int" && below(3) == 0) return call("Length", {draw("string", depth - 1)}, "int");
    const Texts names = type.starts_with("decimal") ? Texts{"Add", "Subtract"}
                        : type == "double"          ? Texts{"Add", "Multiply", "Divide"}
                                                    : Texts{"Add", "Subtract", "Multiply", "Remainder"};
    return call(any_of(names).c_str(), {draw(type, depth - 1), draw(type, depth - 1)}, type.c_str(), mode());
  }

  std::mt19937_64 random_{static_cast<uint64_t>(GetParam())};
};

TEST_P(RandomStepsTest, GiveWhatTheHostGives) {
  constexpr int kDepth = 4;
  draw_rows(device::emulator::kTestSizes[static_cast<size_t>(GetParam()) % 6]);
  if (below(4) > 0) filter({draw("boolean", kDepth), draw("boolean", kDepth)});
  std::vector<Slot> outputs;
  for (int i = 0; i <= static_cast<int>(std::size(kSources)); ++i) outputs.push_back(input(i));
  for (const Source& source : kSources) {
    if (std::string_view(source.type) != "string") outputs.push_back(draw(source.type, kDepth));
  }
  project(outputs);
  ASSERT_EQ(FusedRows::refusal_of(steps_), std::nullopt);
  expect_equal_rows();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomStepsTest, testing::Range(0, 10));

}  // namespace
}  // namespace accelerant::codegen
