#pragma once

namespace accelerant {

/// Has caches load a line of memory that will be read soon.
inline void prefetch_line(const void* line) {
  __builtin_prefetch(line);
  // gcc 12 takes a function that only prefetches for one without effect, and leaves calls of it out.
  asm volatile("");
}

/// Has caches load a line of memory that will be written soon.
inline void prefetch_line_to_write(const void* line) {
  __builtin_prefetch(line, 1);
  asm volatile("");
}

}  // namespace accelerant
