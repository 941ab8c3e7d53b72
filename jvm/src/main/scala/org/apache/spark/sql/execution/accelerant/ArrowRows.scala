package org.apache.spark.sql.execution.accelerant

import java.nio.{ByteBuffer, ByteOrder}

import scala.reflect.ClassTag

import org.apache.arrow.vector.compression.NoCompressionCodec
import org.apache.arrow.vector.types.pojo.Schema
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Rows on their way out that may leave as Arrow's record batches instead, where they have a source of these. */
trait ArrowRows {
  def source: Option[ArrowSource]
}

/** The engine's side of rows, which writes these for readers of Arrow's format. */
trait ArrowSource {

  /** None where the engine does not write what is asked for; then the rows are still there. */
  type Messages = Option[Iterator[Array[Byte]]]

  /**
   * Returns all rows in record batches: messages of Arrow's IPC format. None where the schema, such a message too, asks for another layout
   * than the engine has, all columns as one of structs apart; then the rows are still there.
   */
  def messages(schema: Array[Byte], sizes: BatchSizes): Messages

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
  def groups(sent: Seq[Int], sentSchema: Array[Byte], keys: Seq[Int], sizes: BatchSizes): Messages

  /** Returns all rows as batches for a cache, see {@link CachedRows}. */
  def cached(isCompressed: Boolean, sizes: BatchSizes): Messages
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

  /** Members of iterators of Spark's: what decides how their batches look, and what follows from that. */
  private val Arrow = Seq("rowIter", "arrowSchema", "maxRecordsPerBatch", "codec")
  private val Cache = Seq("rowIterator", "batchSize", "useCompression")
  private val Others = Map(Arrow -> Seq("allocator", "root", "unloader", "arrowWriter"), Cache -> Seq("output"))

  /** Returns what leads from rows to the same items as an iterator that was just made of them. */
  def shortened[U](rows: Iterator[InternalRow], made: Iterator[U]): Iterator[U] =
    batches(rows, made).fold(made)(_.asInstanceOf[Iterator[U]])

  private def batches(rows: Iterator[InternalRow], made: Iterator[_]): Option[Iterator[_]] =
    (rows, values(made)) match {
      case (own: ArrowRows, Seq(`rows`, schema: Schema, maxRows: java.lang.Long, _: NoCompressionCodec)) =>
        own.source.flatMap(_.messages(schema.serializeAsMessage(), BatchSizes(maxRows)))
      case (own: ArrowRows, Seq(`rows`, maxRows: Integer, isCompressed: java.lang.Boolean)) =>
        own.source.flatMap(_.cached(isCompressed, CachedRows.sizes(maxRows))).map(_.map(CachedRows.batch))
      case _ => None
    }

  /** Returns what decides, of an iterator that has no other members: these might ask for batches that the engine does not make. */
  private def values(made: Iterator[_]): Seq[AnyRef] = {
    val all = made.getClass.getDeclaredFields.map(field => field.getName.takeWhile(_ != '$') -> field).toMap
    Others.collectFirst { case (known, others) if all.keySet == (known ++ others).toSet => known.map(all) }
      .toSeq.flatten.tapEach(_.setAccessible(true)).map(_.get(made))
  }
}

/** What Spark's own serializer fills caches with, laid out by the engine. */
private object CachedRows {

  /** Batches have at most four megabytes, as Spark's builders count. */
  def sizes(maxRows: Integer): BatchSizes = BatchSizes(maxRows.longValue, 4L << 20)

  /** Reads the numbers of rows and parts and the sizes of these, then the parts: the columns, and their statistics, an UnsafeRow. */
  def batch(message: Array[Byte]): CachedBatch = {
    val bytes = ByteBuffer.wrap(message).order(ByteOrder.nativeOrder)
    val numRows = bytes.getInt()
    val parts = Array.fill(bytes.getInt())(new Array[Byte](bytes.getInt()))
    parts.foreach(bytes.get(_))
    val statistics = new UnsafeRow((parts.length - 1) * 5) // bounds, nulls, rows and bytes of each column
    statistics.pointTo(parts.last, parts.last.length)
    DefaultCachedBatch(numRows, parts.init, statistics)
  }
}
