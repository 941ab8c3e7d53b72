package io.accelerant.spark

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric

/** The plan that computes the rows of an island, or what is likely to become of it before that is asked for. */
final class IslandPlan {
  private var plan: Option[SparkPlan] = None

  def set(planned: SparkPlan): Unit = synchronized { plan = Some(planned) }

  def get(likely: => SparkPlan): SparkPlan = synchronized {
    if (plan.isEmpty) plan = Some(likely)
    plan.get
  }
}

/**
 * An operator that stays Spark's, with all that is below it, in the midst of a native query: its rows flow into the query while tasks
 * compute them. What is below may be native again; that is another query.
 *
 * @param original Spark's operator with its subtree
 * @param reason why it is not native
 * @param inside what is known of the plan that computes the rows; copies of this node share it
 */
case class IslandExec(original: SparkPlan, reason: String, @transient inside: IslandPlan = new IslandPlan)
    extends SparkPlan {

  /** What computes the rows, exchanges and all. Planned when it is first asked for: adaptive execution wants a query that runs. */
  @transient lazy val plan: SparkPlan = PlainSpark.plan(session, original)

  /** Not in tasks, where Spark walks through the plan that they came with: there is no session to plan with. */
  @transient @volatile private var isPlanned = false

  /** To the rules of Spark that look at plans before they run, this is a leaf; what runs is shown. */
  override def children: Seq[SparkPlan] = if (isPlanned) Seq(plan) else Nil

  override protected def withNewChildrenInternal(nodes: IndexedSeq[SparkPlan]): SparkPlan = this

  /** Starts Spark's jobs that come before the rows, waits for them, and returns the rows for tasks to compute. */
  def rows(): RDD[InternalRow] = {
    val planned = plan
    isPlanned = true
    inside.set(planned)
    PlainSpark.unwrapping(planned.execute())
  }

  /** What brings the rows into the query has no node of its own. */
  @transient override lazy val metrics: Map[String, SQLMetric] = NativeMetrics.ofCrossing(sparkContext)

  /** Estimates the rows from what Spark's optimizer knows of the operator. */
  def estimatedRows: Long = original.logicalLink.map(_.stats).fold(0L) { stats =>
    val width = IslandExec.RowOverheadBytes + output.map(_.dataType.defaultSize).sum
    stats.rowCount.getOrElse(stats.sizeInBytes / width).min(Long.MaxValue / 2).toLong
  }

  /** Returns the plan that computes the rows as far as it is known, for people. */
  def shown: SparkPlan =
    inside.get(session.withActive(new QueryConverter(session).convert(original.clone(), isWhole = true)))

  /** So that Spark puts no transition between this and the query, which takes rows. */
  override def supportsColumnar: Boolean = true
  override def supportsRowBased: Boolean = true

  override def output: Seq[Attribute] = original.output
  override def outputPartitioning: Partitioning = NativeExec.partitioningOf(original)
  override def outputOrdering: Seq[SortOrder] = original.outputOrdering
  override def nodeName: String = s"Island ${original.nodeName}"
  override def argString(maxFields: Int): String = original.simpleString(maxFields).stripPrefix(original.nodeName).trim
  override def simpleString(maxFields: Int): String =
    s"Island ${original.simpleString(maxFields)}" + NativeMetrics.rows(metrics)
  override protected def doCanonicalize(): SparkPlan = original.canonicalized
  override protected def doExecute(): RDD[InternalRow] = original.execute()
}

object IslandExec {
  private val RowOverheadBytes = 8

  /** Returns a plan as Spark made it. */
  def restore(plan: SparkPlan): SparkPlan = plan.transform { case island: IslandExec => island.original }
}
