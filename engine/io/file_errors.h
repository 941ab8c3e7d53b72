#pragma once

namespace accelerant::io {

/// Throws the error that is being handled once more, as Unsupported where it says that a file is damaged or odd: Spark
/// decodes rows one by one, so may not come to such a place, reads some of what the engine does not, and else says
/// itself what is wrong. An exhausted budget stays what it is.
[[noreturn]] void leave_file_to_spark();

}  // namespace accelerant::io
