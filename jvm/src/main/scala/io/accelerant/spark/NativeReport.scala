package io.accelerant.spark

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/** Thrown on the driver when a query that was converted has to run on Spark after all; the message is the reason shown. */
final class RevertException(reason: String) extends RuntimeException(reason)

/** An operator, or a setting, and why it can't run natively if it can't. */
final case class ReportLine(name: String, obstacle: Option[String], kind: String = "")

/** An operator as it is shown: what marks it, and what keeps it on Spark, its own obstacles or those of others. */
final case class OperatorLine(kind: String, text: String, isNative: Boolean, causes: Seq[String])

/**
 * What became of one piece of a plan: which operators run natively, and why the others do not.
 *
 * @param native whether the piece was converted
 * @param operators the piece's operators, children first
 * @param obstacles others, such as settings
 * @param bridged what Spark's code computes inside the native query
 */
final class NativeReport(
    native: Boolean,
    operators: Seq[ReportLine],
    obstacles: Seq[ReportLine],
    val bridged: Option[BridgedCalls] = None
) {
  import NativeReport._

  @volatile private var reverted: Option[ReportLine] = None

  /** Notes why the plan runs on Spark although it was converted. */
  def revert(reason: String): Unit = reverted = Some(ReportLine("reverted to Spark", Some(reason)))

  /** Forgets why an earlier run was Spark's: now the plan runs natively. Returns whether there was such a run. */
  def run(): Boolean =
    try isReverted
    finally reverted = None

  def isReverted: Boolean = reverted.isDefined

  /** Whether nothing was tried as Spark has the rows. */
  private[spark] def isAtHand: Boolean = operators.isEmpty && obstacles.flatMap(_.obstacle) == Seq(AtHand)

  /** Returns the obstacles that are no operators. */
  private[spark] def others: Seq[String] = (reverted ++ obstacles).map(obstacleText).toSeq

  /** Returns the operators, the top one first. */
  private[spark] def topDown: Seq[OperatorLine] = {
    val runs = native && reverted.isEmpty
    val all = (reverted ++ obstacles ++ operators).flatMap(causesOf).toSeq.distinct
    operators.reverse.map {
      case line @ ReportLine(_, Some(_), kind) =>
        OperatorLine(kind, obstacleText(line), isNative = false, causesOf(line))
      case ReportLine(name, None, kind) if runs => OperatorLine(kind, s"* $name", isNative = true, Nil)
      case ReportLine(name, None, kind) => OperatorLine(kind, s"@ $name", isNative = false, all)
    }
  }

  /** Returns where an operator stands among those at the top that stay Spark's, -1 where it does not. */
  private[spark] def placeOf(operator: SparkPlan): Int =
    topDown.takeWhile(line => !line.isNative || line.kind == WriteKind).indexWhere(_.kind == kindOf(operator))

  private def obstacleText(line: ReportLine) = s"! ${line.name}: ${line.obstacle.mkString}"

  private def causesOf(line: ReportLine): Seq[String] =
    if (operators.contains(line))
      line.obstacle.toSeq.flatMap(_.split("; ")).map(Particular.replaceAllIn(_, "")).distinct
    else line.obstacle.map(reason => s"${line.name}: $reason").toSeq
}

object NativeReport {

  /** Marks the root of a plan that has been looked at; rules and re-planning copy it along. */
  val Tag: TreeNodeTag[NativeReport] = TreeNodeTag("accelerant.report")

  /** Why rows alone are left to Spark. */
  val AtHand = "Spark has the rows at hand"

  /** What is particular to one operator in a reason: names of columns, the version of Spark. */
  private val Particular = """(?<=^column )\S+ (?=of type )| \(Spark [\d.]+\)""".r

  private val WriteKind = "WriteFilesExec"

  /** Returns a report on a write whose files are Spark's, whatever its rows are. */
  def ofWrite(reason: String): NativeReport =
    new NativeReport(false, Seq(ReportLine("WriteFiles", Some(reason), WriteKind)), Nil)

  /** Returns a report on operators that stay Spark's above others, which have reports of their own. */
  def ofSparks(operators: Seq[SparkPlan], judged: JudgedPlan): NativeReport = {
    val lines = linesOf(judged.plan, judged.verdict, None)
    val kept = lines.collect { case (node, line) if operators.exists(_ eq node) => line }
    new NativeReport(false, kept, judged.tooCostly.toSeq)
  }

  /** Returns a report on a plan that was not handed to the engine at all. */
  def untried(reason: String): NativeReport =
    new NativeReport(false, Nil, Seq(ReportLine("not tried", Some(reason))))

  /** Returns a report on a plan the engine judged. */
  def judged(plan: EncodedPlan, verdict: Verdict, tooCostly: Option[ReportLine] = None): NativeReport = {
    val bridged = new BridgedCalls(plan, verdict.bridged)
    val settings = verdict.settings.map { case (name, reason) => ReportLine(s"setting $name", Some(reason)) }
    val lines = linesOf(plan, verdict, Some(bridged)).map(_._2)
    new NativeReport(verdict.supported, lines, settings ++ tooCostly, Some(bridged))
  }

  private def linesOf(plan: EncodedPlan, verdict: Verdict, bridged: Option[BridgedCalls]): Seq[(AnyRef, ReportLine)] =
    verdict.nodes.sortBy(_.index).map(node => plan.nodes(node.index) -> node).map {
      case (island: IslandExec, _) =>
        val name = s"${island.original.nodeName.trim} (island)"
        island -> ReportLine(name, Some(island.reason), kindOf(island.original))
      case (operator, node) =>
        val suffix = Seq("rows bridged if need be" -> true, "bridged" -> false).map { case (words, isOfRows) =>
          val calls = Option(operator).collect {
            case p: SparkPlan if node.native =>
              bridged.toSeq.flatMap(_.names(p, _.isOfRows == isOfRows))
          }
          calls.filter(_.nonEmpty).fold("")(_.mkString(s" ($words: ", ", ", ")"))
        }.mkString
        val kind = Option(operator).collect { case p: SparkPlan => kindOf(p) }.getOrElse("")
        operator -> ReportLine(nameOf(node, plan) + suffix, Option.when(!node.native)(node.reason), kind)
    }

  private def kindOf(operator: SparkPlan): String = operator.getClass.getSimpleName

  private def nameOf(node: NodeVerdict, plan: EncodedPlan): String =
    if (node.operator.nonEmpty) node.operator else plan.nodes(node.index).nodeName
}

/** Adds to `df.explain()` and the SQL tab what runs natively, and why the rest does not. */
final class NativeExplain extends ExtendedExplainGenerator {
  override def title: String = "Accelerant"

  override def generateExtendedInfo(plan: SparkPlan): String = QueryReport.of(plan).text
}
