#include "base/error.h"
#include "codegen/test_rows.h"
#include "expressions/registry.h"
#include "types/decimal.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

// Calls every function that has examples on a device with the arguments of its examples and with others of their
// types, in the three modes, and compares each row with the host's. Calls of several functions share a kernel: a row is
// one call's.

namespace accelerant::codegen {
namespace {

using expressions::EvalMode;
using expressions::Function;
using functions::Example;
using test::Slot;
using test::Texts;

constexpr EvalMode kModes[] = {EvalMode::Legacy, EvalMode::Ansi, EvalMode::Try};
constexpr size_t kMostCalls = 10;  // of a kernel, whose arguments are limited
constexpr size_t kNumDrawn = 24;   // calls with arguments that are drawn

std::string type_of(std::string_view example) { return std::string(example.substr(example.rfind(' ') + 1)); }
std::string text_of(std::string_view example) { return std::string(example.substr(0, example.rfind(' '))); }

/// A function with arguments and a result of certain types, and the values of the arguments of each call.
struct Signature {
  const Function* function;
  Texts types;
  std::string result;
  const char* zone;
  std::vector<Texts> calls = {};
};

/// The values that examples have of each type.
using Pool = std::map<std::string, std::set<std::string>>;

Pool example_values() {
  Pool pool = {{"double", {"inf", "-inf", "nan", "-0.0", "1e300", "5e-324"}},
               {"float", {"inf", "-inf", "nan", "-0.0", "1e38"}},
               {"tinyint", {"-128", "127", "0", "-1"}},
               {"smallint", {"-32768", "32767", "0", "-1"}},
               {"int", {"-2147483648", "2147483647", "0", "-1"}},
               {"bigint", {"-9223372036854775808", "9223372036854775807", "0", "-1"}}};
  for (const Function* function : expressions::all_functions()) {
    for (const Example& example : function->examples) {
      for (const char* argument : example.arguments) {
        if (argument) pool[type_of(argument)].insert(text_of(argument));
      }
    }
  }
  for (auto& [type, values] : pool) values.insert("null");
  return pool;
}

std::vector<Signature> example_signatures() {
  std::map<std::string, size_t> places;
  std::vector<Signature> signatures;
  for (const Function* function : expressions::all_functions()) {
    for (const Example& example : function->examples) {
      Signature signature{function, {}, type_of(example.result), example.zone};
      Texts values;
      std::string key = std::string(function->description->spark_class) + expressions::source_of(*function).header;
      for (const char* argument : example.arguments) {
        if (!argument) break;
        signature.types.push_back(type_of(argument));
        values.push_back(text_of(argument));
        key += " " + signature.types.back();
      }
      const auto [place, is_new] = places.try_emplace(key + " " + signature.result, signatures.size());
      if (is_new) signatures.push_back(std::move(signature));
      signatures[place->second].calls.push_back(std::move(values));
    }
  }
  return signatures;
}

class RowCallTest : public test::RowsTest, public testing::WithParamInterface<const char*> {
 protected:
  /// Adds calls with other values, and examples without one of their arguments.
  void draw_calls(Signature& signature) {
    const size_t num_examples = signature.calls.size();
    for (size_t i = 0; i < num_examples; ++i) {
      for (size_t k = 0; k < signature.types.size(); ++k) {
        signature.calls.push_back(signature.calls[i]);
        signature.calls.back()[k] = "null";
      }
    }
    for (size_t i = 0; i < kNumDrawn; ++i) {
      Texts& call = signature.calls.emplace_back();
      for (const std::string& type : signature.types) {
        const std::set<std::string>& values = pool_.at(type);
        call.push_back(*std::next(values.begin(), static_cast<int64_t>(random_() % values.size())));
      }
    }
  }

  Slot call_of(const Signature& signature, int first_column, EvalMode mode) {
    std::vector<Slot> arguments;
    for (size_t k = 0; k < signature.types.size(); ++k) arguments.push_back(input(first_column + static_cast<int>(k)));
    return builder().call(signature.function->description->spark_class, std::move(arguments),
                          expressions::parse_type(signature.result), mode, 0,
                          expressions::zone_of_example(signature.zone));
  }

