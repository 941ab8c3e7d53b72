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

/// Compares bytes as unsigned: negative, 0, positive.
#if defined(__CUDACC_RTC__)
#define ACC_COMPARE_BYTES(lhs, rhs, num_bytes) accelerant::types::compare_bytes(lhs, rhs, num_bytes)
#else
#define ACC_COMPARE_BYTES(lhs, rhs, num_bytes) __builtin_memcmp(lhs, rhs, static_cast<unsigned long>(num_bytes))
#endif

#if defined(__CUDACC_RTC__)
#define ACC_SQUARE_ROOT(value) sqrt(value)
#else
#define ACC_SQUARE_ROOT(value) __builtin_sqrt(value)
#endif

/// Before a loop: how many rounds of it a device compiler lays out one after the other.
#if defined(__CUDACC_RTC__)
#define ACC_PRAGMA(text) _Pragma(#text)
#define ACC_UNROLL(count) ACC_PRAGMA(unroll(count))
#else
#define ACC_UNROLL(count)
#endif

/// Keeps a large function out of those that call it, on a device.
#if defined(__CUDACC_RTC__)
#define ACC_OUTLINE __noinline__
#else
#define ACC_OUTLINE
#endif

/// Inlines a small function even where the compiler's budget says no.
#if defined(__CUDACC_RTC__)
#define ACC_INLINE inline
#else
#define ACC_INLINE inline __attribute__((always_inline))
#endif
