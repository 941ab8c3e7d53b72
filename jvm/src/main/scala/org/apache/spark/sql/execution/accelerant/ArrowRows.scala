package org.apache.spark.sql.execution.accelerant

import scala.reflect.ClassTag

import org.apache.arrow.vector.compression.NoCompressionCodec
import org.apache.arrow.vector.types.pojo.Schema
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.arrow.ArrowConverters.ArrowBatchIterator
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Rows on their way out that may leave as Arrow's record batches instead, where they have a source of these. */
trait ArrowRows {
  def source: Option[ArrowSource]
}

/** The engine's side of rows, which writes these for readers of Arrow's format. */
trait ArrowSource {

  /**
   * Returns all rows in record batches: messages of Arrow's IPC format. None where the schema, such a message too, asks for another layout
   * than the engine has, all columns as one of structs apart; then the rows are still there.
   */
  def messages(schema: Array[Byte], sizes: BatchSizes): Option[Iterator[Array[Byte]]]

  /**
   * Returns columns likewise, while the engine keeps others.
   *
   * @param sent by position, in the order of their schema
   * @param numKept how many of the first columns are kept
   */
  def hold(sent: Seq[Int], sentSchema: Array[Byte], numKept: Int, sizes: BatchSizes): Option[HeldMessages]

  /**
   * Returns columns likewise, in groups of rows with equal keys, as Spark sends them to Python: no message where there is no row.
   *
   * @param keys by position too
   */
  def groups(sent: Seq[Int], sentSchema: Array[Byte], keys: Seq[Int], sizes: BatchSizes): Option[Iterator[Array[Byte]]]
}

/** Columns of rows on their way to who computes further ones for each row. */
trait HeldMessages {
  def messages: Iterator[Array[Byte]]

  /** Returns the kept columns with what was computed: batches of Arrow vectors, each valid until the next one is asked for. */
  def joined(results: Iterator[ColumnarBatch], output: Seq[Attribute]): Iterator[InternalRow]
}

/**
 * How large record batches are.
 *
 * @param maxRows that a batch has at most, any number if that is not positive
 * @param maxBytes that a batch of more than one row has at most, any number if that is not positive
 * @param enoughRows for which the batches that the engine has are put together, in a copy, while they have fewer
 */
final case class BatchSizes(maxRows: Long, maxBytes: Long = 0, enoughRows: Long = 0)

/** Partitions are {@link ArrowRows}: no rows are made where Spark would turn them into record batches, as for `toPandas`. */
abstract class ArrowRowsRDD(parent: RDD[_]) extends RDD[InternalRow](parent) {

  override private[spark] def mapPartitionsInternal[U: ClassTag](
      f: Iterator[InternalRow] => Iterator[U],
      preservesPartitioning: Boolean
  ): RDD[U] = {
    val ours = PythonGroups.orSame(f)
    super.mapPartitionsInternal(rows => ArrowRowsRDD.shortened(rows, ours(rows)), preservesPartitioning)
  }
}

private object ArrowRowsRDD {

  /** What an iterator of Spark's goes by: first what decides how its batches look, then what follows from that. */
  private val Known = Seq("rowIter", "arrowSchema", "maxRecordsPerBatch", "codec") ++
    Seq("allocator", "root", "unloader", "arrowWriter")

  /** Its members, where there are no others: these might ask for batches that the engine does not make. */
  private val members = {
    val all = classOf[ArrowBatchIterator].getDeclaredFields.map(field => field.getName -> field).toMap
    if (all.keySet == Known.toSet) Known.take(4).map(all) else Nil
  }
  members.foreach(_.setAccessible(true))

  /** Returns what leads from rows to the same items as an iterator that was just made of them. */
  def shortened[U](rows: Iterator[InternalRow], made: Iterator[U]): Iterator[U] = (rows, made) match {
    case (own: ArrowRows, batches: ArrowBatchIterator) if batches.getClass == classOf[ArrowBatchIterator] =>
      members.map(_.get(batches)) match {
        case Seq(`rows`, schema: Schema, maxRows: java.lang.Long, _: NoCompressionCodec) =>
          own.source.flatMap(_.messages(schema.serializeAsMessage(), BatchSizes(maxRows)))
            .fold(made)(_.asInstanceOf[Iterator[U]])
        case _ => made
      }
    case _ => made
  }
}
