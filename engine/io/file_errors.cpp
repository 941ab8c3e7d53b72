#include "io/file_errors.h"

#include "memory/budget.h"

namespace accelerant::io {

namespace {

/// Throws the error that is being handled once more, unless it says that a file is damaged or odd. Returns what it
/// says.
std::string what_is_odd() {
  try {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource || error.error_class() == memory::kOutOfBudget) throw;
    return error.message();
  }
}

}  // namespace

void leave_file_to_spark() { throw_unsupported(what_is_odd()); }

void leave_file_to_spark(const std::string& uri) { throw unread_file(uri, what_is_odd()); }

Error unread_file(const std::string& uri, const std::string& message) {
  return Error(ErrorKind::Unsupported, message).with_class("FAILED_READ_FILE.NO_HINT", {{"path", uri}});
}

}  // namespace accelerant::io
