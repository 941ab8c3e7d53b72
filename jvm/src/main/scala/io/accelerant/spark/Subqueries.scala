package io.accelerant.spark

import org.apache.spark.sql.execution.{BaseSubqueryExec, ColumnarToRowExec, InputAdapter, ScalarSubquery, SparkPlan}
import org.apache.spark.sql.execution.WholeStageCodegenExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.internal.SQLConf

/** The plans of uncorrelated subqueries, as Spark made them before anything was replaced in them. */
object Subqueries {

  /** Returns what computes a subquery's value, islands in it where it has become native with them, or all of it where it has not. */
  def planOf(subquery: ScalarSubquery, conf: SQLConf): SparkPlan = {
    def of(plan: SparkPlan): SparkPlan = plan match {
      case s: BaseSubqueryExec => of(s.child)
      case NativeExec(original, _, _, _) => original
      case a: AdaptiveSparkPlanExec if a.initialPlan.isInstanceOf[NativeExec] => of(a.initialPlan)
      case a: AdaptiveSparkPlanExec => island(a.inputPlan)
      case p => island(p.transformUp { // what is put between operators before they run comes again
          case between @ (_: WholeStageCodegenExec | _: InputAdapter | _: ColumnarToRowExec) => between.children.head
        })
    }
    def island(plan: SparkPlan) =
      if (Settings.islands(conf) && PlanDivider.mayBeIsland(plan)) IslandExec(plan, "a subquery that is Spark's")
      else plan
    of(subquery.plan)
  }
}

/** Finds the first of several plans that give the same result, so that it is written once. */
final class EqualPlans {
  private val firsts = scala.collection.mutable.HashMap.empty[SparkPlan, SparkPlan]

  def first(plan: SparkPlan): SparkPlan = firsts.getOrElseUpdate(plan.canonicalized, plan)
}
