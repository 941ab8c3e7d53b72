#pragma once

/// Marks a function that runs on the host and inside device kernels.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ACC_HD __host__ __device__
#else
#define ACC_HD
#endif

/// Copies bytes that do not overlap.
#if defined(__CUDACC_RTC__)
#define ACC_COPY_BYTES(to, from, num_bytes) memcpy(to, from, num_bytes)
#else
#define ACC_COPY_BYTES(to, from, num_bytes) __builtin_memcpy(to, from, static_cast<unsigned long>(num_bytes))
#endif

/// Inlines a small function even where the compiler's budget says no.
#if defined(__CUDACC_RTC__)
#define ACC_INLINE inline
#else
#define ACC_INLINE inline __attribute__((always_inline))
#endif
