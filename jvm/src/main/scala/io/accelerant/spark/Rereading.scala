package io.accelerant.spark

import org.apache.spark.sql.execution.{RDDScanExec, RowDataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, FileScan}

/** Finds what computes other rows, or does something, when it runs once more: Spark can't take over from a query that has read its rows. */
object Rereading {

  /** Returns the name of an operator that is not to run again, if there is one. */
  def obstacle(plan: SparkPlan): Option[String] = plan.find(isObstacle).map(_.nodeName.trim)

  /** Says whether a plan's rows may be others when it runs once more. */
  def varies(plan: SparkPlan): Boolean = plan.exists(n => isObstacle(n) || isOfChance(n) || n.isInstanceOf[RDDScanExec])

  /** Says whether values of an operator are other ones each time. */
  def isOfChance(node: SparkPlan): Boolean = node.expressions.exists(!_.deterministic)

  private def isObstacle(node: SparkPlan): Boolean =
    isNoticed(node) || Seq("Python", "InPandas", "InArrow").exists(node.getClass.getSimpleName.contains)

  /** Says whether others notice that an operator runs: a source outside, functions of users that count what they see, or look at their task. */
  def isNoticed(node: SparkPlan): Boolean = node match {
    case _: RowDataSourceScanExec => true // of JDBC, for one
    case scan: BatchScanExec => !scan.scan.isInstanceOf[FileScan]
    case _ => Closures.functionsOf(node).exists(Closures.watchTasks)
  }
}
