#pragma once

#include "base/error.h"

#include <string>

/// What decoders throw of bytes that are not as their format has them.
namespace accelerant::io {

/// @throws Error Resource, always: `what` is wrong; who knows the file adds its name
[[noreturn]] inline void fail_damaged(const char* what) { throw Error(ErrorKind::Resource, what); }
[[noreturn]] inline void fail_damaged(const std::string& what) { throw Error(ErrorKind::Resource, what); }

/// Likewise, of a page that ends too early.
[[noreturn]] inline void fail_short_page() { fail_damaged("a page holds fewer values than it says"); }

}  // namespace accelerant::io
