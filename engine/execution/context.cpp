#include "execution/context.h"

#include "base/error.h"

namespace accelerant::execution {

void Cancellation::check() const {
  if (is_cancelled()) throw Error(ErrorKind::Cancelled, "the query was cancelled");
}

}  // namespace accelerant::execution
