package io.accelerant.tests;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ErrorMessageFormat;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.SparkThrowableHelper;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.ExtendedExplainGenerator;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.CommandResultExec;
import org.apache.spark.sql.execution.HiveResult;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Runs a statement as Spark's SQLQueryTestSuite does, in one call from Python, and describes what became of it as JSON.
 * Rows are asked for in the way of Spark's command line, whose text the golden files have.
 */
public final class StatementRunner {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StatementRunner() {}

  /**
   * Runs a statement. The answer has `schema`, `rows` and `tree`, the analyzed plan, or `error` and `message`; where there is a
   * physical plan, `operators` are its names and `report` is Accelerant's.
   */
  public static String run(SparkSession session, String sql) throws Exception {
    Map<String, Object> answer = new LinkedHashMap<>();
    long start = System.nanoTime();
    QueryExecution[] query = new QueryExecution[1];
    try {
      answer(session, sql, query, answer);
    } catch (ThreadDeath | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      fail(e, answer);
    }
    answer.put("millis", (System.nanoTime() - start) / 1_000_000);
    if (query[0] != null) describe(query[0], answer);
    return JSON.writeValueAsString(answer);
  }

  private static void answer(SparkSession session, String sql, QueryExecution[] query, Map<String, Object> answer) {
    Dataset<?> data = (Dataset<?>) session.sql(sql);
    query[0] = data.queryExecution();
    String schema = data.schema().catalogString();
    List<String> rows = SQLExecution.withNewExecutionId(
        query[0],
        Option.apply(sql),
        () -> CollectionConverters.asJava(HiveResult.hiveResultString(query[0].executedPlan())));
    answer.put("schema", schema);
    answer.put("rows", rows);
    answer.put("tree", query[0].analyzed().treeString());
  }

  /** The cause counts where a task's error is wrapped. */
  private static void fail(Throwable error, Map<String, Object> answer) {
    if (error instanceof SparkException && !hasCondition(error) && error.getCause() != null) {
      fail(error.getCause(), answer);
      return;
    }
    answer.put("error", error.getClass().getName());
    answer.put("message", message(error));
  }

  private static boolean hasCondition(Throwable error) {
    return error instanceof SparkThrowable && ((SparkThrowable) error).getCondition() != null;
  }

  private static String message(Throwable error) {
    if (hasCondition(error)) return SparkThrowableHelper.getMessage(error, ErrorMessageFormat.MINIMAL());
    if (error instanceof AnalysisException) return ((AnalysisException) error).getSimpleMessage();
    return String.valueOf(error.getMessage());
  }

  /** A statement that failed before it was planned has no operators. */
  private static void describe(QueryExecution query, Map<String, Object> answer) {
    try {
      SparkPlan plan = query.executedPlan();
      List<String> operators = new ArrayList<>();
      collect(plan, operators);
      answer.put("operators", operators);
      answer.put("report", report(plan));
    } catch (Exception e) {
      answer.put("unplanned", e.getClass().getName());
    }
  }

  private static void collect(SparkPlan plan, List<String> names) {
    if (plan instanceof AdaptiveSparkPlanExec) {
      collect(((AdaptiveSparkPlanExec) plan).executedPlan(), names);
    } else if (plan instanceof QueryStageExec) {
      collect(((QueryStageExec) plan).plan(), names);
    } else if (plan instanceof CommandResultExec) {
      collect(((CommandResultExec) plan).commandPhysicalPlan(), names);
    } else {
      if (!isFrame(plan)) names.add(plan.nodeName());
      CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, names));
      CollectionConverters.asJava(plan.subqueries()).forEach(below -> collect(below, names));
    }
  }

  /** Commands, and what only holds generated code together, compute nothing themselves. */
  private static boolean isFrame(SparkPlan plan) {
    return plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter
        || plan instanceof V2CommandExec
        || plan.getClass().getName().contains(".command.");
  }

  private static String report(SparkPlan plan) throws Exception {
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      Class<?> explain = Class.forName("io.accelerant.spark.NativeExplain", true, loader);
      return ((ExtendedExplainGenerator) explain.getConstructor().newInstance()).generateExtendedInfo(plan);
    } catch (ClassNotFoundException e) {
      return ""; // plain Spark
    }
  }

  /** Registers the functions that the files which come from PostgreSQL call. */
  public static void registerFunctions(SparkSession session) {
    UDF2<Boolean, Boolean, Boolean> equal = (a, b) -> a == null || b == null ? null : a.equals(b);
    UDF2<Boolean, Boolean, Boolean> unequal = (a, b) -> a == null || b == null ? null : !a.equals(b);
    UDF1<String, String> same = text -> text;
    session.udf().register("booleq", equal, DataTypes.BooleanType);
    session.udf().register("boolne", unequal, DataTypes.BooleanType);
    session.udf().register("vol", same, DataTypes.StringType);
  }
}
