package io.accelerant.spark

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{CommandResultExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}

/** Thrown on the driver when a query that was converted has to run on Spark after all; the message is the reason shown. */
final class RevertException(reason: String) extends RuntimeException(reason)

/**
 * What became of one plan, for people: which operators run natively, and why the others do not.
 *
 * @param native whether the plan was converted
 * @param lines one line an operator or reason
 */
final class NativeReport(val native: Boolean, operators: Int, lines: Seq[String]) {

  /** Why the plan ran on Spark although it was converted. */
  @volatile private var reverted: Option[String] = None

  def revert(reason: String): Unit = reverted = Some(reason)

  def text: String = {
    val runs = if (native && reverted.isEmpty) operators else 0
    val headline = s"$runs of $operators operators run natively"
    (headline +: (reverted.map(reason => s"! reverted to Spark: $reason").toSeq ++ lines)).mkString("\n")
  }
}

object NativeReport {

  /** Marks the root of a plan that has been looked at; rules and re-planning copy it along. */
  val Tag: TreeNodeTag[NativeReport] = TreeNodeTag("accelerant.report")

  /** Returns a report on a plan that was not handed to the engine at all. */
  def untried(reason: String): NativeReport = new NativeReport(false, 0, Seq(s"! $reason"))

  /**
   * Returns a report on a plan the engine judged. `*` marks operators that run natively, `!` those that can't, `@` those that could if
   * the whole query could.
   */
  def judged(plan: EncodedPlan, verdict: Verdict): NativeReport = {
    val operators = verdict.nodes.map { node =>
      val name = if (node.operator.nonEmpty) node.operator else plan.nodes(node.index).nodeName
      if (!node.native) s"! $name: ${node.reason}" else if (verdict.supported) s"* $name" else s"@ $name"
    }
    val settings = verdict.settings.map { case (name, reason) => s"! setting $name: $reason" }
    new NativeReport(verdict.supported, verdict.nodes.length, settings ++ operators)
  }

  /** Finds the reports on a plan and its subqueries, wherever adaptive execution has put them. */
  def of(plan: SparkPlan): Seq[NativeReport] = {
    val below = plan match {
      case p: AdaptiveSparkPlanExec => Seq(p.executedPlan, p.inputPlan)
      case p: QueryStageExec => Seq(p.plan)
      case p: CommandResultExec => Seq(p.commandPhysicalPlan)
      case p => p.children ++ p.subqueries
    }
    val own = plan match {
      case NativeExec(_, _, _, Some(program)) => Some(program.report)
      case p => p.getTagValue(Tag)
    }
    (own ++ below.flatMap(of)).toSeq.distinct
  }
}

/** Adds to `df.explain()` and the SQL tab what runs natively, and why the rest does not. */
final class NativeExplain extends ExtendedExplainGenerator {
  override def title: String = "Accelerant"

  override def generateExtendedInfo(plan: SparkPlan): String = NativeReport.of(plan).map(_.text).mkString("\n")
}
