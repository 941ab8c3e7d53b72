#pragma once

/// Marks a function that runs on the host and inside device kernels.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ACC_HD __host__ __device__
#else
#define ACC_HD
#endif

/// Inlines a small function even where the compiler's budget says no.
#if defined(__CUDACC_RTC__)
#define ACC_INLINE inline
#else
#define ACC_INLINE inline __attribute__((always_inline))
#endif
