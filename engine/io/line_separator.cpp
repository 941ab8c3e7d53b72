#include "io/line_separator.h"

#include <string>

namespace accelerant::io {

std::optional<char> take_line_separator(ReadOptions& options) {
  const std::optional<std::string> separator = options.take("linesep");
  if (!separator) return std::nullopt;
  if (separator->size() != 1 || static_cast<unsigned char>(separator->front()) > 0x7f) {
    refuse_option("linesep", *separator);
  }
  return separator->front();
}

}  // namespace accelerant::io
