#include "base/error.h"

namespace accelerant {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::User:
      return "USER";
    case ErrorKind::Unsupported:
      return "UNSUPPORTED";
    case ErrorKind::Resource:
      return "RESOURCE";
    case ErrorKind::Cancelled:
      return "CANCELLED";
    case ErrorKind::Internal:
      return "INTERNAL";
  }
  return "INTERNAL";
}

Error& Error::with_class(std::string error_class, std::vector<std::pair<std::string, std::string>> parameters) {
  error_class_ = std::move(error_class);
  parameters_ = std::move(parameters);
  return *this;
}

Error& Error::at_plan_node(int node) {
  if (plan_node_ < 0) plan_node_ = node;
  return *this;
}

Error& Error::at_expression(int node) {
  if (expression_ < 0) expression_ = node;
  return *this;
}

Error& Error::with_context(std::string_view text) {
  message_ = std::string(text) + ": " + message_;
  return *this;
}

void fail_check(const char* condition, const char* file, int line) {
  throw Error(ErrorKind::Internal,
              std::string("broken invariant ") + condition + " at " + file + ":" + std::to_string(line));
}

void throw_unsupported(std::string message) { throw Error(ErrorKind::Unsupported, std::move(message)); }

}  // namespace accelerant
