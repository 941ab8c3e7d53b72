package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.types.StructType
import org.apache.spark.storage.accelerant.StoredPartitions

/**
 * The rows of an island, for tasks of the query that reads them.
 *
 * @param node index in the plan message
 * @param estimate of how many there are
 */
final class IslandRows(val node: Int, val rows: RDD[InternalRow], val schema: StructType, val estimate: Long)
    extends Serializable {

  /** Returns a copy of a partition, as each of Spark's tasks has one. To be asked of the driver's rows, which know them. */
  def partition(index: Int): Partition = StoredPartitions.partitionFor(rows, index)
}

/** Any task may compute any partition of an island; shuffles below it have ended before the first task starts. */
private final class IslandDependency(rows: RDD[InternalRow]) extends NarrowDependency[InternalRow](rows) {
  override def getParents(partition: Int): Seq[Int] = rows.partitions.indices
}

/**
 * Computes rows of islands within a task that waits for the query which reads them. At any time it has at most one partition at work, and
 * leaves it where the query has enough for now. One thread at a time.
 *
 * @param index the part of `count` that the task reads
 */
private final class RowFeeder(
    query: NativeQuery,
    index: Int,
    count: Int,
    islands: Seq[IslandRows],
    metrics: NativeMetrics,
    context: TaskContext
) extends AutoCloseable {
  private var work: Option[FedPartition] = None

  /** Computes rows that are wanted, as long as they are. Errors are those of Spark's operators, or say that the engine lacks memory. */
  def feed(): Unit =
    try {
      var goesOn = true
      while (goesOn) {
        if (work.isEmpty) work = query.claim(index, count).map(start)
        goesOn = work.exists(_.feed())
        if (goesOn) finish(complete = true)
      }
    } catch {
      case e: NativeError if SparkErrors.isOverBudget(e) =>
        query.feedFailure = Some(Preparation.Failed(e.getMessage, isOverBudget = true))
        throw e
    }

  private def start(claim: IslandClaim): FedPartition = {
    val place = islands.indexWhere(_.node == claim.node)
    val island = islands(place)
    query.hasReadIslands = true
    val rows =
      try island.rows.iterator(query.islands(place).partition(claim.partition), context)
      catch {
        case e: Throwable =>
          Native.endClaim(claim.handle, false)
          throw e
      }
    new FedPartition(claim, rows, island.schema)
  }

  private def finish(complete: Boolean): Unit = {
    val ended = work
    work = None
    ended.foreach { partition =>
      metrics.countCrossing(partition.node, partition.nanos)
      Native.endClaim(partition.claim, complete)
    }
  }

  override def close(): Unit = finish(complete = false)
}

/** Rows of a partition on their way into the engine. */
private final class FedPartition(claimed: IslandClaim, rows: Iterator[InternalRow], schema: StructType) {
  import FedPartition._

  /** The time that rows took from Spark's operators into the engine's hands; of packing them, it is what a sample says. */
  var nanos = 0L

  private lazy val projection = UnsafeProjection.create(schema)
  private val chunk = new RowBuffer
  private var chunkRows = FirstRows
  private var failure: Option[Throwable] = None

  def claim: Long = claimed.handle
  def node: Int = claimed.node

  /** Feeds until there is no room; returns whether that was all, or nobody wants more. */
  def feed(): Boolean = {
    var room = Native.room(claim)
    while (room == Room && hasNext)
      room = rows match {
        case joined: JoinedRows if joined.fits(schema) => joined.feed(claim)
        case _ => feedRows()
      }
    room != Full
  }

  private def feedRows(): Int = {
    fill()
    chunkRows = math.min(chunkRows * 4, MostRows)
    val start = System.nanoTime()
    val room = Native.putRows(claim, chunk.bytes, chunk.size, chunk.numRows)
    nanos += System.nanoTime() - start
    room
  }

  private def hasNext: Boolean = failure.fold(rows.hasNext)(throw _)

  /** Collects the next rows. A failure behind some rows is for who wants more than these. */
  private def fill(): Unit = {
    chunk.clear()
    try while (chunk.numRows < chunkRows && chunk.size < MostBytes && rows.hasNext) addTimed(rows.next())
    catch { case NonFatal(e) if chunk.numRows > 0 => failure = Some(e) }
  }

  private def addTimed(next: InternalRow): Unit =
    if (chunk.numRows % SampledRows != SampledRows - 1) add(next)
    else {
      val start = System.nanoTime()
      add(next)
      nanos += (System.nanoTime() - start) * SampledRows
    }

  private def add(next: InternalRow): Unit = chunk.add(next match {
    case unsafe: UnsafeRow => unsafe
    case other => projection(other)
  })
}

private object FedPartition {
  private val MostBytes = 1 << 20
  private val MostRows = 16 << 10

  /** A reader that wants few rows, for a limit, has few computed. */
  private val FirstRows = 32

  /** One row of so many is timed: a look at the clock takes as long as a short row. */
  private val SampledRows = 64

  /** What {@link Native#room} answers. */
  private val Room = 0
  private val Full = 1
}

/** Computes rows for a query whose result another task reads; gives nothing out. */
private final class FeedingTask(query: NativeQuery, feeder: RowFeeder, context: TaskContext) extends Iterator[Nothing] {
  import FeedingTask._

  private val start = System.nanoTime()

  override def hasNext: Boolean = {
    if (isWanted)
      query.use {
        try feedOthers()
        catch { case _: NativeError if query.feedFailure.isDefined => } // the task that reads says so
        finally feeder.close()
      }
    false
  }

  private def feedOthers(): Unit = {
    var rings = 0L
    while (isWanted) {
      SparkInternals.checkKilled(context)
      feeder.feed()
      rings = query.awaitBell(rings, PollMillis)
    }
  }

  /** A task that reads may be waiting for this one's place. */
  private def isWanted: Boolean =
    query.reading == Reading.Begun || query.reading == Reading.Awaited && System.nanoTime() - start < PatienceNanos

  override def next(): Nothing = throw new NoSuchElementException("a task that feeds gives nothing out")
}

private object FeedingTask {
  private val PollMillis = 50L
  private val PatienceNanos = 1000000000L
}
