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
// one call's. Strings that are computed cannot come home; their lengths do, and whether they are what examples say.

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

/// What comes home of a result.
enum class Shown { Value, Length, Equality };

/// A function with arguments and a result of certain types, and the values of the arguments of each call. Of those
/// whose equality is shown, the last argument is what the result is compared with.
struct Signature {
  const Function* function;
  Texts types;
  std::string result;
  const char* zone;
  std::vector<Texts> calls = {};
  Shown shown = Shown::Value;

  std::string shown_type() const {
    if (shown == Shown::Value) return result;
    return shown == Shown::Length ? "int" : "boolean";
  }
  /// E.g. "string/upper".
  std::string name() const {
    const std::string header = expressions::source_of(*function).header;
    return header.substr(header.find('/') + 1, header.rfind('.') - header.find('/') - 1);
  }
};

/// Returns the functions that devices may have: not those over columns.
std::vector<const Function*> scalar_functions() {
  std::vector<const Function*> functions;
  std::ranges::copy_if(expressions::all_functions(), std::back_inserter(functions),
                       [](const Function* function) { return function->columns == nullptr; });
  return functions;
}

/// Why functions stay on the host, by their names; of all signatures.
using Refusals = std::map<std::string, std::string>;

const Refusals& known_refusals() {
  static const Refusals kKnown = [] {
    Refusals known;
    for (const char* name : {"cast/cast_date_to_string",
                             "cast/cast_decimal_to_plain_string",
                             "cast/cast_decimal_to_string",
                             "cast/cast_floating_to_string",
                             "cast/cast_number_to_string",
                             "cast/cast_timestamp_to_string",
                             "datetime/date_format",
                             "datetime/day_name",
                             "datetime/from_unix_time",
                             "datetime/month_name",
                             "interval/interval_text",
                             "string/binary_text",
                             "string/char_type_check",
                             "string/chr",
                             "string/concat",
                             "string/lower",
                             "string/read_side_padding",
                             "string/reverse",
                             "string/string_lpad",
                             "string/string_repeat",
                             "string/string_replace",
                             "string/string_rpad",
                             "string/string_space",
                             "string/upper"}) {
      known[name] = "builds strings";
    }
    for (const char* name : {"cast/cast_date_to_timestamp",
                             "cast/cast_ntz_to_timestamp",
                             "cast/cast_string_to_timestamp",
                             "cast/cast_timestamp_to_date",
                             "cast/cast_timestamp_to_ntz",
                             "datetime/from_utc_timestamp",
                             "datetime/get_timestamp",
                             "datetime/hour",
                             "datetime/minute",
                             "datetime/months_between",
                             "datetime/second",
                             "datetime/second_with_fraction",
                             "datetime/subtract_timestamps",
                             "datetime/timestamp_add",
                             "datetime/timestamp_add_interval",
                             "datetime/timestamp_add_ym_interval",
                             "datetime/timestamp_diff",
                             "datetime/to_unix_timestamp",
                             "datetime/to_unix_timestamp_of_text",
                             "datetime/to_utc_timestamp",
                             "datetime/trunc_timestamp",
                             "datetime/trunc_timestamp_before_43",
                             "datetime/unix_timestamp",
                             "datetime/unix_timestamp_of_text"}) {
      known[name] = "depends on the time zone";
    }
    return known;
  }();
  return kKnown;
}

/// The values that examples have of each type.
using Pool = std::map<std::string, std::set<std::string>>;

Pool example_values() {
  Pool pool = {{"double", {"inf", "-inf", "nan", "-0.0", "1e300", "5e-324"}},
               {"float", {"inf", "-inf", "nan", "-0.0", "1e38"}},
               {"tinyint", {"-128", "127", "0", "-1"}},
               {"smallint", {"-32768", "32767", "0", "-1"}},
               {"int", {"-2147483648", "2147483647", "0", "-1"}},
               {"bigint", {"-9223372036854775808", "9223372036854775807", "0", "-1"}}};
  for (const Function* function : scalar_functions()) {
    for (const Example& example : function->examples) {
      for (const char* argument : example.arguments) {
        if (argument) pool[type_of(argument)].insert(text_of(argument));
      }
    }
  }
  for (auto& [type, values] : pool) values.insert("null");
  return pool;
}

/// Returns what an example calls, and how.
Signature signature_of(const Function& function, const Example& example) {
  Signature signature{&function, {}, type_of(example.result), example.zone};
  signature.calls.emplace_back();
  for (const char* argument : example.arguments) {
    if (!argument) break;
    signature.types.push_back(type_of(argument));
    signature.calls[0].push_back(text_of(argument));
  }
  return signature;
}

