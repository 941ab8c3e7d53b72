#pragma once

#include "functions/datetime/fixed_text.h"
#include "functions/datetime/pattern_scanner.h"

namespace accelerant::functions {

/// Reads a text by a pattern with optional sections, each as if it were not there where the text does not fit it.
class OptionalReader {
 public:
  ACC_HD explicit OptionalReader(types::StringRef text) : scanner_(text) {}

  ACC_HD Fit read(const DatePattern& pattern) {
    for (int32 i = 0; i < pattern.num_items; ++i) {
      const PatternItem& item = pattern.items[i];
      if (item.kind == PatternItem::Kind::OptionalBegin) {
        ends_[depth_] = item.end;
        before_[depth_++] = scanner_;
      } else if (item.kind == PatternItem::Kind::OptionalEnd) {
        --depth_;
      } else {
        const Fit fit = scanner_.take(item);
        if (fit == Fit::Yes) continue;
        if (fit != Fit::No || depth_ == 0) return fit;
        scanner_ = before_[--depth_];
        i = ends_[depth_];
      }
    }
    return scanner_.at_end() ? Fit::Yes : Fit::No;
  }

  ACC_HD ParsedFields& fields() { return scanner_.fields(); }

 private:
  PatternScanner scanner_;
  int32 depth_ = 0;
  int32 ends_[DatePattern::kMaxDepth];
  PatternScanner before_[DatePattern::kMaxDepth];  ///< what a section began with
};

ACC_HD inline Fit read_plain(const DatePattern& pattern, PatternScanner& scanner) {
  for (int32 i = 0; i < pattern.num_items; ++i) {
    const Fit fit = scanner.take(pattern.items[i]);
    if (fit != Fit::Yes) return fit;
  }
  return scanner.at_end() ? Fit::Yes : Fit::No;
}

ACC_HD inline ParsedTime parsed_time(Fit fit, ParsedFields& fields) {
  if (fit == Fit::Yes) return resolve_fields(fields);
  if (fit == Fit::NeedsSpark) return {ParsedTime::Kind::NeedsSpark, true, {0, 0}, 0};
  return kInvalidTime;
}

/// Reads all of a text by a valid pattern.
ACC_HD inline ParsedTime parse_by_pattern(const DatePattern& pattern, types::StringRef text) {
  ParsedFields fixed;
  if (text.length == pattern.fixed_bytes && read_fixed(pattern, text.data, fixed)) return resolve_fields(fixed);
  if (pattern.has_optional) {
    OptionalReader reader(text);
    const Fit fit = reader.read(pattern);
    return parsed_time(fit, reader.fields());
  }
  PatternScanner scanner(text);
  const Fit fit = read_plain(pattern, scanner);
  return parsed_time(fit, scanner.fields());
}

inline constexpr int32 kMaxOffset = 18 * 3600;  ///< of java.time.ZoneOffset

/// Returns the instant that a text says, as Spark's Iso8601TimestampFormatter.parse does.
template <class E>
ACC_HD int64 parse_instant(const DatePattern& pattern, types::StringRef text, const types::TimeZone& zone, E& error) {
  const ParsedTime time = parse_by_pattern(pattern, text);
  const bool has_offset = time.kind == ParsedTime::Kind::AtOffset;
  if (time.kind == ParsedTime::Kind::NeedsSpark) {
    error |= static_cast<E>(kNeedsSpark);
    return 0;
  }
  if (time.kind == ParsedTime::Kind::Invalid || (has_offset && !is_within(time.offset, -kMaxOffset, kMaxOffset))) {
    error |= static_cast<E>(kCastInvalid);
    return 0;
  }
  const int64 second = has_offset ? time.local.second - time.offset : types::second_of_local(zone, time.local.second);
  static_cast<void>(multiply_in_range(second, kMicrosPerSecond, error));  // overflows in Spark even where the sum fits
  return micros_of(Moment{second, time.local.micro}, error);
}

/// Returns the local time that a text says, whatever offset it says besides (parseWithoutTimeZone).
template <class E>
ACC_HD int64 parse_local(const DatePattern& pattern, types::StringRef text, E& error) {
  const ParsedTime time = parse_by_pattern(pattern, text);
  const bool is_odd = time.kind == ParsedTime::Kind::AtOffset && !is_within(time.offset, -kMaxOffset, kMaxOffset);
  if (time.kind == ParsedTime::Kind::NeedsSpark || is_odd) {
    error |= static_cast<E>(kNeedsSpark);
    return 0;
  }
  if (time.kind == ParsedTime::Kind::Invalid) {
    error |= static_cast<E>(kCastInvalid);
    return 0;
  }
  return micros_of(time.local, error);
}

}  // namespace accelerant::functions
