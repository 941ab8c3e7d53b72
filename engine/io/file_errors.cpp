#include "io/file_errors.h"

#include "base/error.h"
#include "memory/budget.h"

namespace accelerant::io {

void leave_file_to_spark() {
  try {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource || error.error_class() == memory::kOutOfBudget) throw;
    throw_unsupported(error.message());
  }
}

}  // namespace accelerant::io