  /// Says why a device cannot call a function.
  std::optional<std::string> refusal(const Signature& signature) {
    start_again();
    for (const std::string& type : signature.types) column(type.c_str(), {});
    project({call_of(signature, 0, EvalMode::Ansi)});
    return FusedRows::refusal_of(steps_);
  }

  /// Compares calls: the rows of one are null for the others, whose CASE takes no branch there.
  void compare(const std::vector<Signature>& signatures) {
    start_again();
    Texts chosen;
    std::vector<std::vector<Texts>> arguments(signatures.size());
    for (size_t i = 0; i < signatures.size(); ++i) arguments[i].resize(signatures[i].types.size());
    for (size_t i = 0; i < signatures.size(); ++i) {
      for (size_t mode = 0; mode < std::size(kModes); ++mode) {
        for (const Texts& call : signatures[i].calls) {
          chosen.push_back(std::to_string(i * std::size(kModes) + mode));
          append_row(arguments, i, call);
        }
      }
    }
    column("int", chosen);
    for (size_t i = 0; i < signatures.size(); ++i) {
      for (size_t k = 0; k < arguments[i].size(); ++k) column(signatures[i].types[k].c_str(), arguments[i][k]);
    }
    project_calls(signatures);
    expect_equal_rows();
  }

 private:
  static void append_row(std::vector<std::vector<Texts>>& arguments, size_t called, const Texts& call) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      for (size_t k = 0; k < arguments[i].size(); ++k) arguments[i][k].push_back(i == called ? call[k] : "null");
    }
  }

  void project_calls(const std::vector<Signature>& signatures) {
    std::vector<Slot> outputs;
    int first_column = 1;
    for (size_t i = 0; i < signatures.size(); ++i) {
      std::vector<std::pair<Slot, Slot>> branches;
      for (size_t mode = 0; mode < std::size(kModes); ++mode) {
        const std::string number = std::to_string(i * std::size(kModes) + mode) + " int";
        const Slot condition = call("EqualTo", {input(0), literal(number.c_str())}, "boolean");
        branches.emplace_back(condition, call_of(signatures[i], first_column, kModes[mode]));
      }
      outputs.push_back(builder().case_when(branches, std::nullopt, expressions::parse_type(signatures[i].result)));
      first_column += static_cast<int>(signatures[i].types.size());
    }
    project(outputs);
  }

  const Pool pool_ = example_values();
  std::mt19937_64 random_{7};
};

/// Says whether a function may stay on the host.
bool may_be_refused(const std::string& reason) {
  for (const char* known : {"builds strings", "strings that are computed", "time zone", "values of type"}) {
    if (reason.find(known) != std::string::npos) return true;
  }
  return false;
}

TEST_P(RowCallTest, GivesWhatTheHostGives) {
  std::vector<Signature> together;
  std::set<std::string> called;
  std::vector<Signature> signatures = example_signatures();
  std::erase_if(signatures, [](const Signature& signature) {
    return !std::string_view(expressions::source_of(*signature.function).header)
                .starts_with(std::string("functions/") + GetParam() + "/");
  });
  for (Signature& signature : signatures) {
    SCOPED_TRACE(signature.function->description->spark_class);
    if (const auto reason = refusal(signature)) {
      EXPECT_TRUE(may_be_refused(*reason)) << *reason;
    } else {
      called.insert(signature.function->description->spark_class);
      draw_calls(signature);
      together.push_back(signature);
    }
    if (together.size() == kMostCalls || (&signature == &signatures.back() && !together.empty())) {
      compare(together);
      together.clear();
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(num_sound_, 0U) << called.size() << " functions";
}

INSTANTIATE_TEST_SUITE_P(Categories, RowCallTest,
                         testing::Values("arithmetic", "cast", "comparison", "conditional", "datetime", "interval",
                                         "logic", "string"));

}  // namespace
}  // namespace accelerant::codegen
