package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.storage.accelerant.StoredPartitions

/**
 * The columns that a scan wants of a cached relation. Spark has filled the cache before the query starts; the engine's workers then take
 * batch after batch from the stored blocks, without any task.
 */
private final class CachedTable(val planNode: Int, scan: InMemoryTableScanExec) extends ExternalTable {
  private val relation = scan.relation
  private val stored = CachedTable.fill(scan)
  private val rows = relation.cacheBuilder.serializer
    .convertCachedBatchToInternalRow(stored, relation.output, scan.attributes, scan.conf)
  private val schema = scan.schema
  private val classLoader = Thread.currentThread().getContextClassLoader

  override val numPartitions: Int = rows.getNumPartitions

  override val numRows: Long = relation.computeStats().rowCount.fold(0L)(_.toLong)

  override def open(partition: Int): ExternalTable.Reader = {
    Thread.currentThread().setContextClassLoader(classLoader) // workers have none, and blocks may be deserialised
    val context = SparkInternals.newContext()
    val reader = new ArrowReader(read(partition, context), schema)
    new ExternalTable.Reader {
      override def next(): Array[Byte] = reader.next()

      override def close(): Unit =
        try reader.close()
        finally SparkInternals.complete(context)
    }
  }

  private def read(partition: Int, context: TaskContext): Iterator[InternalRow] =
    try rows.iterator(rows.partitions(partition), context)
    catch { case NonFatal(e) => throw new RevertException(s"${CachedTable.name(scan)}: ${e.getMessage}") }
}

private object CachedTable {

  /** Has Spark fill the cache of a relation, unless it did so before. Throws RevertException when Spark does not keep all of it. */
  def fill(scan: InMemoryTableScanExec): StoredPartitions[CachedBatch] = {
    val builder = scan.relation.cacheBuilder
    val cached = builder.cachedColumnBuffers
    if (!builder.isCachedColumnBuffersLoaded) {
      cached.sparkContext.runJob(cached, (_: Iterator[CachedBatch]) => ())
    }
    val stored = new StoredPartitions(cached)
    if (stored.numMissing > 0) {
      throw new RevertException(
        s"${name(scan)}: Spark keeps ${cached.getNumPartitions - stored.numMissing} of ${cached.getNumPartitions} partitions"
      )
    }
    stored
  }

  def name(scan: InMemoryTableScanExec): String =
    s"cached relation ${scan.relation.cacheBuilder.cachedName.takeWhile(_ != '\n')}"
}
