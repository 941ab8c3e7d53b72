package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Expression, SortOrder, SubqueryExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution
import org.apache.spark.sql.execution.{CommandResultExec, LocalTableScanExec, ProjectExec, SampleExec, SortExec}
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.WriteFilesExec
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec
import org.apache.spark.sql.execution.exchange.{EnsureRequirements, Exchange, ShuffleExchangeLike}
import org.apache.spark.sql.execution.python.ArrowEvalPythonExec
import org.apache.spark.sql.internal.SQLConf

/** Replaces what the engine can run of a physical plan by native nodes, or notes why not. One for both doors into Spark. */
final class QueryConverter(session: SparkSession) extends Logging {

  /**
   * Returns the plan with its largest subtree below Spark's consumers (writes, Python, row functions) made native when the engine takes
   * all of it, otherwise the plan itself, marked with the reason. Looks at a plan only once. Throws only when
   * `spark.accelerant.strict` is set.
   *
   * @param isWhole whether this is no part of a plan: an exchange at the top is one that was asked for
   */
  def convert(plan: SparkPlan, isWhole: Boolean): SparkPlan = {
    val conf = SQLConf.get
    if (!Settings.enabled(conf) || PlainSpark.isForced || isSettled(plan, isWhole)) plan
    else
      try obstacle(conf).fold(begin(plan, conf))(reason => mark(plan, NativeReport.untried(reason)))
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

  /** Adaptive execution plans the rest anew when a part of a plan has run: what is left of native pieces is native again. */
  private def begin(plan: SparkPlan, conf: SQLConf): SparkPlan =
    if (!hasStages(plan)) attempt(plan, conf) else if (Settings.islands(conf)) besideStages(plan, conf) else plan

  private def besideStages(plan: SparkPlan, conf: SQLConf): SparkPlan =
    if (Consumers.lookAtPartitions(plan)) plan
    else if (hasStages(plan)) {
      val children = plan.children.map(besideStages(_, conf))
      if (children.corresponds(plan.children)(_ eq _)) plan else arranged(plan, children)
    } else if (isPlanned(plan) && !isSeen(plan) && plan.exists(PlanDivider.paysBelow)) attempt(plan, conf)
    else plan

  private def hasStages(plan: SparkPlan): Boolean = plan.exists(_.isInstanceOf[QueryStageExec])

  /** An exchange that is met here is a consumer's, which needs its rows together: what is below runs natively. */
  private def attempt(plan: SparkPlan, conf: SQLConf): SparkPlan =
    if (Consumers.isConsumer(plan) || Consumers.isRequiredExchange(plan)) consume(plan, conf)
    else if (Consumers.isAtHand(plan)) mark(plan, NativeReport.untried(NativeReport.AtHand))
    else {
      val judged = JudgedPlan.judge(plan, conf)
      if (judged.verdict.supported) native(plan, judged)
      else {
        val divided = PlanDivider.divide(plan, judged, conf)
        val excess = divided.filter(_ => Settings.islandsWeighed(conf)).flatMap(found => IslandCost.excess(found.plan))
        if (divided.isDefined && excess.isEmpty) native(divided.get.plan, divided.get.judged)
        else if (Consumers.mayConsume(plan)) descend(plan, conf)
        else around(plan, excess.fold(judged)(judged.undivided), conf)
      }
    }

  /** Leaves an operator to Spark, with what is worth it below it made native. */
  private def around(plan: SparkPlan, judged: JudgedPlan, conf: SQLConf): SparkPlan = {
    val maySplit = Settings.islands(conf) && !Consumers.lookAtPartitions(plan)
    val below = if (maySplit) descend(plan, conf, PlanDivider.isWorthItBelow(_, judged)) else plan
    if (below eq plan) plan.children.foreach(_.foreach(_.unsetTagValue(NativeReport.Tag))) // one report says it all
    mark(below, if (below eq plan) judged.report else NativeReport.ofSparks(unreported(plan, below), judged))
  }

  /** Returns the operators of a plan that have no report after its conversion, those above and beside native ones. */
  private def unreported(plan: SparkPlan, converted: SparkPlan): Seq[SparkPlan] = converted match {
    case _: NativeExec => Nil
    case p if p.getTagValue(NativeReport.Tag).isDefined => Nil
    case p if p.getClass != plan.getClass && !p.isInstanceOf[PythonEvalExec] =>
      p.children.flatMap(unreported(plan, _)) // was put between
    case p => plan +: plan.children.zip(p.children).flatMap { case (before, after) => unreported(before, after) }
  }

  /** Files that the engine can't write are left to Spark, of native rows where these can be had. */
  private def consume(plan: SparkPlan, conf: SQLConf): SparkPlan = plan match {
    case write: WriteFilesExec if Consumers.isOfValues(write.child) =>
      mark(write, NativeReport.untried(NativeReport.AtHand))
    case write: WriteFilesExec if !Settings.writes(conf) =>
      mark(descend(write, conf), NativeReport.ofWrite(s"setting ${Settings.Writes} is false"))
    case write: WriteFilesExec if !Consumers.isAtHand(write.child) =>
      val judged = JudgedPlan.judge(write, conf)
      val own = judged.verdict.nodes.last
      if (judged.verdict.supported) NativeWriteExec(write, native(write.child, judged))
      else if (own.native)
        PlanDivider.divide(write, judged, conf).fold(descend(write, conf)) { divided =>
          NativeWriteExec(write, native(divided.plan.children.head, divided.judged))
        }
      else mark(descend(write, conf), NativeReport.ofWrite(own.reason))
    case eval: ArrowEvalPythonExec => belowPython(eval, conf)
    case _ => descend(plan, conf)
  }

  private def descend(plan: SparkPlan, conf: SQLConf, isWanted: SparkPlan => Boolean = _ => true): SparkPlan =
    aboveGroups(plan, conf, isWanted).getOrElse {
      val children = plan.children.map(child => if (isWanted(child)) attempt(child, conf) else child)
      if (children.corresponds(plan.children)(_ eq _)) plan else arranged(plan, children)
    }

  /** Has the engine put the rows of each group together for an operator that gives groups to Python. */
  private def aboveGroups(plan: SparkPlan, conf: SQLConf, isWanted: SparkPlan => Boolean): Option[SparkPlan] =
    Consumers.groups(plan).filter(sort => isWanted(sort.child)).map(attempt(_, conf)).collect {
      case sorted: NativeExec if !sorted.exists(_.isInstanceOf[IslandExec]) => plan.withNewChildren(Seq(sorted))
    }

  /** Has the engine compute the arguments of Python functions along with the rows, where it can. */
  private def belowPython(plan: ArrowEvalPythonExec, conf: SQLConf): SparkPlan =
    PythonEvalExec.withArguments(plan)
      .map(evaluated => evaluated -> attempt(evaluated.child, conf))
      .collect { case (evaluated, child: NativeExec) => PythonEvalExec.above(child, plan, evaluated) }
      .getOrElse(descend(plan, conf))

  /**
   * Returns the plan over new children. Where it counts on how its own children arrange their rows and the new ones do not, they get
   * exchanges and sorts; adaptive execution only adds these later.
   */
  private def arranged(plan: SparkPlan, children: Seq[SparkPlan]): SparkPlan = (plan, children) match {
    case (eval: ArrowEvalPythonExec, Seq(child: NativeExec)) => PythonEvalExec.above(child, eval, eval)
    case _ =>
      val replaced = plan.withNewChildren(children)
      if (isArranged(plan) && !isArranged(replaced)) EnsureRequirements()(replaced) else replaced
  }

  private def isArranged(plan: SparkPlan): Boolean =
    plan.children.lazyZip(plan.requiredChildDistribution).lazyZip(plan.requiredChildOrdering).forall {
      (child, distribution, ordering) =>
        NativeExec.partitioningOf(child).satisfies(distribution) &&
        SortOrder.orderingSatisfies(child.outputOrdering, ordering)
    }

  /** Replaces each node of a subtree; the top one carries the judged plan and runs it. Subqueries are part of that. */
  private def native(plan: SparkPlan, judged: JudgedPlan): NativeExec = {
    def replace(node: SparkPlan): NativeExec = {
      val own = Option.when(node eq plan)(judged)
      val below = if (node.isInstanceOf[IslandExec]) Seq(node) else node.children
      val children = below.map {
        case island: IslandExec => island
        case child => replace(child)
      }
      val replaced = NativeExec(node, children, own, judged.report)
      replaced.copyTagsFrom(node)
      replaced
    }
    replace(plan)
  }

  /** Whether Spark has planned the subqueries: when it plans anew, it does so after the main door, and the second one is for these. */
  private def isPlanned(plan: SparkPlan) = !plan.exists(_.expressions.exists(SubqueryExpression.hasSubquery))

  private def mark(plan: SparkPlan, report: NativeReport): SparkPlan = {
    plan.setTagValue(NativeReport.Tag, report)
    plan
  }

  /** Plans seen before, and commands. Operators above stages that ran were seen, too; what is beside the stages may be new. */
  private def isSettled(plan: SparkPlan, isWhole: Boolean): Boolean =
    plan.isInstanceOf[Exchange] && !isWhole || Consumers.isCommand(plan) || !hasStages(plan) && isSeen(plan)

  /** Says whether a plan was here before, or is an adaptive one, which the main door sees as a whole. */
  private def isSeen(plan: SparkPlan): Boolean = plan.exists {
    case _: NativeExec | _: AdaptiveSparkPlanExec => true
    case p => p.getTagValue(NativeReport.Tag).isDefined
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

  /** Returns whether a plan is an exchange that no program asks for: an operator above needs its rows together. */
  def isRequiredExchange(plan: SparkPlan): Boolean = plan match {
    case shuffle: ShuffleExchangeLike =>
      !Seq("REPARTITION", "REBALANCE").exists(shuffle.shuffleOrigin.toString.startsWith)
    case other => other.isInstanceOf[Exchange]
  }

  private val OfGroups = Set("ArrowAggregatePythonExec", "FlatMapGroupsInArrowExec", "FlatMapGroupsInPandasExec")

  /** Returns the sort that brings together the rows of each group for an operator that gives groups to Python. */
  def groups(plan: SparkPlan): Option[SortExec] =
    if (!OfGroups(plan.getClass.getSimpleName)) None
    else
      (plan.requiredChildDistribution, plan.requiredChildOrdering, plan.children) match {
        case (Seq(distribution: ClusteredDistribution), Seq(order), Seq(child))
            if distribution.clustering.corresponds(order.map(_.child))(_.semanticEquals(_)) =>
          val sort = SortExec(order, global = true, child)
          sort.setTagValue(NativeExec.KeepsGroups, ())
          Some(sort)
        case _ => None
      }

  /** Returns whether an operator that did not get native may still take rows from a native child. */
  def mayConsume(plan: SparkPlan): Boolean = Limits(plan.getClass.getSimpleName)

  /** Returns whether a plan only emits rows that Spark has in memory: there is nothing to compute. */
  def isAtHand(plan: SparkPlan): Boolean = plan match {
    case _: LocalTableScanExec | _: InMemoryTableScanExec => true
    case p => mayConsume(p) && p.children.forall(isAtHand)
  }

  /**
   * Returns whether a plan computes nothing but a few values that came with the query, as for INSERT ... VALUES: Spark makes as many files
   * of them, as large ones, as it ever did, on which the order of rows depends.
   */
  def isOfValues(plan: SparkPlan): Boolean = plan match {
    case _: LocalTableScanExec => true
    case _: ProjectExec | _: UnionExec => plan.children.forall(isOfValues)
    case _ => false
  }

  /** Returns whether a plan is a command, or the rows of one that ran. */
  def isCommand(plan: SparkPlan): Boolean = plan match {
    case _: CommandResultExec => true
    case p: V2CommandExec => p.children.isEmpty
    case p => p.getClass.getName.contains(".command.") && !isConsumer(p)
  }

  /** Returns whether what an operator emits depends on how its rows are parted. */
  def lookAtPartitions(plan: SparkPlan): Boolean =
    plan.isInstanceOf[SampleExec] || plan.expressions.exists(e => !e.deterministic || e.exists(isSummary))

  /** The engine's aggregates say the same of whatever parts they meet; sketches and summaries of others do not. */
  private def isSummary(expression: Expression): Boolean = expression match {
    case summary: TypedImperativeAggregate[_] => !NativeLibrary.hasAggregate(summary)
    case _ => false
  }

  /** Returns whether an operator belongs to its streaming query: it keeps state, is looked for in the plan, or does not end. */
  def isOfStream(plan: SparkPlan): Boolean =
    plan.getClass.getName.contains(".streaming.") || Unending(plan.getClass.getSimpleName)

  private val Unending = Set("ContinuousScanExec", "RealTimeStreamScanExec")
}
