package io.accelerant.spark

import java.util.concurrent.ExecutionException

import org.apache.spark.sql.catalyst.expressions.{Attribute, DynamicPruningExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{InSubqueryExec, LimitExec, QueryExecution, SQLExecution, SparkPlan}
import org.apache.spark.sql.execution.SubqueryAdaptiveBroadcastExec
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.adaptive.AdaptiveExecutionContext

/** Runs plans without native nodes. */
object PlainSpark {

  /** A local property, as Spark plans stages of subqueries in threads of their own, to which it hands these on. */
  private val Forced = "accelerant.plain"

  /** Whether this thread is preparing a plan that must stay Spark's. */
  def isForced: Boolean = SparkInternals.activeContext.exists(_.getLocalProperty(Forced) != null)

  /** Returns a plan ready to run on Spark, exchanges and all, from one that was about to run natively; for {@link #run}. */
  def prepare(session: SparkSession, original: SparkPlan): SparkPlan = forcing(plan(session, original))

  /** Returns a plan ready to run, exchanges and all; what can run natively of it does. */
  def plan(session: SparkSession, original: SparkPlan): SparkPlan = session.withActive {
    adaptive(session, original).getOrElse(QueryExecution.prepareExecutedPlan(session, withPruningUnplanned(original)))
  }

  /** Runs plans that were prepared here. */
  def run[T](body: => T): T = forcing(unwrapping(body))

  /** Throws the error of a broadcast as adaptive execution throws it. */
  def unwrapping[T](body: => T): T =
    try body
    catch { case e: ExecutionException if e.getCause != null => throw e.getCause }

  /** Adaptive execution plans again while a query runs. */
  private def forcing[T](body: => T): T = {
    val context = SparkInternals.activeContext
    val before = context.map(_.getLocalProperty(Forced)).orNull
    context.foreach(_.setLocalProperty(Forced, "true"))
    try body
    finally context.foreach(_.setLocalProperty(Forced, before))
  }

  /** Plans anew with adaptive execution, if that is how Spark would run the query and its logical plan is known. */
  private def adaptive(session: SparkSession, original: SparkPlan): Option[SparkPlan] =
    for {
      _ <- Option.when(session.sessionState.conf.adaptiveExecutionEnabled)(())
      id <- Option(session.sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))
      query <- Option(SQLExecution.getQueryExecution(id.toLong))
      // The operator's own: what a scan inherits is the filter's above it, say.
      logical <- original.getTagValue(SparkPlan.LOGICAL_PLAN_TAG) if idsOf(logical.output) == idsOf(original.output)
    } yield QueryExecution.prepareExecutedPlan(answer(original, logical), AdaptiveExecutionContext(session, query))

  private def idsOf(output: Seq[Attribute]) = output.map(_.exprId)

  /** A limit that collects is one of the answer as a whole. */
  private def answer(original: SparkPlan, logical: LogicalPlan): LogicalPlan = original match {
    case _: LimitExec => ReturnAnswer(logical)
    case _ => logical
  }

  /** Turns dynamic pruning that only adaptive execution can run back into what Spark then plans without it. */
  private def withPruningUnplanned(plan: SparkPlan): SparkPlan = plan.transformAllExpressions {
    case DynamicPruningExpression(in @ InSubqueryExec(key, subquery: SubqueryAdaptiveBroadcastExec, _, _, _, _)) =>
      SparkInternals.dynamicPruning(key, subquery, in.exprId)
  }
}
