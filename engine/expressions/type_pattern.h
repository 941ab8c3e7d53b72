#pragma once

#include "types/data_type.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::expressions {

/// The types that a function over columns takes and gives, read from a text such as "map<K, V>, K -> V". A capital
/// letter stands for one type, the same wherever it stands; "any" for any type, "struct" for any struct. "..." after
/// the last argument says that there may be any number of such. Whether elements may be null counts nowhere.
class TypePattern {
 public:
  /// @throws Error Internal where the text is none
  explicit TypePattern(std::string_view text);

  bool matches(std::span<const types::DataType> arguments, const types::DataType& result) const;
  /// Returns what stands for the arguments, e.g. "map<K, V>,K", and for the result.
  const std::string& arguments_text() const { return arguments_text_; }
  const std::string& result_text() const { return result_.text; }

 private:
  /// One type: a name, perhaps with others in brackets.
  struct Term {
    std::string name;
    std::vector<Term> members;
    std::string text;
  };
  using Variables = std::map<char, types::DataType>;

  static Term parse_term(std::string_view& text);
  static bool fits(const Term& term, const types::DataType& type, Variables& variables);

  std::vector<Term> arguments_;
  bool is_variadic_ = false;
  Term result_;
  std::string arguments_text_;
};

}  // namespace accelerant::expressions
