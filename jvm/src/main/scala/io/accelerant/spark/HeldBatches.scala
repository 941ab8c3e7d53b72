package io.accelerant.spark

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.python.HybridRowQueue
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/**
 * Batches that stay in the engine until what belongs to their rows comes from elsewhere, in the same order. Where that takes many rows
 * before it emits any, later ones go into Spark's queue, which spills to disk. Any thread may add some; one at a time takes them.
 *
 * @param schema of the first columns of the batches, those that are kept
 */
final class HeldBatches(val schema: StructType) {
  import HeldBatches._

  private val context = TaskContext.get()
  private val waiting = mutable.Queue.empty[HeldBatch]
  private var bytes, numSpilled = 0L
  private var closed = false
  private var spilled: Option[HybridRowQueue] = None
  private lazy val projection = UnsafeProjection.create(schema)

  /** Takes over a batch. */
  private[spark] def add(batch: HeldBatch): Unit = synchronized {
    if (closed) Native.releaseBatch(batch.address)
    else if (bytes > MostBytes || numSpilled > 0) spill(batch)
    else {
      bytes += Native.heldBytes(batch.address)
      waiting += batch
    }
  }

  private def spill(batch: HeldBatch): Unit =
    try {
      if (spilled.isEmpty) spilled = Some(PythonQueue.create(context, schema.length))
      val shown = new ShownBatch(batch, schema)
      try for (queue <- spilled; row <- 0 until batch.numRows) queue.add(projection(shown.rows.getRow(row)))
      finally shown.release()
      numSpilled += batch.numRows
    } finally Native.releaseBatch(batch.address)

  /** Returns the batch with the next rows, which the caller frees; None where they are to be taken by {@link #nextRow}. */
  private[spark] def next(): Option[HeldBatch] = synchronized {
    if (waiting.isEmpty && numSpilled == 0) {
      throw new IllegalStateException("a Python worker has returned more rows than it got")
    }
    val batch = Option.when(waiting.nonEmpty)(waiting.dequeue())
    batch.foreach(taken => bytes -= Native.heldBytes(taken.address))
    batch
  }

  private[spark] def nextRow(): UnsafeRow = synchronized {
    numSpilled -= 1
    spilled.fold(throw new IllegalStateException("no row was spilled"))(_.remove())
  }

  private[spark] def close(): Unit = synchronized {
    closed = true
    spilled.foreach(_.close())
    spilled = None
    waiting.foreach(batch => Native.releaseBatch(batch.address))
    waiting.clear()
  }
}

private object HeldBatches {

  /** A worker that returns a batch for each one that it gets has two or three on their way. */
  private val MostBytes = 64L << 20
}

/** A batch whose columns the engine keeps, under an address for {@link Native}. */
private[spark] final case class HeldBatch(address: Long, numRows: Int)

/** The first columns of a batch that the engine keeps, to be read here. */
private[spark] final class ShownBatch(batch: HeldBatch, schema: StructType) {
  private val columns = NativeColumnVector.columns(schema)
  private val address = Native.showBatch(batch.address, schema.length)
  val rows = new ColumnarBatch(columns.toArray[ColumnVector], NativeColumnVector.attachBatch(address, columns))

  def release(): Unit = Native.releaseBatch(address)

  /** Releases it when the rows are not referred to any more. */
  def releaseAfterUse(): Unit = {
    val left = address
    NativeQuery.afterwards(rows, () => Native.releaseBatch(left))
  }
}
