package io.accelerant.spark

import java.util.concurrent.ExecutionException

import org.apache.spark.sql.catalyst.expressions.DynamicPruningExpression
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{InSubqueryExec, QueryExecution, SparkPlan, SubqueryAdaptiveBroadcastExec}
import org.apache.spark.sql.execution.accelerant.SparkInternals

/** Prepares plans to run without native nodes. */
object PlainSpark {
  private val forced = ThreadLocal.withInitial[Boolean](() => false)

  /** Whether this thread is preparing a plan that must stay Spark's. */
  def isForced: Boolean = forced.get

  /** Returns a plan ready to run on Spark, exchanges and all, from one that was about to run natively. */
  def prepare(session: SparkSession, original: SparkPlan): SparkPlan = {
    val before = forced.get
    forced.set(true)
    try session.withActive(QueryExecution.prepareExecutedPlan(session, withPruningUnplanned(original)))
    finally forced.set(before)
  }

  /** Runs a plan that was prepared here; the error of a broadcast is thrown as adaptive execution throws it. */
  def run[T](body: => T): T =
    try body
    catch { case e: ExecutionException if e.getCause != null => throw e.getCause }

  /** Turns dynamic pruning that only adaptive execution can run back into what Spark then plans without it. */
  private def withPruningUnplanned(plan: SparkPlan): SparkPlan = plan.transformAllExpressions {
    case DynamicPruningExpression(in @ InSubqueryExec(key, subquery: SubqueryAdaptiveBroadcastExec, _, _, _, _)) =>
      SparkInternals.dynamicPruning(key, subquery, in.exprId)
  }
}
