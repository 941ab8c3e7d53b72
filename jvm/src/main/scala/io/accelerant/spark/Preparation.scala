package io.accelerant.spark

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.accelerant.SparkInternals

/** How far a query is with what comes before its first row. */
sealed trait Preparation

object Preparation {
  case object Pending extends Preparation

  /** Parts of the result can be read, or will fail as Spark's would. */
  case object Done extends Preparation

  /** Spark should run the query instead. */
  final case class Failed(reason: String, isOverBudget: Boolean) extends Preparation

  object Failed {
    def apply(error: NativeError): Failed = Failed(error.getMessage, SparkErrors.isOverBudget(error))
    def tupled(sent: (String, Boolean)): Failed = Failed(sent._1, sent._2)
  }
}

/**
 * The tasks that wait until the parts of a query's result can be read, and compute rows of islands meanwhile: a job of Spark's, which
 * shows how far the query is and can be cancelled. Each emits how it ended.
 *
 * @param parts that the result is to be read in
 */
final class PreparingRDD(
    context: SparkContext,
    query: Long,
    tasks: Int,
    parts: Int,
    islands: Seq[IslandRows],
    metrics: NativeMetrics
) extends RDD[Preparation](context, islands.map(island => new IslandDependency(island.rows))) {

  override protected def getPartitions: Array[Partition] = Array.tabulate(tasks)(NativePartition(_))

  override def compute(split: Partition, context: TaskContext): Iterator[Preparation] = {
    val native = NativeQuery.byId(query)
    val feeder = Option.when(islands.nonEmpty) {
      new RowFeeder(native, split.index, tasks, islands, metrics, context)
    }
    Iterator(new PreparingTask(native, parts, feeder, metrics, context, isFirst = split.index == 0).outcome())
  }
}

/** @param isFirst whether this task of several shows how far the query is */
private final class PreparingTask(
    query: NativeQuery,
    parts: Int,
    feeder: Option[RowFeeder],
    metrics: NativeMetrics,
    context: TaskContext,
    isFirst: Boolean
) {
  import PreparingTask._

  private val console = Option.when(isFirst && SparkInternals.hasConsoleProgress)(ConsoleProgress.OfProcess)
  private var rings = 0L
  private var reportedAt = System.nanoTime()

  def outcome(): Preparation = query.use {
    console.foreach(_.begin(query))
    try Iterator.continually(step()).dropWhile(_ == Preparation.Pending).next()
    catch { case _: NativeError if query.feedFailure.isDefined => query.feedFailure.get }
    finally {
      console.foreach(_.end(query))
      feeder.foreach(_.close())
    }
  }

  private def step(): Preparation = {
    SparkInternals.checkKilled(context)
    if (isFirst) reportSometimes()
    if (feeder.isEmpty) query.prepare(parts, PollMillis)
    else {
      feeder.foreach(_.feed())
      rings = query.awaitBell(rings, FeedMillis)
      query.prepare(parts, 0)
    }
  }

  private def reportSometimes(): Unit = if (System.nanoTime() - reportedAt > ReportNanos) {
    metrics.add(query.newMetrics(), context)
    metrics.add(query.bridge)
    reportedAt = System.nanoTime()
  }
}

private object PreparingTask {
  private val PollMillis = 50L
  private val FeedMillis = 10L
  private val ReportNanos = 500000000L
}
