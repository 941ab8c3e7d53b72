package io.accelerant.spark

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{CommandResultExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}

/** Thrown on the driver when a query that was converted has to run on Spark after all; the message is the reason shown. */
final class RevertException(reason: String) extends RuntimeException(reason)

/** One line of a report: an operator, or a setting, and why it can't run natively if it can't. */
final case class ReportLine(name: String, obstacle: Option[String])

/**
 * What became of one plan, for people: which operators run natively, and why the others do not.
 *
 * @param native whether the plan was converted
 * @param operators the plan's operators, children first
 * @param others other obstacles, such as settings
 */
final class NativeReport(native: Boolean, operators: Seq[ReportLine], others: Seq[ReportLine]) {

  @volatile private var reverted: Option[ReportLine] = None

  /** Notes why the plan runs on Spark although it was converted. */
  def revert(reason: String): Unit = reverted = Some(ReportLine("reverted to Spark", Some(reason)))

  /** Forgets why an earlier run was Spark's: now the plan runs natively. */
  def run(): Unit = reverted = None

  def isReverted: Boolean = reverted.isDefined

  /** `*` marks an operator that runs natively, `!` an obstacle, `@` an operator that could run natively if all could. */
  def text: String = {
    val runs = native && reverted.isEmpty
    val headline = s"${if (runs) operators.length else 0} of ${operators.length} operators run natively"
    val lines = (reverted ++ others ++ operators.reverse).map {
      case ReportLine(name, Some(obstacle)) => s"! $name: $obstacle"
      case ReportLine(name, None) => if (runs) s"* $name" else s"@ $name"
    }
    (Option.when(operators.nonEmpty)(headline) ++ lines).mkString("\n")
  }
}

object NativeReport {

  /** Marks the root of a plan that has been looked at; rules and re-planning copy it along. */
  val Tag: TreeNodeTag[NativeReport] = TreeNodeTag("accelerant.report")

  /** Returns a report on a write whose files are Spark's, whatever its rows are. */
  def ofWrite(reason: String): NativeReport = new NativeReport(false, Nil, Seq(ReportLine("WriteFiles", Some(reason))))

  /** Returns a report on a plan that was not handed to the engine at all. */
  def untried(reason: String): NativeReport =
    new NativeReport(false, Nil, Seq(ReportLine("not tried", Some(reason))))

  /** Returns a report on a plan the engine judged. */
  def judged(plan: EncodedPlan, verdict: Verdict): NativeReport = {
    val operators = verdict.nodes.sortBy(_.index).map { node =>
      val name = if (node.operator.nonEmpty) node.operator else plan.nodes(node.index).nodeName
      ReportLine(name, Option.when(!node.native)(node.reason))
    }
    val settings = verdict.settings.map { case (name, reason) => ReportLine(s"setting $name", Some(reason)) }
    new NativeReport(verdict.supported, operators, settings)
  }

  /** Finds the reports on a plan and its subqueries, wherever adaptive execution has put them. */
  def of(plan: SparkPlan): Seq[NativeReport] = {
    val below = plan match {
      case p: AdaptiveSparkPlanExec => Seq(p.executedPlan, p.inputPlan)
      case p: QueryStageExec => Seq(p.plan)
      case p: NativeWriteExec if p.getTagValue(Tag).isDefined => Nil // the report below holds the write for native
      case p: CommandResultExec => Seq(p.commandPhysicalPlan)
      case p => p.children ++ p.subqueries
    }
    val own = plan match {
      case NativeExec(_, _, Some(program), _) => Some(program.report)
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
