#pragma once

#include "device/emulator/block.h"
#include "device/stream.h"

namespace accelerant::device {

/// Enqueues `blocks` blocks of a kernel, more than 0, on a copy of its arguments.
template <class Kernel>
void launch(DeviceStream& stream, int64_t blocks, const typename Kernel::Arguments& arguments) {
  stream.launch(emulator::entry_of<Kernel>(), blocks, &arguments);
}

}  // namespace accelerant::device
