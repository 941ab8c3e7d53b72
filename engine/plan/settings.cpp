// Spark's settings by how they bear on a native query. Most steer how Spark gets to its plan, or how it runs one: the
// engine is given the plan, so they have done their work. What is read while a query runs is honoured, or has one value
// that the engine knows for the nodes that it concerns (node_settings.cpp). Settings that are nowhere make a query
// unsupported.
#include "plan/settings.h"

#include "plan/node_settings.h"
#include "plan/plan_message.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace accelerant::plan {

namespace {

/// Settings below spark.sql. that may have any value. Names that end in '.' or '*' stand for all that begin so.
constexpr std::string_view kAnyValue[] = {
    // Honoured: the plan's expressions carry the mode, the scan the case rule and what old dates files may have;
    // expressions name their time zones, and those that make maps ask for the policy.
    "ansi.*",
    "caseSensitive",
    "mapKeyDedupPolicy",
    "parquet.datetimeRebaseModeInRead",
    "parquet.int96RebaseModeInRead",
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
    "schemaLevelCollations.",
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

    // Formats, types and functions that the engine refuses in the plan itself, or whose nodes say what was set.
    "avro.",
    "chunkBase64String.enabled",
    "collation.",
    "columnNameOfCorruptRecord",
    "csv.",
    "files.supportSecondOffsetFormat",
    "function.protobufExtensions.",
    "json*",
    "kafka.",
    "listagg.",
    "mapZipWithUsesJavaCollections",
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
    "parquet.fieldId.read.ignoreMissing",
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

    // Set by Spark's own tests and read by nothing else.
    "test.",
    "testkey",

    // Settings for the behaviour of older Spark versions that act on parsing, analysis, optimisation or the catalog, or
    // on what the engine refuses in the plan itself: formats, JDBC, Python, nested types, functions that it lacks.
    "legacy.addSingleFileInAddFile",
    "legacy.allowAutoGeneratedAliasForView",
    "legacy.allowEmptySchemaWrite",
    "legacy.allowHashOnMapType",
    "legacy.allowNegativeScaleOfDecimal",
    "legacy.allowNonEmptyLocationInCTAS",
    "legacy.allowNullComparisonResultInArraySort",
    "legacy.allowParameterlessCount",
    "legacy.allowSessionVariableInPersistedView",
    "legacy.allowStarWithSingleTableIdentifierInCount",
    "legacy.allowTempViewCreationWithMultipleNameparts",
    "legacy.allowUdfParameterToShadowParameterlessFunction",
    "legacy.allowUntypedScalaUDF",
    "legacy.allowZeroIndexInFormatString",
    "legacy.avro.",
    "legacy.bangEqualsNot",
    "legacy.blockCreateTempTableUsingProvider",
    "legacy.bucketedTableScan.outputOrdering",
    "legacy.charVarcharAsString",
    "legacy.codingErrorAction",
    "legacy.collationAwareHashFunctions",
    "legacy.consecutiveStringLiterals.enabled",
    "legacy.createEmptyCollectionUsingStringType",
    "legacy.createHiveTableByDefault",
    "legacy.csv.",
    "legacy.cte*",
    "legacy.dataFrameWriterV2IgnorePathOption",
    "legacy.dataset.nameNonStructGroupingKeyAsValue",
    "legacy.db2.",
    "legacy.decimal.retainFractionDigitsOnTruncate",
    "legacy.disableMapKeyNormalization",
    "legacy.doLooseUpcast",
    "legacy.duplicateBetweenInput",
    "legacy.earlyEvalCurrentTime",
    "legacy.emptyCurrentDBInCli",
    "legacy.execution.",
    "legacy.exponentLiteralAsDecimal.enabled",
    "legacy.extraOptionsBehavior.enabled",
    "legacy.followThreeValuedLogicInArrayExists",
    "legacy.fromDayTimeString.enabled",
    "legacy.groupingIdWithAppendedUserGroupBy",
    "legacy.histogramNumericPropagateInputType",
    "legacy.hive.",
    "legacy.identifierClause",
    "legacy.inlineCTEInCommands",
    "legacy.inSubqueryNullability",
    "legacy.integerGroupingId",
    "legacy.interval.enabled",
    "legacy.javaCharsets",
    "legacy.jdbc.",
    "legacy.json.",
    "legacy.keepCommandOutputSchema",
    "legacy.keepPartitionSpecAsStringLiteral",
    "legacy.literal.pickMinimumPrecision",
    "legacy.lpadRpadAlwaysReturnString",
    "legacy.mssqlserver.",
    "legacy.mysql.",
    "legacy.negativeIndexInArrayInsert",
    "legacy.noCharPaddingInPredicate",
    "legacy.notReserveProperties",
    "legacy.nullInEmptyListBehavior",
    "legacy.nullValueWrittenAsQuotedEmptyStringCsv",
    "legacy.observeMetricsAggregateAllAttempts",
    "legacy.oracle.",
    "legacy.parameterSubstitution.constantsOnly",
    "legacy.parseNullPartitionSpecAsStringLiteral",
    "legacy.parseQueryWithoutEof",
    "legacy.parser.",
    "legacy.pathOptionBehavior.enabled",
    "legacy.percentileDiscCalculation",
    "legacy.persistentCatalogFirst",
    "legacy.postgres.",
    "legacy.raiseErrorWithoutErrorClass",
    "legacy.readFileSourceTableCacheIgnoreOptions",
    "legacy.replaceDatabricksSparkAvro.enabled",
    "legacy.respectNullabilityInTextDatasetConversion",
    "legacy.scalarSubqueryAllowGroupByNonEqualityCorrelatedPredicate",
    "legacy.scalarSubqueryCountBugBehavior",
    "legacy.sessionInitWithConfigDefaults",
    "legacy.setCommandRejectsSparkCoreConfs",
    "legacy.setopsPrecedence.enabled",
    "legacy.sizeOfNull",
    "legacy.skipTypeValidationOnAlterPartition",
    "legacy.statisticalAggregate",
    "legacy.storeAnalyzedPlanForView",
    "legacy.truncateForEmptyRegexSplit",
    "legacy.typeCoercion.datetimeToString.enabled",
    "legacy.useCurrentConfigsForView",
    "legacy.useLegacyXMLParser",
    "legacy.useV1Command",
    "legacy.v1IdentifierNoCatalog",
    "legacy.view*",
};

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern.ends_with('.') ? name.starts_with(pattern) : name == pattern;
}

}  // namespace

std::string reason_against_setting(std::string_view name) {
  constexpr std::string_view kPrefix = "spark.sql.";
  if (name == kJavaVersion || counts_for_nodes_only(name)) return "";
  if (!name.starts_with(kPrefix)) return "is not one of Spark SQL's; leave it unset to run natively";
  const std::string_view rest = name.substr(kPrefix.size());
  const bool any_value = std::any_of(std::begin(kAnyValue), std::end(kAnyValue),
                                     [rest](std::string_view pattern) { return matches(pattern, rest); });
  return any_value ? "" : "the engine does not know what it changes; leave it unset to run natively";
}

bool equal_setting_values(std::string_view lhs, std::string_view rhs) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto trimmed = [](std::string_view text) {
    const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
  };
  return std::ranges::equal(trimmed(lhs), trimmed(rhs), [&](char a, char b) { return lower(a) == lower(b); });
}

std::string_view setting_or(const PlanMessage& message, std::string_view name, std::string_view otherwise) {
  for (const auto& [key, value] : message.settings) {
    if (key == name) return value;
  }
  return otherwise;
}

bool is_set(const PlanMessage& message, std::string_view name) {
  return equal_setting_values(setting_or(message, name, "false"), "true");
}

}  // namespace accelerant::plan
