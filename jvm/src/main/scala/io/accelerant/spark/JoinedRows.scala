package io.accelerant.spark

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, JoinedRow, UnsafeProjection}
import org.apache.spark.sql.execution.accelerant.{ArrowResults, HeldMessages}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Columns that a Python worker gets of rows that the engine holds. */
final class JoinedColumns(held: HeldBatches, val messages: Iterator[Array[Byte]]) extends HeldMessages {
  override def joined(results: Iterator[ColumnarBatch], output: Seq[Attribute]): Iterator[InternalRow] =
    new JoinedRows(held, results, output)
}

/**
 * Rows of which the engine holds the first columns and a Python worker returns the others, batch by batch. Whoever reads them takes rows,
 * each valid until the next one is asked for, or hands them to another query of the engine without making any.
 *
 * @param results Arrow vectors, each batch valid until the next one is asked for
 */
final class JoinedRows(held: HeldBatches, results: Iterator[ColumnarBatch], output: Seq[Attribute])
    extends Iterator[InternalRow] {
  private lazy val projection = UnsafeProjection.create(output, output)
  private val joined = new JoinedRow

  private var result: ColumnarBatch = _
  private var row, end = 0 // of the result
  private var batch: HeldBatch = _
  private var place = 0 // in the batch
  private var shown: ShownBatch = _ // of the batch, once rows are asked for
  private var reader: Thread = _ // of what is shown
  private var others: ArrowResults = _ // as the query reads them that takes these rows

  TaskContext.get().addTaskCompletionListener[Unit](_ => close())

  override def hasNext: Boolean = {
    while (row == end && results.hasNext) {
      result = results.next()
      row = 0
      end = result.numRows()
    }
    row < end
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no further row")
    joined(nextHeld(), result.getRow(row))
    row += 1
    projection(joined)
  }

  private def nextHeld(): InternalRow =
    if (findBatch()) {
      if (shown == null) show()
      place += 1
      shown.rows.getRow(place - 1)
    } else held.nextRow()

  /** Whether the rows at hand can leave for a query that reads rows of this schema. */
  private[spark] def fits(schema: StructType): Boolean = {
    if (others == null) others = new ArrowResults(StructType(schema.drop(held.schema.length)))
    hasNext && others.fit(result) && findBatch()
  }

  /** Hands the rows at hand over to a query; returns what {@link Native#room} would. */
  private[spark] def feed(claim: Long): Int = {
    val stream = others.stream(result)
    var room = 0
    while (row < end && findBatch()) {
      val count = math.min(end - row, batch.numRows - place)
      room = Native.putColumns(claim, batch.address, held.schema.length, place, count, stream, row)
      row += count
      place += count
    }
    room
  }

  /** Goes on to the batch that has the next row, if it is in one. */
  private def findBatch(): Boolean = {
    while (batch != null && place == batch.numRows) synchronized(release())
    if (batch == null) synchronized {
      batch = held.next().orNull
      place = 0
    }
    batch != null
  }

  private def show(): Unit = synchronized {
    reader = Thread.currentThread()
    shown = new ShownBatch(batch, held.schema)
  }

  /** Another thread than the task's may be reading still. */
  private def close(): Unit = synchronized {
    if (shown != null && (reader ne Thread.currentThread())) {
      shown.releaseAfterUse()
      shown = null
    }
    release()
  }

  private def release(): Unit = {
    if (shown != null) shown.release()
    if (batch != null) Native.releaseBatch(batch.address)
    shown = null
    batch = null
  }
}
