#pragma once

#include "device/kernels/find_values.h"
#include "device/page_status.h"
#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

using kernels::ByteSpan;
using kernels::PageBody;
using kernels::PageStreams;
using kernels::StringPage;
using kernels::StringTable;

// Pages may hold anything: nothing is read but their bytes. All is device memory, `pages` included. What is found in
// page i has place i of each array of `streams`; what a page has none of stays as it is.

/// Enqueues: where the levels and the values of each page lie, and statuses[i] = what was found in page i, which is not
/// sound where the page ends before its levels do: then nothing is written.
void find_levels(DeviceStream& stream, const PageBody* pages, int64_t num_pages, const PageStreams& streams,
                 PageStatus* statuses);

/// Enqueues, after the levels were expanded to `level_bytes`: by which primitive the values of each page are expanded,
/// and how they are placed then.
void find_values(DeviceStream& stream, const PageBody* pages, int64_t num_pages, const PageStreams& streams,
                 PageStatus* statuses);

/// Enqueues: for each page, the places and sizes of its first `num_values` strings in the table, and statuses[i] = what
/// was found in page i. Only places of its strings are written.
void find_strings(DeviceStream& stream, const StringPage* pages, int64_t num_pages, PageStatus* statuses);

/// Where the strings of a page lie, on the host.
struct HostStringSpans {
  std::vector<int64_t> begins;
  std::vector<int32_t> sizes;
};

/// Does for one page on the host, as plainly as can be, what find_strings does.
PageStatus find_strings_on_host(std::span<const uint8_t> data, int64_t num_values, HostStringSpans& to);

}  // namespace accelerant::device
