#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant {

/// Says who is at fault, and so what the caller may do about it.
enum class ErrorKind {
  User,         ///< the data or the query; raised to the user as Spark's own exception
  Unsupported,  ///< Spark should run it
  Resource,     ///< memory, files, disk
  Cancelled,    ///< the query was stopped from outside
  Internal,     ///< a broken invariant of ours
};

/// Returns the kind's name as the JVM side spells it, e.g. "USER".
std::string_view to_string(ErrorKind kind);

/// Ends a query. Thrown by the engine, caught once at the C ABI.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  /// Names Spark's error class and its message parameters (name, value pairs).
  Error& with_class(std::string error_class, std::vector<std::pair<std::string, std::string>> parameters = {});
  /// Names the plan node, by its index in the plan message, unless one was named already.
  Error& at_plan_node(int node);
  /// Names the expression, by its index in the plan message, unless one was named already.
  Error& at_expression(int node);
  /// Puts "text: " in front of the message.
  Error& with_context(std::string_view text);

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& error_class() const { return error_class_; }
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }
  int plan_node() const { return plan_node_; }
  int expression() const { return expression_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string error_class_;
  std::vector<std::pair<std::string, std::string>> parameters_;
  int plan_node_ = -1;
  int expression_ = -1;
};

/// Throws Error{Internal} naming the condition and its place. Called by ACC_CHECK.
[[noreturn]] void fail_check(const char* condition, const char* file, int line);

/// Throws Error{Unsupported, message}.
[[noreturn]] void throw_unsupported(std::string message);

}  // namespace accelerant

/// Checks an invariant in every build; a broken one ends the query as an internal error, never the process.
#define ACC_CHECK(condition)                                  \
  (__builtin_expect(static_cast<bool>(condition), 1) ? void() \
                                                     : ::accelerant::fail_check(#condition, __FILE__, __LINE__))

/// Checks an invariant in hot loops, in builds with assertions only.
#ifdef NDEBUG
#define ACC_DCHECK(condition) static_cast<void>(0)
#else
#define ACC_DCHECK(condition) ACC_CHECK(condition)
#endif
