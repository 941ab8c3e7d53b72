package io.accelerant.spark

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

private final case class NativePartition(index: Int) extends Partition

/**
 * The result of a native query in partitions fed from one run; each may be computed again.
 *
 * @param isWhole see {@link NativeStream}
 */
final class NativeRDD(
    context: SparkContext,
    query: Long,
    count: Int,
    isWhole: Boolean,
    schema: StructType,
    metrics: NativeMetrics
) extends RDD[ColumnarBatch](context, Nil) {

  override protected def getPartitions: Array[Partition] = Array.tabulate(count)(NativePartition)

  override def compute(split: Partition, context: TaskContext): Iterator[ColumnarBatch] =
    new NativeStream(NativeQuery.byId(query), split.index, count, isWhole, schema, metrics)

  /** Returns the result as rows. */
  def rows: RDD[InternalRow] = {
    val rowSchema = schema
    mapPartitions(batches => NativeRDD.rows(batches, rowSchema))
  }
}

object NativeRDD {

  /** Copies batches into rows; a row is valid until the next one is asked for. */
  def rows(batches: Iterator[ColumnarBatch], schema: StructType): Iterator[UnsafeRow] = {
    val projection = UnsafeProjection.create(schema)
    batches.flatMap { batch =>
      val end = batch.numRows()
      new Iterator[UnsafeRow] {
        private var row = 0

        override def hasNext: Boolean = row < end

        override def next(): UnsafeRow = {
          row += 1
          projection(batch.getRow(row - 1))
        }
      }
    }
  }
}
