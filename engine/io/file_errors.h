#pragma once

#include "base/error.h"

#include <string>

namespace accelerant::io {

/// Throws the error that is being handled once more, as Unsupported where it says that a file is damaged or odd: Spark
/// decodes rows one by one, so may not come to such a place, reads some of what the engine does not, and else says
/// itself what is wrong. An exhausted budget stays what it is.
[[noreturn]] void leave_file_to_spark();
/// Likewise; names the file as Spark does, for readers that Spark can't take over from.
[[noreturn]] void leave_file_to_spark(const std::string& uri);

/// Returns the error of a file that is damaged or odd.
Error unread_file(const std::string& uri, const std::string& message);

}  // namespace accelerant::io
