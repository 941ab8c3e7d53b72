package io.accelerant.spark

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, RangePartitioning, SinglePartition}
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.connector.read.streaming.SparkDataStream
import org.apache.spark.sql.execution.{CoalesceExec, FilterExec, LimitExec, ProjectExec, RangeExec, RowToColumnarExec}
import org.apache.spark.sql.execution.{SortExec, SparkPlan, StreamSourceAwareSparkPlan, TakeOrderedAndProjectExec}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * An operator that runs in the engine, in the place of one of Spark's. A native query is a tree of these of which only the top one
 * executes; the others show what runs, with their metrics.
 *
 * It gives rows as well as batches, so that Spark puts no transition on top.
 *
 * @param original Spark's operator with its whole, unconverted subtree
 * @param judged what the engine runs; only the top node has it
 * @param report what becomes of the whole plan
 */
case class NativeExec(
    original: SparkPlan,
    children: Seq[SparkPlan],
    @transient judged: Option[JudgedPlan],
    @transient report: NativeReport
) extends SparkPlan with StreamSourceAwareSparkPlan {

  /** Of a scan, the source of a streaming query whose rows it counts. */
  override def getStream: Option[SparkDataStream] = NativeExec.streamOf(original)

  override def output: Seq[Attribute] = original.output
  override def nodeName: String = prefix + operatorName
  override def argString(maxFields: Int): String = shown(maxFields).stripPrefix(operatorName).trim
  override def simpleString(maxFields: Int): String = prefix + shown(maxFields) + NativeMetrics.rows(metrics)

  private def operatorName: String = if (isIslands) NativeExec.Rows else original.nodeName
  private def shown(maxFields: Int): String = if (isIslands) NativeExec.Rows else original.simpleString(maxFields)

  /** Whether nothing but a write is done with the rows of an island, which has a node of its own below. */
  private def isIslands: Boolean = original.isInstanceOf[IslandExec]

  /** A plan that went back to Spark does not pass for a native one. */
  private def prefix: String = if (report != null && report.isReverted) "" else "Native"

  override def supportsColumnar: Boolean = true
  override def supportsRowBased: Boolean = true
  override lazy val metrics: Map[String, SQLMetric] =
    NativeMetrics.create(original, judged.isDefined, bridges, sparkContext)

  private def bridges: Boolean = report != null && report.bridged.exists(_.of(original).nonEmpty)

  override def outputPartitioning: Partitioning =
    if (isSingle) SinglePartition
    else if (keepsGroups) RangePartitioning(original.outputOrdering, cores)
    else if (judged.exists(_.keepsPartitions)) UnknownPartitioning(cores.max(2)) // 1 would promise a single one
    else UnknownPartitioning(cores)

  override def outputOrdering: Seq[SortOrder] =
    if (keepsGroups || isSingle && NativeExec.keepsOrder(original)) original.outputOrdering else Nil

  /** Whether the parts of the result are promised to be sorted and to have all rows of a key, as those of a sort always are. */
  private def keepsGroups: Boolean = original.getTagValue(NativeExec.KeepsGroups).isDefined

  override protected def doCanonicalize(): SparkPlan = original.canonicalized

  override protected def withNewChildrenInternal(nodes: IndexedSeq[SparkPlan]): SparkPlan = copy(children = nodes)

  override protected def doExecute(): RDD[InternalRow] =
    execution.startInParts().fold(plan => PlainSpark.run(onSpark(plan).execute()), execution.partitioned(_).rows)

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] =
    execution.startInParts()
      .fold(plan => PlainSpark.run(columnar(onSpark(plan)).executeColumnar()), execution.partitioned(_))

  private def columnar(plan: SparkPlan): SparkPlan = if (plan.supportsColumnar) plan else RowToColumnarExec(plan)

  /** Returns Spark's plan, with a single partition where that was promised, as it is on one core. */
  private def onSpark(plan: SparkPlan): SparkPlan =
    if (outputPartitioning.numPartitions == 1) CoalesceExec(1, plan) else plan

  override def executeCollect(): Array[InternalRow] =
    executeQuery(execution.gather(NativeExecution.All, _.executeCollect()))

  override def executeTake(n: Int): Array[InternalRow] =
    executeQuery(execution.gather(NativeExecution.First(n), _.executeTake(n)))

  override def executeTail(n: Int): Array[InternalRow] =
    executeQuery(execution.gather(NativeExecution.Last(n), _.executeTail(n)))

  @transient private[spark] lazy val execution = new NativeExecution(this, cores)

  private def cores: Int = LocalMaster.cores(sparkContext.master).getOrElse(1)

  private def isSingle: Boolean = judged.exists(_.verdict.partitioning == ResultPartitioning.Single)
}

object NativeExec {

  /** Marks a sort of all rows of whose result an operator of Spark's needs the rows of each key together. */
  val KeepsGroups: TreeNodeTag[Unit] = TreeNodeTag("accelerant.groups")

  private val Rows = "Rows"

  /** Returns the source of a streaming query that an operator reads. */
  def streamOf(plan: SparkPlan): Option[SparkDataStream] = plan match {
    case source: StreamSourceAwareSparkPlan => source.getStream
    case _ => None
  }

  /** Returns how Spark parts a plan's rows. Before it has exchanges, it says of joins of unlike sides nothing, and fails. */
  def partitioningOf(plan: SparkPlan): Partitioning =
    try plan.outputPartitioning
    catch { case _: IllegalArgumentException => UnknownPartitioning(0) }

  /** Whether a plan's rows are sorted here as they are on Spark, as all of them have one order. Joins choose their own. */
  def keepsOrder(plan: SparkPlan): Boolean = plan match {
    case sort: SortExec => sort.global
    case _: TakeOrderedAndProjectExec | _: RangeExec => true
    case _: FilterExec | _: ProjectExec | _: LimitExec => plan.children.forall(keepsOrder)
    case _ => false
  }
}
