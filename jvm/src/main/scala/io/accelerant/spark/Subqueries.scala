package io.accelerant.spark

import org.apache.spark.sql.execution.{BaseSubqueryExec, ScalarSubquery, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

/** The plans of uncorrelated subqueries, as Spark made them before anything was replaced in them. */
object Subqueries {

  /** Returns what computes a subquery's value. */
  def planOf(subquery: ScalarSubquery): SparkPlan = original(subquery.plan)

  private def original(plan: SparkPlan): SparkPlan = plan match {
    case s: BaseSubqueryExec => original(s.child)
    case a: AdaptiveSparkPlanExec => original(a.inputPlan)
    case n: NativeExec => n.original
    case p => p
  }
}

/** Finds the first of several plans that give the same result, so that it is written once. */
final class EqualPlans {
  private val firsts = scala.collection.mutable.HashMap.empty[SparkPlan, SparkPlan]

  def first(plan: SparkPlan): SparkPlan = firsts.getOrElseUpdate(plan.canonicalized, plan)
}
