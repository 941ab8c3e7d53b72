#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_HASH(F)                                \
  F(murmur3_hash, Murmur3Hash)                               \
  F(collation_aware_murmur3_hash, CollationAwareMurmur3Hash) \
  F(xx_hash64_of_value, XxHash64)
