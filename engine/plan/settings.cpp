// Spark's settings by how they bear on a native query. Most steer how Spark gets to its plan, or how it runs one: the
// engine is given the plan, so they have done their work. What is read while a query runs is honoured, or has one value
// that the engine knows. Settings that are nowhere here make a query unsupported.
#include "plan/settings.h"

#include "plan/plan_message.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace accelerant::plan {

namespace {

/// Settings below spark.sql. that may have any value. Names that end in '.' or '*' stand for all that begin so.
constexpr std::string_view kAnyValue[] = {
    // Honoured: the plan's expressions carry the mode, the scan the case rule; expressions name their time zones.
    "ansi.*",
    "caseSensitive",
    "session.timeZone",

    // Used up by parsing, analysis, optimisation and planning.
    "addPartitionInBatch.",
    "adaptive.",
    "allowNamedFunctionArguments",
    "alwaysInlineCommonExpr",
    "analyzer.",
    "assumeAnsiFalseIfNotPersisted.",
    "autoBroadcastJoinThreshold",
    "binByRelationOperator.",
    "bucketing.",
    "catalog*",
    "cbo.",
    "charAsVarchar",
    "constraintPropagation.",
    "crossJoin.",
    "cte*",
    "dataSource.",
    "decimalOperations.allowPrecisionLoss",
    "default*",
    "dropDuplicates.",
    "dropTableOnView.",
    "enforceTypeCoercionBeforeUnionDeduplication.",
    "exchange.",
    "experimental.optimizer.",
    "expressionTreeChangeLog.",
    "fileSource.",
    "filesourceTableRelationCacheSize",
    "function.concatBinaryAsString",
    "function.eltOutputAsString",
    "functionResolution.",
    "generatedColumn.",
    "geospatial.",
    "globalTempDatabase",
    "groupByAliases",
    "groupByOrdinal",
    "hive.",
    "insert*",
    "join.",
    "lateralColumnAlias.",
    "lazySetOperatorOutput.",
    "leafNodeDefaultParallelism",
    "lightweightPlanChangeValidation",
    "limit.",
    "maxBroadcastTableSize",
    "maxSinglePartitionBytes",
    "metadataCacheTTLSeconds",
    "mergeNestedTypeCoercion.",
    "nameResolutionLog.level",
    "operatorPipeSyntaxEnabled",
    "optimizeNullAwareAntiJoin*",
    "optimizer.",
    "orderByOrdinal",
    "orderingAwareLimitOffset",
    "parser.",
    "path.",
    "pivotMaxValues",
    "plan*",
    "preserveCharVarcharTypeInfo",
    "prioritizeOrdinalResolutionInSort.",
    "readSideCharPadding",
    "requireAllClusterKeys*",
    "restrictedMode.",
    "retainGroupColumns",
    "runCollationTypeCastsBeforeAliasAssignment.",
    "runSQLOnFiles",
    "selfJoinAutoResolveAmbiguity",
    "shuffledHashJoinFactor",
    "sources.",
    "stableDerivedColumnAlias.",
    "statistics.",
    "storeAssignmentPolicy",
    "timeTravel*",
    "timestampType",
    "transposeMaxValues",
    "truncateTable.",
    "tvf.",
    "unionOutputPartitioning",
    "useCommonExprIdForAlias",
    "variable.",
    "view.",
    "warehouse.dir",

    // How Spark runs what it runs itself: exchanges, generated code, buffers of its operators, caches, threads, Python.
    "artifact.",
    "broadcast*",
    "cache.",
    "cartesianProductExec.",
    "classic.",
    "codegen.",
    "columnVector.",
    "datetime.java8API.enabled",
    "execution.",
    "inMemory*",
    "maxMetadataStringLength",
    "maxConcurrentOutputFileWriters",
    "objectHashAggregate.",
    "pyspark.",
    "python.",
    "resultQueryStage.",
    "session.*",
    "sessionWindow.",
    "shuffle*",
    "sort*",
    "subexpressionElimination.",
    "subquery.",
    "scriptTransformation.",
    "udt.",
    "window*",

    // What people see: logs, user interface, servers, error texts that Spark writes.
    "cli.",
    "connect.",
    "dataFrameQueryContext.",
    "dataframeCache.",
    "debug*",
    "error.messageFormat",
    "event.truncate.length",
    "extendedExplainProviders",
    "extensions*",
    "maven.",
    "maxPlanStringLength",
    "pipelines.",
    "queryExecutionListeners",
    "redaction.",
    "repl.",
    "scripting.",
    "stackTracesInDataFrameContext",
    "thriftServer.",
    "thriftserver.",
    "ui.",

    // Formats, types and functions that the engine refuses in the plan itself.
    "avro.",
    "binaryOutputStyle",
    "collation.",
    "columnNameOfCorruptRecord",
    "csv.",
    "json*",
    "kafka.",
    "mapKeyDedupPolicy",
    "orc.",
    "protobuf.",
    "reflect.allowList",
    "streaming.",
    "timeType.",
    "timestampNanosTypes.",
    "variant.",
    "xml.",

    // Listing, splitting and writing files.
    "files.ignoreInvalidPartitionPaths",
    "files.ignoredPathSegmentRegex",
    "files.max*",
    "files.minPartitionNum",
    "files.openCostInBytes",
    "parquet.aggregatePushdown",
    "parquet.columnarReaderBatchSize",
    "parquet.compression.codec",
    "parquet.datetimeRebaseModeInWrite",
    "parquet.enableNestedColumnVectorizedReader",
    "parquet.enableNullTypeVectorizedReader",
    "parquet.enableVectorizedReader",
    "parquet.fieldId.write.enabled",
    "parquet.filterPushdown*",
    "parquet.inferTimestampNTZ.enabled",
    "parquet.int96RebaseModeInWrite",
    "parquet.mergeSchema",
    "parquet.output*",
    "parquet.pushdown.",
    "parquet.recordLevelFilter.enabled",
    "parquet.respectSummaryFiles",
    "parquet.variant.",
    "parquet.writeLegacyFormat",

    // Settings for the behaviour of older Spark versions that act on parsing, analysis or the catalog.
    "legacy.allowAutoGeneratedAliasForView",
    "legacy.allowEmptySchemaWrite",
    "legacy.allowNegativeScaleOfDecimal",
    "legacy.allowNonEmptyLocationInCTAS",
    "legacy.allowParameterlessCount",
    "legacy.allowSessionVariableInPersistedView",
    "legacy.allowStarWithSingleTableIdentifierInCount",
    "legacy.allowTempViewCreationWithMultipleNameparts",
    "legacy.allowUntypedScalaUDF",
    "legacy.bangEqualsNot",
    "legacy.blockCreateTempTableUsingProvider",
    "legacy.bucketedTableScan.outputOrdering",
    "legacy.charVarcharAsString",
    "legacy.consecutiveStringLiterals.enabled",
    "legacy.createEmptyCollectionUsingStringType",
    "legacy.createHiveTableByDefault",
    "legacy.cte*",
    "legacy.dataFrameWriterV2IgnorePathOption",
    "legacy.dataset.nameNonStructGroupingKeyAsValue",
    "legacy.decimal.retainFractionDigitsOnTruncate",
    "legacy.doLooseUpcast",
    "legacy.duplicateBetweenInput",
    "legacy.exponentLiteralAsDecimal.enabled",
    "legacy.extraOptionsBehavior.enabled",
    "legacy.groupingIdWithAppendedUserGroupBy",
    "legacy.hive.",
    "legacy.identifierClause",
    "legacy.inlineCTEInCommands",
    "legacy.keepCommandOutputSchema",
    "legacy.literal.pickMinimumPrecision",
    "legacy.notReserveProperties",
    "legacy.parser.",
    "legacy.pathOptionBehavior.enabled",
    "legacy.noCharPaddingInPredicate",
    "legacy.parameterSubstitution.constantsOnly",
    "legacy.parseNullPartitionSpecAsStringLiteral",
    "legacy.parseQueryWithoutEof",
    "legacy.persistentCatalogFirst",
    "legacy.sessionInitWithConfigDefaults",
    "legacy.setCommandRejectsSparkCoreConfs",
    "legacy.setopsPrecedence.enabled",
    "legacy.storeAnalyzedPlanForView",
    "legacy.typeCoercion.datetimeToString.enabled",
    "legacy.useCurrentConfigsForView",
    "legacy.useV1Command",
    "legacy.v1IdentifierNoCatalog",
    "legacy.view*",
};

/// Settings below spark.sql. that say what is read, and the one value that the engine honours.
struct OneValue {
  std::string_view name;
  std::string_view value;
};
constexpr OneValue kOneValue[] = {
    {"files.ignoreCorruptFiles", "false"},
    {"files.ignoreMissingFiles", "false"},
    {"parquet.binaryAsString", "false"},
    {"parquet.datetimeRebaseModeInRead", "CORRECTED"},
    {"parquet.fieldId.read.enabled", "false"},
    {"parquet.int96AsTimestamp", "true"},
    {"parquet.int96RebaseModeInRead", "CORRECTED"},
    {"parquet.int96TimestampConversion", "false"},
};

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern.ends_with('.') ? name.starts_with(pattern) : name == pattern;
}

