#pragma once

#include "spill/file_system.h"

#include <memory>

namespace accelerant::spill {

/// Returns a file that keeps its bytes in another one as AES-256-CTR makes them, whose counter is a byte's place. The
/// key is random, the file's own, and goes with it. No place may be written twice with other bytes.
/// @throws Error Resource where the system has no key to give
std::unique_ptr<File> encrypted(std::unique_ptr<File> file);

}  // namespace accelerant::spill
