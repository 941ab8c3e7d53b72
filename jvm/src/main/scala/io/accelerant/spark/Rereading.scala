package io.accelerant.spark

import org.apache.spark.sql.execution.{RDDScanExec, RowDataSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, FileScan}

/** Finds what computes other rows, or does something, when it runs once more: Spark can't take over from a query that has read its rows. */
object Rereading {
  private val ofPython = Seq("Python", "InPandas", "InArrow")

  /** Returns the name of an operator that is not to run again, if there is one. */
  def obstacle(plan: SparkPlan): Option[String] = plan.find(isObstacle).map(_.nodeName.trim)

  /** Says whether a plan's rows may be others when it runs once more. */
  def varies(plan: SparkPlan): Boolean = plan.exists(n => isObstacle(n) || isOfChance(n) || n.isInstanceOf[RDDScanExec])

  /** Says whether values of an operator are other ones each time. */
  def isOfChance(node: SparkPlan): Boolean = node.expressions.exists(!_.deterministic)

  private def isObstacle(node: SparkPlan): Boolean = node match {
    case _: RowDataSourceScanExec => true // of JDBC, for one
    case scan: BatchScanExec => !scan.scan.isInstanceOf[FileScan]
    case _ => ofPython.exists(node.getClass.getSimpleName.contains) || hasFunctions(node)
  }

  /** Whether functions of users count what they see, or look at their task. */
  private def hasFunctions(node: SparkPlan): Boolean = Closures.functionsOf(node).exists(Closures.watchTasks)
}
