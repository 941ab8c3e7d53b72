#pragma once

#include "functions/datetime/fixed_text.h"

namespace accelerant::functions {

/// Puts a pattern together, part by part, as java.time's DateTimeFormatterBuilder does. What it cannot have makes it
/// invalid.
class PatternBuilder {
 public:
  ACC_HD explicit PatternBuilder(bool prints) : prints_(prints) {}

  ACC_HD void refuse() { pattern_.is_valid = false; }
  ACC_HD bool is_valid() const { return pattern_.is_valid; }

  ACC_HD DatePattern finish() {
    while (depth_ > 0 && pattern_.is_valid) end_optional();
    if (prints_ && pattern_.max_text_bytes > DatePattern::kMaxTextBytes) refuse();
    if (!prints_) find_fixed_places(pattern_);
    return pattern_;
  }

  ACC_HD void add_literal(char byte) {
    add({.byte = byte}, 1);
    number_at_ = -1;
  }

  /// Begins an optional section, which a printer does not tell from what is around it.
  ACC_HD void begin_optional() {
    if (prints_) {
      ++depth_;
      return;
    }
    if (depth_ == DatePattern::kMaxDepth) return refuse();
    begins_[depth_++] = pattern_.num_items;
    pattern_.has_optional = true;
    add({.kind = Kind::OptionalBegin});
    number_at_ = -1;
  }
  ACC_HD void end_optional() {
    if (depth_ == 0) return refuse();
    --depth_;
    number_at_ = -1;
    if (prints_) return;
    pattern_.items[begins_[depth_]].end = static_cast<uint8>(pattern_.num_items);
    add({.kind = Kind::OptionalEnd});
  }

  /// Adds a number of at least `count` digits; of one letter's it is the least.
  ACC_HD void add_number(DateField field, int32 count, int32 max_count = 2) {
    if (count > max_count) return refuse();
    const bool is_fixed = count > 1;
    add_number({.kind = Kind::Number,
                .field = field,
                .sign = is_fixed ? SignStyle::None : SignStyle::Negative,
                .min_width = static_cast<uint8>(count),
                .max_width = static_cast<uint8>(is_fixed ? max_count : kMaxNumberWidth)});
  }
  /// Adds what is a number up to two letters and a name from three on.
  ACC_HD void add_number_or_name(DateField field, int32 count) {
    if (count < 3) return add_number(field, count);
    add_name(field, count == 4, count <= 4);
  }

  /// @param is_allowed whether so many letters have a name
  ACC_HD void add_name(DateField field, bool is_full, bool is_allowed) {
    if (!is_allowed) return refuse();
    const int32 full_bytes = field == DateField::Era ? 13 : field == DateField::Quarter ? 11 : 9;
    add({.kind = Kind::Name, .field = field, .is_full = is_full}, is_full ? full_bytes : 3);
    number_at_ = -1;
  }

  /// Adds a year; where the pattern says the era, one of it.
  ACC_HD void add_year(int32 count, bool has_era) {
    if (count > 6) return refuse();
    const DateField field = has_era ? DateField::YearOfEra : DateField::Year;
    if (count == 2) return add_number({.kind = Kind::YearOfCentury, .field = field, .min_width = 2, .max_width = 2});
    add_number({.kind = Kind::Number,
                .field = field,
                .sign = count < 4 ? SignStyle::Negative : SignStyle::BeyondWidth,
                .min_width = static_cast<uint8>(count),
                .max_width = kMaxNumberWidth});
  }

  /// Adds digits of the second. Spark reads fewer of them as well; a single one counts as a number.
  ACC_HD void add_fraction(int32 count) {
    if (count > 9) return refuse();
    const PatternItem item = {.kind = Kind::Fraction,
                              .field = DateField::Nano,
                              .min_width = static_cast<uint8>(prints_ ? count : 1),
                              .max_width = static_cast<uint8>(count)};
    if (item.is_fixed()) return add_number(item);
    add(item);
    number_at_ = -1;
  }

  /// @param letter X, x or Z
  ACC_HD void add_offset(char letter, int32 count) {
    if (count > 5 || (letter == 'Z' && count == 4)) return refuse();
    const bool is_long_z = letter == 'Z' && count == 5;
    const int32 letters = letter == 'Z' && !is_long_z ? 2 : count;
    add({.kind = Kind::Offset,
         .field = DateField::Offset,
         .offset = {.has_z = letter == 'X' || is_long_z,
                    .has_colons = letters == 3 || letters == 5,
                    .has_minutes = letters > 1,
                    .has_seconds = letters > 3,
                    .has_hours_for_zero = letters == 1}},
        letters < 4 ? 6 : 9);
    number_at_ = -1;
  }

 private:
  using Kind = PatternItem::Kind;
  static constexpr int32 kMaxNumberWidth = 19;
  static constexpr int32 kMaxYearBytes = 7;  ///< of a timestamp's year

  /// @param max_bytes that it prints
  ACC_HD void add(const PatternItem& item, int32 max_bytes = 0) {
    if (pattern_.num_items == DatePattern::kMaxItems) return refuse();
    pattern_.items[pattern_.num_items++] = item;
    pattern_.max_text_bytes += max_bytes;
  }

  /// Adds a number. One of fixed width right behind others takes its digits from the first of these.
  ACC_HD void add_number(const PatternItem& item) {
    PatternItem* first = number_at_ < 0 ? nullptr : &pattern_.items[number_at_];
    const bool joins = first && item.is_fixed();
    if (joins) {
      first->reserved_width = static_cast<uint8>(first->reserved_width + item.max_width);
    } else {
      if (first) first->reserved_width = 0;
      number_at_ = pattern_.num_items;
    }
    const bool is_year = item.field == DateField::Year || item.field == DateField::YearOfEra;
    const int32 width = is_year ? kMaxYearBytes : item.field == DateField::DayOfYear ? 3 : 2;
    add(item, item.min_width > width ? item.min_width : width);
  }

  bool prints_;
  int32 depth_ = 0;
  int32 begins_[DatePattern::kMaxDepth] = {};
  int32 number_at_ = -1;  ///< the first of the numbers side by side that an item would follow
  DatePattern pattern_;
};

}  // namespace accelerant::functions
