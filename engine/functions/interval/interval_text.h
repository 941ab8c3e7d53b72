#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/text.h"

namespace accelerant::functions {

struct IntervalText {
  static constexpr Description kDescription = {
      .spark_class = "io.accelerant.IntervalText",
      .sql = "(CAST(interval AS STRING))",
      .text = "Writes an interval as SQL does, from its first field to its last, by their numbers in its type.",
  };
  using Signatures =
      SignatureList<Signature<types::StringType, types::DayTimeIntervalType, types::IntType, types::IntType>,
                    Signature<types::StringType, types::YearMonthIntervalType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"93784500000 micros", "0 int", "3 int"}, "INTERVAL '1 02:03:04.5' DAY TO SECOND string"},
      {{"-1 micros", "0 int", "3 int"}, "INTERVAL '-0 00:00:00.000001' DAY TO SECOND string"},
      {{"93784500000 micros", "0 int", "0 int"}, "INTERVAL '1' DAY string"},
      {{"93784500000 micros", "0 int", "1 int"}, "INTERVAL '1 02' DAY TO HOUR string"},
      {{"93784500000 micros", "0 int", "2 int"}, "INTERVAL '1 02:03' DAY TO MINUTE string"},
      {{"93784500000 micros", "1 int", "1 int"}, "INTERVAL '26' HOUR string"},
      {{"-3600000000 micros", "1 int", "2 int"}, "INTERVAL '-01:00' HOUR TO MINUTE string"},
      {{"93784500000 micros", "1 int", "3 int"}, "INTERVAL '26:03:04.5' HOUR TO SECOND string"},
      {{"93784500000 micros", "2 int", "2 int"}, "INTERVAL '1563' MINUTE string"},
      {{"70000000 micros", "2 int", "3 int"}, "INTERVAL '01:10' MINUTE TO SECOND string"},
      {{"70000000 micros", "3 int", "3 int"}, "INTERVAL '70' SECOND string"},
      {{"0 micros", "3 int", "3 int"}, "INTERVAL '00' SECOND string"},
      {{"-9223372036854775808 micros", "0 int", "3 int"}, "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND string"},
      {{"-9223372036854775808 micros", "1 int", "3 int"}, "INTERVAL '-2562047788:00:54.775808' HOUR TO SECOND string"},
      {{"-9223372036854775808 micros", "3 int", "3 int"}, "INTERVAL '-9223372036854.775808' SECOND string"},
      {{"14 months", "0 int", "1 int"}, "INTERVAL '1-2' YEAR TO MONTH string"},
      {{"-5 months", "0 int", "1 int"}, "INTERVAL '-0-5' YEAR TO MONTH string"},
      {{"-5 months", "0 int", "0 int"}, "INTERVAL '-0' YEAR string"},
      {{"-2147483648 months", "0 int", "1 int"}, "INTERVAL '-178956970-8' YEAR TO MONTH string"},
      {{"-2147483648 months", "1 int", "1 int"}, "INTERVAL '-2147483648' MONTH string"},
      {{"null months", "0 int", "1 int"}, "null string"},
  };

  using Result = types::Text<64>;

  ACC_HD static Result call(int64 interval, int32 first, int32 last) {
    enum : int32 { kDay, kHour, kMinute, kSecond };
    Result text = opened(interval < 0);
    const uint64 micros = magnitude_of(interval);
    if (first == kDay) text.add_digits(micros / 86'400'000'000);
    if (has(kHour, first, last)) {
      separate(text, kHour, first, ' ');
      text.add_digits(micros / 3'600'000'000 % (first == kHour ? ~uint64{0} : 24), 2);
    }
    if (has(kMinute, first, last)) {
      separate(text, kMinute, first, ':');
      text.add_digits(micros / 60'000'000 % (first == kMinute ? ~uint64{0} : 60), 2);
    }
    if (has(kSecond, first, last)) {
      separate(text, kSecond, first, ':');
      text.add_digits(micros / 1'000'000 % (first == kSecond ? ~uint64{0} : 60), 2);
      add_fraction(text, static_cast<uint32>(micros % 1'000'000));
    }
    return closed(text, first, last, [](Result& out, int32 field) { add_day_time_field(out, field); });
  }

  ACC_HD static Result call(int32 interval, int32 first, int32 last) {
    Result text = opened(interval < 0);
    const uint64 months = magnitude_of(static_cast<int64>(interval));
    if (first == 0) text.add_digits(months / 12);
    if (first == 0 && last == 1) text.add('-');
    if (last == 1) text.add_digits(first == 1 ? months : months % 12);
    return closed(text, first, last, [](Result& out, int32 field) { add_year_month_field(out, field); });
  }

 private:
  ACC_HD static Result opened(bool is_negative) {
    Result text;
    text.add("INTERVAL '");
    if (is_negative) text.add('-');
    return text;
  }

  ACC_HD static bool has(int32 field, int32 first, int32 last) { return first <= field && field <= last; }

  ACC_HD static void separate(Result& text, int32 field, int32 first, char separator) {
    if (field > first) text.add(separator);
  }

  /// Adds a fraction that does not end in zero.
  ACC_HD static void add_fraction(Result& text, uint32 micro) {
    if (micro == 0) return;
    int32 digits = 6;
    for (; micro % 10 == 0; micro /= 10) --digits;
    text.add('.');
    text.add_digits(micro, digits);
  }

  template <class AddField>
  ACC_HD static Result closed(Result text, int32 first, int32 last, AddField add_field) {
    text.add("' ");
    add_field(text, first);
    if (last == first) return text;
    text.add(" TO ");
    add_field(text, last);
    return text;
  }

  ACC_HD static void add_day_time_field(Result& text, int32 field) {
    if (field == 0) text.add("DAY");
    if (field == 1) text.add("HOUR");
    if (field == 2) text.add("MINUTE");
    if (field == 3) text.add("SECOND");
  }

  ACC_HD static void add_year_month_field(Result& text, int32 field) {
    if (field == 0) text.add("YEAR");
    if (field == 1) text.add("MONTH");
  }
};

}  // namespace accelerant::functions
