package io.accelerant.spark

import java.nio.{ByteBuffer, ByteOrder}

import scala.util.control.NonFatal

import org.apache.spark.{SparkThrowable, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.plans.logical.{CollectMetrics, LogicalPlan}
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.{CollectMetricsExec, FilterExec, LimitExec, ProjectExec, SparkPlan, UnionExec}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.columnar.{DefaultCachedBatch, InMemoryRelation, InMemoryTableScanExec}
import org.apache.spark.storage.accelerant.StoredPartitions

/**
 * The columns that a scan wants of a cached relation, of the batches whose statistics don't rule it out. Spark has filled the cache before
 * the query starts; the engine's workers then take batch after batch from the stored blocks, without any task, and read them as they are.
 */
private final class CachedTable(val planNode: Int, scan: InMemoryTableScanExec) extends ExternalTable {
  private val relation = scan.relation
  private val stored = CachedTable.fill(scan)
  private val batches = wanted
  private val columns = scan.attributes.map(a => relation.output.indexWhere(_.exprId == a.exprId)).toArray
  private val classLoader = Thread.currentThread().getContextClassLoader

  override val numPartitions: Int = batches.getNumPartitions

  override val numRows: Long = relation.computeStats().rowCount.fold(0L)(_.toLong)

  /** Computes what Spark no longer stores, in the tasks that call this at the same time; it is there until {@link #forget}. */
  def recompute(context: TaskContext): Unit = stored.recompute(context)

  /** Frees what was recomputed. */
  def forget(): Unit = stored.forget()

  override def open(partition: Int): ExternalTable.Reader = {
    Thread.currentThread().setContextClassLoader(classLoader) // workers have none, and blocks may be deserialised
    val context = SparkInternals.newContext()
    try new CachedTable.Reader(batches.iterator(batches.partitions(partition), context), columns, context)
    catch {
      case e: Throwable =>
        SparkInternals.complete(context) // gives up the lock of the block
        e match {
          case NonFatal(_) => throw new RevertException(s"${CachedTable.name(scan)}: ${e.getMessage}")
          case _ => throw e
        }
    }
  }

  /** Leaves out the batches that the scan's predicates leave nothing of, as Spark does. */
  private def wanted: RDD[CachedBatch] =
    if (scan.predicates.isEmpty || !scan.conf.inMemoryPartitionPruning) stored
    else {
      val filter = relation.cacheBuilder.serializer.buildFilter(scan.predicates, relation.output)
      stored.mapPartitionsWithIndex((partition, batches) => filter(partition, batches))
    }
}

private object CachedTable {

  /** Emits the wanted columns of each batch. Gives up the lock of the block in the end. */
  private final class Reader(batches: Iterator[CachedBatch], columns: Array[Int], context: TaskContext)
      extends ExternalTable.Reader {

    override def next(): Array[Array[Byte]] =
      if (!batches.hasNext) null
      else
        batches.next() match {
          case batch: DefaultCachedBatch =>
            val buffers = columns.map(batch.buffers(_))
            val sizes = ByteBuffer.allocate((1 + buffers.length) * Integer.BYTES).order(ByteOrder.nativeOrder)
            sizes.putInt(batch.numRows)
            buffers.foreach(buffer => sizes.putInt(buffer.length))
            sizes.array +: buffers
          case other => throw new IllegalStateException(s"Spark caches ${other.getClass.getName}")
        }

    override def close(): Unit = SparkInternals.complete(context)
  }

  def isScan(plan: SparkPlan): Boolean = plan.isInstanceOf[InMemoryTableScanExec]

  /** Whether an operator counts rows for an observer, itself or in what fills the cache that it reads. */
  def isObserved(plan: SparkPlan): Boolean = plan match {
    case _: CollectMetricsExec => true
    case scan: InMemoryTableScanExec => isObserved(scan.relation.cacheBuilder.logicalPlan)
    case _ => false
  }

  private def isObserved(plan: LogicalPlan): Boolean = plan.exists {
    case _: CollectMetrics => true
    case relation: InMemoryRelation => isObserved(relation.cacheBuilder.logicalPlan)
    case _ => false
  }

  /** Whether a plan reads caches whose partitions are sorted. */
  def isSorted(plan: EncodedPlan): Boolean = scans(plan).exists(_.relation.outputOrdering.nonEmpty)

  /** Returns the name of a cached relation that a plan reads and that Spark keeps in memory only, if there is one. */
  def mayVanish(plan: EncodedPlan): Option[String] =
    scans(plan).find(!_.relation.cacheBuilder.storageLevel.useDisk).map(name)

  /**
   * Throws RevertException when a limit stands above a cache that is not filled with nothing between that reads all rows: Spark would
   * only compute the partitions that it needs.
   */
  def refuseUnfilledBelowLimit(plan: EncodedPlan): Unit =
    plan.plans.collect { case (_, limit: LimitExec) => limit }.flatMap(streamed).foreach { scan =>
      if (!isFilled(scan)) throw new RevertException(s"${name(scan)} is not filled, and a limit may not need all of it")
    }

  private def streamed(plan: SparkPlan): Seq[InMemoryTableScanExec] = plan match {
    case scan: InMemoryTableScanExec => Seq(scan)
    case _: LimitExec | _: FilterExec | _: ProjectExec | _: UnionExec => plan.children.flatMap(streamed)
    case _ => Nil
  }

  private def scans(plan: EncodedPlan): Seq[InMemoryTableScanExec] =
    plan.plans.collect { case (_, scan: InMemoryTableScanExec) => scan }

  private def isFilled(scan: InMemoryTableScanExec): Boolean = scan.relation.cacheBuilder.isCachedColumnBuffersLoaded

  /**
   * Has Spark fill the cache of a relation, unless it did so before. Throws RevertException when Spark does not keep all of it, or
   * fails: it may not come to the row that is to blame when it runs the query itself.
   */
  def fill(scan: InMemoryTableScanExec): StoredPartitions[CachedBatch] = {
    val cached = scan.relation.cacheBuilder.cachedColumnBuffers
    if (!isFilled(scan)) {
      try cached.sparkContext.runJob(cached, (_: Iterator[CachedBatch]) => ())
      catch {
        case e: Exception with SparkThrowable if e.getCondition != "SPARK_JOB_CANCELLED" =>
          throw new RevertException(
            s"${name(scan)} can't be filled: ${e.getMessage.linesIterator.nextOption().getOrElse("")}"
          )
      }
    }
    val stored = new StoredPartitions(cached)
    val numMissing = stored.missing.length
    if (numMissing > 0) {
      throw new RevertException(
        s"${name(scan)}: Spark keeps ${cached.getNumPartitions - numMissing} of ${cached.getNumPartitions} partitions"
      )
    }
    stored
  }

  def name(scan: InMemoryTableScanExec): String =
    s"cached relation ${scan.relation.cacheBuilder.cachedName.takeWhile(_ != '\n')}"
}
