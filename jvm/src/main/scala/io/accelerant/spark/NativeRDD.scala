package io.accelerant.spark

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.accelerant.{ArrowRows, ArrowRowsRDD, ArrowSource}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Of a native query's result. */
private final case class NativePartition(index: Int) extends Partition

/**
 * The result of a native query in partitions fed from one run; each may be computed again. Tasks find the query as long as it is there.
 *
 * @param isWhole see {@link NativeStream}; the first partition is the result then, the others help to compute rows of islands
 */
final class NativeRDD(
    context: SparkContext,
    @transient private val query: NativeQuery,
    count: Int,
    isWhole: Boolean,
    schema: StructType,
    islands: Seq[IslandRows],
    metrics: NativeMetrics
) extends RDD[ColumnarBatch](context, islands.map(island => new IslandDependency(island.rows))) {

  private val number = query.id

  override protected def getPartitions: Array[Partition] = Array.tabulate(count)(NativePartition(_))

  override def compute(split: Partition, context: TaskContext): Iterator[ColumnarBatch] = {
    val native = NativeQuery.byId(number)
    val (part, parts) = if (isWhole) (0, 1) else (split.index, count)
    val feeder = Option.when(islands.nonEmpty) {
      new RowFeeder(native, part, parts, islands, metrics, context)
    }
    if (isWhole && split.index > 0) feeder.fold(Iterator.empty[ColumnarBatch])(new FeedingTask(native, _, context))
    else new NativeStream(native, part, parts, isWhole, schema, feeder, metrics)
  }

  /** Returns the result as rows. */
  def rows: RDD[InternalRow] = new PythonRowsRDD(this, schema)
}

class NativeRowsRDD(batches: NativeRDD, schema: StructType) extends ArrowRowsRDD(batches) {
  override protected def getPartitions: Array[Partition] = firstParent[ColumnarBatch].partitions

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] =
    new NativeRows(firstParent[ColumnarBatch].iterator(split, context), schema)
}

/** Copies batches into rows; a row is valid until the next one is asked for. */
final class NativeRows(batches: Iterator[ColumnarBatch], schema: StructType) extends Iterator[UnsafeRow]
    with ArrowRows {
  private lazy val projection = UnsafeProjection.create(schema)
  private var batch: ColumnarBatch = _
  private var row, end = 0

  override def hasNext: Boolean = {
    while (row == end && batches.hasNext) {
      batch = batches.next()
      end = batch.numRows()
      row = 0
    }
    row < end
  }

  override def next(): UnsafeRow = {
    if (!hasNext) throw new NoSuchElementException("no further row")
    row += 1
    projection(batch.getRow(row - 1))
  }

  override def source: Option[ArrowSource] = Option(batches).collect { case stream: NativeStream => stream }
}
