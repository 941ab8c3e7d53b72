package io.accelerant.spark

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.LocalTableScanExec
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/** What the engine reads from Spark's memory. */
object ExternalTables {

  /** Returns the tables of a plan's nodes, ready to be read. Has Spark fill caches first. Throws RevertException where it can't. */
  def of(plan: EncodedPlan): Seq[ExternalTable] = {
    CachedTable.refuseUnfilledBelowLimit(plan)
    plan.plans.collect {
      case (node, scan: LocalTableScanExec) => new LocalTable(node, scan)
      case (node, scan: InMemoryTableScanExec) => new CachedTable(node, scan)
    }
  }
}

/** Rows that came with the query, in the partitions that Spark's scan makes of them. */
private final class LocalTable(val planNode: Int, scan: LocalTableScanExec) extends ExternalTable {
  private val rows = scan.rows.toIndexedSeq
  private val parallelism = scan.conf.getConf(SQLConf.LEAF_NODE_DEFAULT_PARALLELISM)

  override val numPartitions: Int =
    math.min(rows.length, parallelism.getOrElse(scan.session.sparkContext.defaultParallelism))

  override def numRows: Long = rows.length

  override def open(partition: Int): ExternalTable.Reader =
    new ArrowReader(rows.iterator.slice(rowsBefore(partition), rowsBefore(partition + 1)), scan.schema)

  private def rowsBefore(partition: Int): Int = (partition.toLong * rows.length / numPartitions).toInt
}

/** Turns rows into Arrow's format, as many at a time as make a batch. A row is only read until the next one is asked for. */
final class ArrowReader(rows: Iterator[InternalRow], schema: StructType) extends ExternalTable.Reader {
  private val batches = SparkInternals.arrowBatches(rows, schema, ArrowReader.BatchRows, ArrowReader.BatchBytes)

  override def next(): Array[Array[Byte]] = if (batches.hasNext) Array(batches.next()) else null

  override def close(): Unit = batches.close()
}

private object ArrowReader {
  private val BatchRows = 16L << 10
  private val BatchBytes = 4L << 20
}
