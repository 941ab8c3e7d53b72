package io.accelerant.spark

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.accelerant.{ArrowSource, BatchSizes, HeldMessages, SparkInternals}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/** Thrown in a task that reads a whole result when the engine finds out that it can't run the query, or lacks the memory for it. */
final class UnsupportedAtRunTime(val why: Preparation.Failed) extends RuntimeException(why.reason)

/**
 * The batches of one partition of a query, for the task that reads them. A batch and the rows in it are valid until `next` is called
 * again or the task ends. Errors are Spark's own where there are such.
 *
 * No lock is held while it waits: it computes rows of islands meanwhile, which may take long, and another thread may end it.
 *
 * @param isWhole whether the reader keeps the rows to itself until it has them all, so that Spark can still take over
 */
final class NativeStream(
    query: NativeQuery,
    partition: Int,
    count: Int,
    isWhole: Boolean,
    schema: StructType,
    feeder: Option[RowFeeder],
    metrics: NativeMetrics
) extends Iterator[ColumnarBatch]
    with ArrowSource {
  import NativeStream._

  private val context = TaskContext.get()
  private val columns = NativeColumnVector.columns(schema)
  private val batch = new ColumnarBatch(columns.toArray[ColumnVector])
  private val stream =
    try query.openStream(partition, count, context)
    catch { case e: NativeError => throw SparkErrors.translate(e, query.judged.plan) }
  private val console = Option.when(SparkInternals.hasConsoleProgress)(ConsoleProgress.OfProcess)

  /** The address of the batch that `next` gave last. */
  private[spark] var current: Long = End
  private val gathered = mutable.ArrayBuffer.empty[HeldBatch]
  private var held: Option[HeldBatches] = None // where all columns stay in the engine
  private var ahead = NotFetched
  private var reader: Thread = _ // who has the current batch
  @volatile private var closed = false
  private var isFetching = false
  private var reportedAt = System.nanoTime()

  if (isWhole) query.reading = Reading.Begun
  console.foreach(_.begin(query))
  context.addTaskCompletionListener[Unit](_ => close())

  override def hasNext: Boolean = {
    if (beginsFetch())
      try keep(fetch())
      finally endFetch()
    synchronized(ahead != End)
  }

  private def beginsFetch(): Boolean = synchronized {
    if (closed) ahead = End
    isFetching = ahead == NotFetched
    isFetching
  }

  private def keep(address: Long): Unit = synchronized { ahead = address }

  private def endFetch(): Unit = synchronized {
    isFetching = false
    if (closed) dispose()
  }

  override def next(): ColumnarBatch = if (!hasNext) throw new NoSuchElementException("no further batch") else take()

  private def take(): ColumnarBatch = synchronized {
    releaseCurrent()
    current = ahead
    ahead = NotFetched
    reader = Thread.currentThread()
    batch.setNumRows(NativeColumnVector.attachBatch(current, if (held.isDefined) columns.take(0) else columns))
    batch
  }

  private def fetch(): Long =
    try {
      var address = NotFetched
      while (address == NotFetched) {
        SparkInternals.checkKilled(context)
        reportSometimes()
        feeder.foreach(_.feed())
        address = if (closed) End else Native.nextBatch(stream, PollMillis)
      }
      address
    } catch {
      case e: NativeError if isWhole && (SparkErrors.leavesToSpark(e) || query.feedFailure.isDefined) =>
        SparkErrors.release(e)
        throw new UnsupportedAtRunTime(query.feedFailure.getOrElse(Preparation.Failed(e)))
      case e: NativeError => throw sparkError(e)
    }

  /** Also frees the row that came with the error. */
  private def sparkError(error: NativeError): Throwable = {
    val kept = query.bridge.failure(error.failure)
    val translated = kept.fold(SparkErrors.translate(error, query.judged.plan)) { thrown =>
      SparkErrors.release(error)
      thrown
    }
    SparkInternals.checkKilled(context)
    translated
  }

  override def messages(schema: Array[Byte], sizes: BatchSizes): Messages =
    written(sizes, release)(Native.useArrowSchema(stream, schema))

  /** The batches have no columns here then. */
  override def hold(sent: Seq[Int], sentSchema: Array[Byte], numKept: Int, sizes: BatchSizes): Option[HeldMessages] = {
    val kept = new HeldBatches(StructType(schema.take(numKept)))
    written(sizes, _.foreach(kept.add)) {
      Native.holdBatches(stream, sentSchema, sent.toArray)
      held = Some(kept)
    }.map(new JoinedColumns(kept, _))
  }

  /** The batches have no columns here then, and none is kept after its messages. */
  override def groups(sent: Seq[Int], schema: Array[Byte], keys: Seq[Int], sizes: BatchSizes): Messages =
    filled(sizes)(Native.holdGroups(stream, schema, sent.toArray, keys.toArray))

  override def cached(isCompressed: Boolean, sizes: BatchSizes): Messages =
    filled(sizes)(Native.holdForCache(stream, isCompressed))

  /** Returns messages that the engine fills itself; the last ones come at the end. */
  private def filled(sizes: BatchSizes)(hold: => Unit): Messages =
    written(sizes.copy(enoughRows = 0), release) {
      hold
      held = Some(new HeldBatches(StructType(Nil)))
    }.map(_ ++ Iterator.single(sizes).flatMap(gatheredMessages(_, release)))

  /** Returns messages of all batches after the stream was readied for that; `after` takes over the batches that were written. */
  private def written(sizes: BatchSizes, after: Seq[HeldBatch] => Unit)(ready: => Unit): Messages =
    try {
      ready
      Some(flatMap { first =>
        gather(first, sizes.enoughRows)
        gatheredMessages(sizes, after)
      })
    } catch { case e: NativeError if e.kind == SparkErrors.Unsupported => None }

  /** Keeps further batches beside the current one, until they have so many rows. */
  private def gather(first: ColumnarBatch, enoughRows: Long): Unit = {
    var rows = first.numRows().toLong
    while (rows < enoughRows && hasNext) {
      keepCurrent()
      rows += next().numRows()
    }
    keepCurrent()
  }

  private def keepCurrent(): Unit = synchronized {
    if (current != End) gathered += HeldBatch(current, batch.numRows())
    current = End
  }

  private def gatheredMessages(sizes: BatchSizes, after: Seq[HeldBatch] => Unit): Array[Array[Byte]] = synchronized {
    try {
      val batches = gathered.toSeq
      val messages =
        if (closed) Array.empty[Array[Byte]]
        else Native.arrowMessages(stream, batches.map(_.address).toArray, sizes.maxRows, sizes.maxBytes)
      gathered.clear()
      after(batches)
      metrics.batchesHandedOut.foreach(_.add(messages.length))
      messages
    } catch { case e: NativeError => throw sparkError(e) }
    finally releaseGathered()
  }

  /** A thread that fetches still goes on to the next time it looks around, and then ends the stream itself. */
  private def close(): Unit = synchronized {
    val first = !closed
    closed = true
    if (isWhole) query.reading = Reading.Ended
    if (first && !isFetching) dispose()
  }

  private def dispose(): Unit = {
    if (reader == null || (reader eq Thread.currentThread())) releaseCurrent() else leaveCurrent()
    releaseGathered()
    held.foreach(_.close())
    if (ahead != NotFetched && ahead != End) Native.releaseBatch(ahead)
    ahead = End
    console.foreach(_.end(query))
    try feeder.foreach(_.close())
    finally query.closeStream(stream, context.isInterrupted())(report())
  }

  private def releaseCurrent(): Unit = if (current != End) {
    Native.releaseBatch(current)
    current = End
  }

  private def releaseGathered(): Unit = {
    release(gathered.toSeq)
    gathered.clear()
  }

  private def release(batches: Seq[HeldBatch]): Unit = batches.foreach(batch => Native.releaseBatch(batch.address))

  /** Another thread may be reading still, such as the one that feeds a program of `RDD.pipe`: the batch goes when it has let go. */
  private def leaveCurrent(): Unit = if (current != End) {
    val address = current
    NativeQuery.afterwards(batch, () => Native.releaseBatch(address)) // does not refer to this, which has the batch
    current = End
  }

  private def reportSometimes(): Unit = if (System.nanoTime() - reportedAt > ReportNanos) {
    report()
  }

  private def report(): Unit = {
    metrics.add(query.newMetrics(), context)
    metrics.add(query.bridge)
    reportedAt = System.nanoTime()
  }
}

object NativeStream {
  private val End = 0L
  private val NotFetched = -1L
  private val PollMillis = 50L
  private val ReportNanos = 500000000L
}
