#pragma once

#include "device/stream.h"

#include <cstdint>
#include <vector>

namespace accelerant::device {

/// Returns the bytes of workspace that `compact` needs.
int64_t compact_workspace_bytes(int64_t num_rows);

/// Enqueues: `rows` = the numbers of the rows whose bit is set, ascending, and *num_selected = how many they are. Bit i
/// is bit i % 8 of byte i / 8; bits past `num_rows` may be anything. All is device memory; `rows` has room for as many
/// as bits are set, or for `num_rows`; `bits` may be null where there are no rows. Up to 2^31 - 1 rows.
void compact(DeviceStream& stream, const uint8_t* bits, int64_t num_rows, int32_t* rows, int64_t* num_selected,
             void* workspace);

/// Does the same on the host, as plainly as can be.
std::vector<int32_t> compact_on_host(const uint8_t* bits, int64_t num_rows);

}  // namespace accelerant::device
