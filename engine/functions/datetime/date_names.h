#pragma once

#include "types/string_view.h"

// The names of months, weekdays, halves of the day and eras in American English, as java.time has them for Locale.US.

namespace accelerant::functions {

/// Returns one of the names in a list, in which each takes `width` bytes and the shorter ones end in `~`.
ACC_HD inline types::StringRef name_of_list(const char* list, int32 width, int32 index) {
  const char* name = list + width * index;
  int32 length = width;
  while (name[length - 1] == '~') --length;
  return {name, length};
}

/// @param month 1 to 12
ACC_HD inline types::StringRef name_of_month(int32 month, bool is_full) {
  const types::StringRef name = name_of_list(
      "January~~"
      "February~"
      "March~~~~"
      "April~~~~"
      "May~~~~~~"
      "June~~~~~"
      "July~~~~~"
      "August~~~"
      "September"
      "October~~"
      "November~"
      "December~",
      9, month - 1);
  return is_full ? name : types::StringRef{name.data, 3};
}

/// @param weekday 0 for Monday to 6 for Sunday
ACC_HD inline types::StringRef name_of_weekday(int32 weekday, bool is_full) {
  const types::StringRef name = name_of_list(
      "Monday~~~"
      "Tuesday~~"
      "Wednesday"
      "Thursday~"
      "Friday~~~"
      "Saturday~"
      "Sunday~~~",
      9, weekday);
  return is_full ? name : types::StringRef{name.data, 3};
}

/// @param half 0 before noon, 1 after
ACC_HD inline types::StringRef name_of_half_day(int32 half) { return name_of_list("AMPM", 2, half); }

/// @param era 0 before year 1, 1 from it on
ACC_HD inline types::StringRef name_of_era(int32 era, bool is_full) {
  return is_full ? name_of_list("Before ChristAnno Domini~~", 13, era) : name_of_list("BCAD", 2, era);
}

/// @param quarter 1 to 4
ACC_HD inline types::StringRef name_of_quarter(int32 quarter, bool is_full) {
  return is_full ? name_of_list("1st quarter2nd quarter3rd quarter4th quarter", 11, quarter - 1)
                 : name_of_list("Q1Q2Q3Q4", 2, quarter - 1);
}

}  // namespace accelerant::functions
