#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

/// Strings of some rows, to be copied to one piece. A device has strings as offsets, each row's begin and one more, and
/// their bytes. Offsets have 64 bits: a join can make more than 2^31 bytes of a batch. All is device memory; the result
/// overlaps nothing.
struct StringGather {
  const int64_t* offsets;
  const uint8_t* bytes;       ///< at a multiple of 8; may be read up to the next multiple after their end
  const int32_t* rows;        ///< below 0: an empty string
  int64_t num_rows;           ///< up to 2^31 - 1
  const int64_t* to_offsets;  ///< num_rows + 1: the exclusive scan of `string_sizes`
  int64_t num_bytes;          ///< to_offsets[num_rows]
  uint8_t* to;                ///< num_bytes, at a multiple of 16
};

/// Enqueues: sizes[i] = the bytes of the string of row rows[i], 0 where that is below 0. All is device memory.
void string_sizes(DeviceStream& stream, const int64_t* offsets, const int32_t* rows, int64_t num_rows, int32_t* sizes);

/// Returns the bytes of workspace that `gather_strings` needs: not above 4 and a 512th of the bytes.
int64_t gather_strings_workspace_bytes(int64_t num_bytes);

/// Enqueues: the bytes of `to` from to_offsets[i] on = the string of row rows[i].
void gather_strings(DeviceStream& stream, const StringGather& gather, void* workspace);

/// Offsets and bytes of strings on the host.
struct HostStrings {
  std::vector<int64_t> offsets = {0};
  std::vector<uint8_t> bytes;
};

/// Returns the strings of rows, on the host, as plainly as can be.
HostStrings gather_strings_on_host(const HostStrings& from, std::span<const int32_t> rows);

}  // namespace accelerant::device
