package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.SortOrder
import org.apache.spark.sql.execution.{LocalTableScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.WriteFilesExec
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, Exchange}
import org.apache.spark.sql.internal.SQLConf

/** A plan the engine has judged: the message, the verdict on it and the report for people. */
final class NativeProgram(val plan: EncodedPlan, val verdict: Verdict, val report: NativeReport) {

  /** Whether the result has a partition for each one of the caches it reads: Spark may count on how these are sorted. */
  def keepsPartitions: Boolean =
    verdict.partitioning == ResultPartitioning.Independent && CachedTable.isSorted(plan)
}

object NativeProgram {

  /** Encodes a plan and asks the engine about it; whether it was accepted is in the verdict. */
  def judge(plan: SparkPlan, conf: SQLConf): NativeProgram = {
    val encoded = PlanEncoder.encode(plan, conf)
    val splits = () => SplitsEncoder.encode(SplitsEncoder.splits(encoded))
    val verdict = Verdict.parse(Native.check(encoded.bytes, Settings.device(conf), () => splits()))
    new NativeProgram(encoded, verdict, NativeReport.judged(encoded, verdict))
  }
}

/** Replaces what the engine can run of a physical plan by native nodes, or notes why not. One for both doors into Spark. */
final class QueryConverter(session: SparkSession) extends Logging {

  /**
   * Returns the plan with its largest subtree below Spark's consumers (writes, Python, row functions) made native when the engine takes
   * all of it, otherwise the plan itself, marked with the reason. Looks at a plan only once. Throws only when
   * `spark.accelerant.strict` is set.
   */
  def convert(plan: SparkPlan): SparkPlan = {
    val conf = SQLConf.get
    if (!Settings.enabled(conf) || PlainSpark.isForced || isSettled(plan)) plan
    else
      try obstacle(conf).fold(attempt(plan, conf))(reason => mark(plan, NativeReport.untried(reason)))
      catch {
        case e @ (NonFatal(_) | _: StackOverflowError) if !Settings.strict(conf) =>
          logWarning(s"Accelerant leaves a query to Spark, its conversion failed: $e", e)
          mark(plan, NativeReport.untried(s"conversion failed: $e"))
      }
  }

  private def obstacle(conf: SQLConf): Option[String] = {
    val master = session.sparkContext.master
    Settings.problem(conf, session.sparkContext.getConf)
      .orElse(Option.when(LocalMaster.cores(master).isEmpty)(LocalMaster.reason(master)))
      .orElse(NativeLibrary.problem)
  }

  /** An exchange that is met here is a consumer's, which needs its rows together: what is below runs natively. */
  private def attempt(plan: SparkPlan, conf: SQLConf): SparkPlan =
    if (Consumers.isConsumer(plan) || plan.isInstanceOf[Exchange]) consume(plan, conf)
    else if (Consumers.isAtHand(plan)) mark(plan, NativeReport.untried("Spark has the rows at hand"))
    else {
      val program = NativeProgram.judge(plan, conf)
      if (program.verdict.supported) native(plan, program)
      else if (Consumers.mayConsume(plan)) descend(plan, conf)
      else mark(plan, program.report)
    }

  /** Files that the engine can't write are left to Spark, of native rows where these can be had. */
  private def consume(plan: SparkPlan, conf: SQLConf): SparkPlan = plan match {
    case write: WriteFilesExec if !Consumers.isAtHand(write.child) =>
      val program = NativeProgram.judge(write, conf)
      val own = program.verdict.nodes.last
      if (program.verdict.supported) NativeWriteExec(write, native(write.child, program))
      else if (own.native) descend(write, conf)
      else mark(descend(write, conf), NativeReport.ofWrite(own.reason))
    case _ => descend(plan, conf)
  }

  private def descend(plan: SparkPlan, conf: SQLConf): SparkPlan = {
    val children = plan.children.map(attempt(_, conf))
    if (children.corresponds(plan.children)(_ eq _)) plan else arranged(plan, children)
  }

  /**
   * Returns the plan over new children. Where it counts on how its own children arrange their rows and the new ones do not, they get
   * exchanges and sorts; adaptive execution only adds these later.
   */
  private def arranged(plan: SparkPlan, children: Seq[SparkPlan]): SparkPlan = {
    val replaced = plan.withNewChildren(children)
    if (isArranged(plan) && !isArranged(replaced)) EnsureRequirements()(replaced) else replaced
  }

  private def isArranged(plan: SparkPlan): Boolean =
    plan.children.lazyZip(plan.requiredChildDistribution).lazyZip(plan.requiredChildOrdering).forall {
      (child, distribution, ordering) =>
        child.outputPartitioning.satisfies(distribution) &&
        SortOrder.orderingSatisfies(child.outputOrdering, ordering)
    }

  /** Replaces each node of a subtree; the top one carries the program and runs it. Subqueries are part of the program. */
  private def native(plan: SparkPlan, program: NativeProgram): NativeExec = {
    def replace(node: SparkPlan): NativeExec = {
      val own = Option.when(node eq plan)(program)
      val replaced = NativeExec(node, node.children.map(replace), own, program.report)
      replaced.copyTagsFrom(node)
      replaced
    }
    replace(plan)
  }

  private def mark(plan: SparkPlan, report: NativeReport): SparkPlan = {
    plan.setTagValue(NativeReport.Tag, report)
    plan
  }

  /** Plans seen before, adaptive plans and their parts, which the main door sees as a whole, commands and streams. */
  private def isSettled(plan: SparkPlan): Boolean =
    plan.isInstanceOf[Exchange] || Consumers.isCommand(plan) || plan.exists {
      case _: NativeExec | _: AdaptiveSparkPlanExec | _: QueryStageExec => true
      case p => p.getTagValue(NativeReport.Tag).isDefined || Consumers.isStreaming(p)
    }
}

/** Spark's operators by what they do with their children; by name, as some do not exist in every version. */
private object Consumers {
  private val Rows = Set(
    "AppendColumnsExec",
    "AppendDataExec",
    "ArrowEvalPythonExec",
    "BatchEvalPythonExec",
    "DataWritingCommandExec",
    "DeserializeToObjectExec",
    "FlatMapGroupsInPandasExec",
    "MapElementsExec",
    "MapInArrowExec",
    "MapInPandasExec",
    "MapPartitionsExec",
    "OverwriteByExpressionExec",
    "OverwritePartitionsDynamicExec",
    "PythonMapInArrowExec",
    "ResultQueryStageExec",
    "SerializeFromObjectExec",
    "WriteFilesExec"
  )

  private val Limits = Set("CollectLimitExec", "CollectTailExec")

  /** Returns whether an operator only takes rows from its children and never runs natively itself. */
  def isConsumer(plan: SparkPlan): Boolean = Rows(plan.getClass.getSimpleName)

  /** Returns whether an operator that did not get native may still take rows from a native child. */
  def mayConsume(plan: SparkPlan): Boolean = Limits(plan.getClass.getSimpleName)

  /** Returns whether a plan only gives out rows that Spark has in memory: there is nothing to compute. */
  def isAtHand(plan: SparkPlan): Boolean = plan match {
    case _: LocalTableScanExec | _: InMemoryTableScanExec => true
    case p => mayConsume(p) && p.children.forall(isAtHand)
  }

  def isCommand(plan: SparkPlan): Boolean = plan.getClass.getName.contains(".command.") && !isConsumer(plan)

  def isStreaming(plan: SparkPlan): Boolean =
    plan.getClass.getName.startsWith("org.apache.spark.sql.execution.streaming.") ||
      plan.logicalLink.exists(_.isStreaming)
}
