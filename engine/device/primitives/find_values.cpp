#include "device/primitives/find_values.h"

#include "device/kernels/list.h"
#include "device/launch.h"

namespace accelerant::device {

namespace {

constexpr int32_t kThreads = 128;

}  // namespace

void find_levels(DeviceStream& stream, const PageBody* pages, int64_t num_pages, const PageStreams& streams,
                 PageStatus* statuses) {
  if (num_pages == 0) return;
  launch<kernels::FindLevels<kThreads>>(stream, (num_pages + kThreads - 1) / kThreads,
                                        {pages, num_pages, streams, statuses});
}

void find_values(DeviceStream& stream, const PageBody* pages, int64_t num_pages, const PageStreams& streams,
                 PageStatus* statuses) {
  if (num_pages == 0) return;
  launch<kernels::FindValues<kThreads>>(stream, num_pages, {pages, num_pages, streams, statuses});
}

void find_strings(DeviceStream& stream, const StringPage* pages, int64_t num_pages, PageStatus* statuses) {
  if (num_pages == 0) return;
  launch<kernels::FindStrings<kThreads>>(stream, num_pages, {pages, statuses});
}

PageStatus find_strings_on_host(std::span<const uint8_t> data, int64_t num_values, HostStringSpans& to) {
  size_t at = 0;
  for (int64_t i = 0; i < num_values; ++i) {
    if (data.size() - at < 4) return PageStatus::EndsEarly;
    uint32_t size = 0;
    for (size_t k = 0; k < 4; ++k) size |= uint32_t{data[at++]} << (8 * k);
    if (size > data.size() - at) return PageStatus::EndsEarly;
    to.begins.push_back(static_cast<int64_t>(at));
    to.sizes.push_back(static_cast<int32_t>(size));
    at += size;
  }
  return PageStatus::Sound;
}

}  // namespace accelerant::device
