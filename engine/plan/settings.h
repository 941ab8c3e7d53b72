#pragma once

#include <string>
#include <string_view>

namespace accelerant::plan {

struct PlanMessage;

/// The setting that every message has: the version of the Java that runs Spark, e.g. "17".
inline constexpr std::string_view kJavaVersion = "java.specification.version";

/// Returns why no query can run natively under a setting whose value is not Spark's default, or an empty string; those
/// that count for certain nodes only are looked at there (plan/node_settings.h). A setting that is nowhere listed
/// counts as one that changes answers.
std::string reason_against_setting(std::string_view name);

/// Compares values as Spark reads a setting's text.
bool equal_setting_values(std::string_view lhs, std::string_view rhs);

/// Returns a setting's value, or `otherwise` when the message does not have it.
std::string_view setting_or(const PlanMessage& message, std::string_view name, std::string_view otherwise);

/// Says whether a setting that is false by default is true, in any spelling that Spark takes.
bool is_set(const PlanMessage& message, std::string_view name);

}  // namespace accelerant::plan
