#pragma once

#include "functions/cast/digits_before_java19.h"
#include "functions/cast/shortest_digits.h"
#include "types/text.h"

/// Numbers as java.lang.Double and java.lang.Float write them.
namespace accelerant::functions {

/// The first Java that writes the shortest digits.
inline constexpr int32 kShortestSinceJava = 19;

/// Returns the digits that a Java of some version writes a positive, finite number with.
template <class F>
ACC_HD inline JavaDigits java_digits(F magnitude, int32 java) {
  const BinaryNumber number = BinaryNumber::of(magnitude);
  if (java < kShortestSinceJava) return DigitsBeforeJava19::of(number);
  if (number.exponent >= -60 && number.exponent <= 60) return ShortestDigits<kFewLimbs>(number).generate(number);
  return ShortestDigits<kManyLimbs>(number).generate(number);
}

/// Adds digits as Java lays them out: with an exponent below 0.001 and from 10 million on.
template <int N>
ACC_HD inline void add_digits(types::Text<N>& text, const JavaDigits& number) {
  const bool has_exponent = number.exponent <= -3 || number.exponent >= 8;
  const int32 before_point = has_exponent ? 1 : number.exponent;
  if (before_point <= 0) text.add("0.");
  for (int32 i = before_point; i < 0; ++i) text.add('0');
  const int32 count = number.count > before_point ? number.count : before_point + 1;
  for (int32 i = 0; i < count; ++i) {
    if (i > 0 && i == before_point) text.add('.');
    text.add(i < number.count ? number.digits[i] : '0');
  }
  if (!has_exponent) return;
  text.add('E');
  const int32 exponent = number.exponent - 1;
  if (exponent < 0) text.add('-');
  text.add_digits(static_cast<uint32>(exponent < 0 ? -exponent : exponent));
}

/// Returns what Java's toString gives for a number.
template <class F>
ACC_HD inline types::Text<26> java_text(F value, int32 java) {
  types::Text<26> text;
  if (value != value) {
    text.add("NaN");
    return text;
  }
  if (types::bits_of(value) >> 63 != 0) text.add('-');
  const F magnitude = value < 0 ? -value : value;
  if (magnitude == 0) {
    text.add("0.0");
  } else if (magnitude > magnitude / 2) {
    add_digits(text, java_digits(magnitude, java));
  } else {
    text.add("Infinity");
  }
  return text;
}

}  // namespace accelerant::functions
