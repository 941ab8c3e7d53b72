#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_STRING(F)             \
  F(starts_with, StartsWith)                \
  F(ends_with, EndsWith)                    \
  F(contains, Contains)                     \
  F(like, Like)                             \
  F(substring, Substring)                   \
  F(substring_of_binary, SubstringOfBinary) \
  F(substring_index, SubstringIndex)        \
  F(string_instr, StringInstr)              \
  F(string_locate, StringLocate)            \
  F(find_in_set, FindInSet)                 \
  F(length, Length)                         \
  F(length_of_binary, LengthOfBinary)       \
  F(octet_length, OctetLength)              \
  F(bit_length, BitLength)                  \
  F(ascii, Ascii)                           \
  F(chr, Chr)                               \
  F(string_trim, StringTrim)                \
  F(string_trim_left, StringTrimLeft)       \
  F(string_trim_right, StringTrimRight)     \
  F(concat, Concat)                         \
  F(string_repeat, StringRepeat)            \
  F(string_space, StringSpace)              \
  F(string_replace, StringReplace)          \
  F(string_lpad, StringLPad)                \
  F(string_rpad, StringRPad)                \
  F(upper, Upper)                           \
  F(lower, Lower)                           \
  F(reverse, Reverse)                       \
  F(empty2_null, Empty2Null)                \
  F(binary_text, BinaryText)                \
  F(concat_ws, ConcatWs)                    \
  F(to_pretty_string, ToPrettyString)       \
  F(read_side_padding, ReadSidePadding)     \
  F(char_type_check, CharTypeCheck)         \
  F(varchar_type_check, VarcharTypeCheck)   \
  F(bitmap_count, BitmapCount)
