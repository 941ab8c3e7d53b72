#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_ARITHMETIC(F)           \
  F(add, Add)                                 \
  F(subtract, Subtract)                       \
  F(multiply, Multiply)                       \
  F(divide, Divide)                           \
  F(integral_divide, IntegralDivide)          \
  F(remainder, Remainder)                     \
  F(unary_minus, UnaryMinus)                  \
  F(abs, Abs)                                 \
  F(bitwise_not, BitwiseNot)                  \
  F(bitwise_and, BitwiseAnd)                  \
  F(bitwise_or, BitwiseOr)                    \
  F(bitwise_xor, BitwiseXor)                  \
  F(shift_left, ShiftLeft)                    \
  F(shift_right, ShiftRight)                  \
  F(shift_right_unsigned, ShiftRightUnsigned) \
  F(pmod, Pmod)                               \
  F(signum, Signum)                           \
  F(round, Round)                             \
  F(b_round, BRound)                          \
  F(ceil, Ceil)                               \
  F(floor, Floor)                             \
  F(round_ceil, RoundCeil)                    \
  F(round_floor, RoundFloor)                  \
  F(bitmap_bucket_number, BitmapBucketNumber) \
  F(bitmap_bit_position, BitmapBitPosition)