/// Compares as Spark reads a setting's text.
bool equal_values(std::string_view lhs, std::string_view rhs) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto trimmed = [](std::string_view text) {
    const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
  };
  return std::ranges::equal(trimmed(lhs), trimmed(rhs), [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string reason_against_setting(std::string_view name, std::string_view value) {
  constexpr std::string_view kPrefix = "spark.sql.";
  if (name == kJavaVersion) return "";
  if (!name.starts_with(kPrefix)) return "is not one of Spark SQL's; leave it unset to run natively";
  const std::string_view rest = name.substr(kPrefix.size());
  for (const OneValue& known : kOneValue) {
    if (rest != known.name) continue;
    if (equal_values(value, known.value)) return "";
    return "set it to " + std::string(known.value) + " to run natively";
  }
  const bool any_value = std::any_of(std::begin(kAnyValue), std::end(kAnyValue),
                                     [rest](std::string_view pattern) { return matches(pattern, rest); });
  return any_value ? "" : "the engine does not know what it changes; leave it unset to run natively";
}

std::string_view setting_or(const PlanMessage& message, std::string_view name, std::string_view otherwise) {
  for (const auto& [key, value] : message.settings) {
    if (key == name) return value;
  }
  return otherwise;
}

bool is_set(const PlanMessage& message, std::string_view name) {
  return equal_values(setting_or(message, name, "false"), "true");
}

}  // namespace accelerant::plan