/// Compares results with what an example says.
Signature with_equality(Signature signature, const Example& example) {
  signature.shown = Shown::Equality;
  signature.types.push_back(signature.result);
  signature.calls[0].push_back(text_of(example.result));
  return signature;
}

/// Puts the calls of a signature together.
class Signatures {
 public:
  void add(const Signature& signature) {
    std::string key = signature.name() + std::to_string(static_cast<int>(signature.shown));
    for (const std::string& type : signature.types) key += " " + type;
    const auto [place, is_new] = places_.try_emplace(key + " " + signature.result, all_.size());
    if (is_new) {
      all_.push_back(signature);
    } else {
      all_[place->second].calls.push_back(signature.calls[0]);
    }
  }
  std::vector<Signature> take() { return std::move(all_); }

 private:
  std::map<std::string, size_t> places_;
  std::vector<Signature> all_;
};

/// Returns the calls of all functions of a category.
std::vector<Signature> example_signatures(const std::string& category) {
  Signatures signatures;
  for (const Function* function : scalar_functions()) {
    if (!std::string_view(expressions::source_of(*function).header).starts_with("functions/" + category + "/"))
      continue;
    if (function->overloads.empty()) continue;  // it is made of others
    for (const Example& example : function->examples) {
      Signature signature = signature_of(*function, example);
      const bool is_text = expressions::parse_type(signature.result).physical() == types::PhysicalType::String;
      if (is_text) {
        signatures.add(with_equality(signature, example));
        signature.shown = Shown::Length;
      }
      signatures.add(signature);
    }
  }
  return signatures.take();
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
    std::vector<Slot> other;
    if (signature.shown == Shown::Equality) {
      other.push_back(arguments.back());
      arguments.pop_back();
    }
    const Slot result = builder().call(signature.function->description->spark_class, std::move(arguments),
                                       expressions::parse_type(signature.result), mode, 0,
                                       expressions::zone_of_example(signature.zone));
    if (signature.shown == Shown::Value) return result;
    if (signature.shown == Shown::Length) return call("OctetLength", {result}, "int");
    return call("EqualNullSafe", {result, other[0]}, "boolean");
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
      outputs.push_back(
          builder().case_when(branches, std::nullopt, expressions::parse_type(signatures[i].shown_type())));
      first_column += static_cast<int>(signatures[i].types.size());
    }
    project(outputs);
  }

  const Pool pool_ = example_values();
  std::mt19937_64 random_{7};
};

TEST_P(RowCallTest, GivesWhatTheHostGives) {
  const std::string category = GetParam();
  Refusals refusals;
  std::set<std::string> called;
  std::vector<Signature> signatures;
  for (Signature& signature : example_signatures(category)) {
    if (const auto reason = refusal(signature)) {
      refusals[signature.name()] = reason->substr(reason->find(' ') + 1);
    } else {
      called.insert(signature.name());
      draw_calls(signature);
      signatures.push_back(signature);
    }
  }
  // Dealt evenly: a kernel of few calls is held to a budget, in which three of the largest may have no room.
  const size_t num_kernels = (signatures.size() + kMostCalls - 1) / kMostCalls;
  for (size_t i = 0; i < num_kernels; ++i) {
    const auto at = [&](size_t kernel) {
      return signatures.begin() + static_cast<ptrdiff_t>(signatures.size() * kernel / num_kernels);
    };
    compare({at(i), at(i + 1)});
    if (HasFatalFailure()) return;
  }
  Refusals expected;
  for (const auto& [name, reason] : known_refusals()) {
    if (name.starts_with(category + "/")) expected[name] = reason;
    EXPECT_FALSE(called.contains(name)) << name << " is refused in part";
  }
  EXPECT_EQ(refusals, expected);
  EXPECT_GT(num_sound_, 0U) << called.size() << " functions";
}

constexpr const char* kCategories[] = {"arithmetic", "cast",     "comparison", "conditional", "datetime",
                                       "hash",       "interval", "logic",      "string"};

INSTANTIATE_TEST_SUITE_P(Categories, RowCallTest, testing::ValuesIn(kCategories));

TEST(RowCall, HasAllCategories) {
  std::set<std::string> categories;
  for (const Function* function : scalar_functions()) {
    const std::string header = expressions::source_of(*function).header;
    const size_t begin = header.find('/') + 1;
    categories.insert(header.substr(begin, header.find('/', begin) - begin));
  }
  EXPECT_EQ(categories, std::set<std::string>(std::begin(kCategories), std::end(kCategories)));
}

}  // namespace
}  // namespace accelerant::codegen
