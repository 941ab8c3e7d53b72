#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

/// The types that comparisons take; decimals of equal scale.
using Comparisons = BinaryPredicate<types::BooleanType, types::ByteType, types::ShortType, types::IntType,
                                    types::LongType, types::FloatType, types::DoubleType, types::DecimalType,
                                    types::StringType, types::BinaryType, types::DateType, types::TimestampType,
                                    types::TimestampNtzType, types::DayTimeIntervalType, types::YearMonthIntervalType>;

}  // namespace accelerant::functions
