package io.accelerant.spark

import org.apache.spark.sql.execution.{CommandResultExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}

/** A report within that on a whole query, but for as many of its operators from the top, which another one holds. */
private final case class ReportPart(report: NativeReport, hidden: Int) {
  def operators: Seq[OperatorLine] = report.topDown.drop(hidden)
}

/**
 * What became of a whole query, for people: how much of it runs natively, what each cause costs, and then operator by operator. Pieces
 * that run natively on their own, and islands within them, have reports of their own, of which this is made.
 */
final class QueryReport private (parts: Seq[ReportPart]) {

  /**
   * After the headline, `-` begins a cause. `*` marks an operator that runs natively, `!` an obstacle, `@` an operator that could run
   * natively but for obstacles.
   */
  def text: String =
    (headline ++ causes ++ parts.flatMap(p => p.report.others ++ p.operators.map(_.text))).mkString("\n")

  private def operators = parts.flatMap(_.operators)

  private def headline =
    Option.when(operators.nonEmpty)(s"${operators.count(_.isNative)} of ${operators.length} operators run natively")

  private def causes: Seq[String] = {
    val having = operators.flatMap(operator => operator.causes.map(_ -> operator)).groupMap(_._1)(_._2).toSeq
    having.sortBy { case (cause, held) => (-held.length, cause) }.map { case (cause, held) =>
      val others = held.count(_.causes.length > 1)
      val also =
        if (others == 0) "" else if (others == held.length) ", with others" else s", $others of them with others"
      s"- ${held.length} on Spark$also: $cause"
    }
  }
}

object QueryReport {

  /** Finds what became of a plan and its subqueries, wherever adaptive execution has put them. */
  def of(plan: SparkPlan): QueryReport = new QueryReport(parts(plan))

  private def parts(plan: SparkPlan): Seq[ReportPart] = {
    val own = plan match {
      case NativeExec(_, _, Some(judged), _) => Some(judged.report)
      case p => p.getTagValue(NativeReport.Tag)
    }
    (own.map(ReportPart(_, 0)) ++ below(plan)).toSeq.distinctBy(_.report)
  }

  private def below(plan: SparkPlan): Seq[ReportPart] = plan match {
    case p: AdaptiveSparkPlanExec =>
      val now = parts(p.executedPlan)
      val before = if (now.forall(_.operators.forall(_.isNative))) ofSparks(p.initialPlan) else Nil
      // A native query's report is on its subqueries, too.
      before ++ now ++ (if (isNative(p.executedPlan)) Nil else parts(p.inputPlan))
    case p: QueryStageExec => parts(p.plan)
    case p: CommandResultExec => parts(p.commandPhysicalPlan)
    case p: NativeWriteExec if p.getTagValue(NativeReport.Tag).isDefined => hideTop(parts(p.child), p.original)
    case p: IslandExec => hideTop(parts(p.shown), p.original).filterNot(_.report.isAtHand)
    case p => (p.children ++ p.subqueries).flatMap(parts)
  }

  private def isNative(plan: SparkPlan): Boolean = plan match {
    case stage: QueryStageExec => isNative(stage.plan)
    case other => other.isInstanceOf[NativeExec]
  }

  /** What is said of operators that stay Spark's does not come along where adaptive execution plans them anew. */
  private def ofSparks(plan: SparkPlan): Seq[ReportPart] =
    plan.collect { case p if !p.isInstanceOf[NativeExec] => p.getTagValue(NativeReport.Tag) }.flatten.map(ReportPart(
      _,
      0
    ))

  /** Hides an operator, and what stands above it, where the first report begins with it: it is told of elsewhere. */
  private def hideTop(parts: Seq[ReportPart], top: SparkPlan): Seq[ReportPart] =
    parts.take(1).map(part => part.copy(hidden = part.report.placeOf(top) + 1)) ++ parts.drop(1)
}
