package io.accelerant.spark

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.TaskAttemptContext
import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, GenericInternalRow}
import org.apache.spark.sql.connector.write.WriterCommitMessage
import org.apache.spark.sql.execution.{LeafExecNode, SparkPlan}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.types.StructType

/**
 * Spark's node that writes files, with files that the engine writes; see docs/design/writing.md. What turns up only when the job starts
 * leaves the files to Spark's node over native rows.
 *
 * @param child the top of the native plan, whose program is the write
 */
case class NativeWriteExec(original: WriteFilesExec, child: NativeExec) extends WriteFilesExecBase {
  private def isLeft: Boolean = child.report.isReverted || getTagValue(NativeReport.Tag).isDefined

  override def nodeName: String = if (isLeft) original.nodeName else s"Native${original.nodeName}"

  override protected def withNewChildInternal(rows: SparkPlan): SparkPlan = copy(child = rows.asInstanceOf[NativeExec])

  override protected def doExecuteWrite(spec: WriteFilesSpec): RDD[WriterCommitMessage] =
    try {
      val write = message(spec.description)
      Native.checkWrite(write, new Path(spec.description.path).toUri.toASCIIString)
      child.execution.startInParts().fold(
        plan => PlainSpark.run(original.copy(child = plan).executeWrite(spec)),
        query => {
          val batches = child.execution.partitioned(query, new StructType)
          val counted = batches.mapPartitions(stream => new CountedRows(stream.asInstanceOf[NativeStream]))
          val files = new NativeFiles(spec.description.outputWriterFactory, query.id, write)
          original.copy(child = CountedRowsExec(counted)).executeWrite(SparkInternals.withWriters(spec, files))
        }
      )
    } catch {
      case e: NativeError if e.kind == SparkErrors.Unsupported =>
        logWarning(s"Accelerant leaves files to Spark's writer: ${e.getMessage}")
        setTagValue(NativeReport.Tag, NativeReport.ofWrite(e.getMessage))
        child.execution.announce()
        original.copy(child = child.copy(program = None)).executeWrite(spec)
    }

  /** Returns a write message; see plan-message.md. */
  private def message(job: WriteJobDescription): Array[Byte] = {
    val hadoop = job.serializableHadoopConf.value
    val names = hadoop.asScala.map(_.getKey).filter(name => name.contains("parquet") || name.startsWith("zlib.")).toSeq
    val out = new MessageWriter
    out.texts(job.dataColumns.flatMap(column => Seq(column.name, column.nullable.toString)))
    out.texts(names.flatMap(name => Seq(name, hadoop.get(name))))
    out.result()
  }
}

/** Gives Spark's tasks that write files rows to count. */
private case class CountedRowsExec(rows: RDD[InternalRow], output: Seq[Attribute] = Nil) extends LeafExecNode {
  override protected def doExecute(): RDD[InternalRow] = rows
}

/**
 * As many rows as a stream has. Each holds nothing but this iterator, for the writer that it comes to: the rows of a batch reach a file when
 * Spark has written all of them, or closes the file.
 */
private final class CountedRows(stream: NativeStream) extends Iterator[InternalRow] {
  private val row = new GenericInternalRow(Array[Any](this))
  private var numRows, offset, taken = 0 // of the batch, those that files have, and those that the next call writes

  override def hasNext: Boolean = {
    while (offset + taken == numRows && stream.hasNext) {
      SparkInternals.checkKilled(TaskContext.get())
      numRows = stream.next().numRows()
      offset = 0
    }
    offset + taken < numRows
  }

  override def next(): InternalRow = row

  /** Takes the row for a file. */
  def take(writer: Long): Unit = {
    taken += 1
    if (offset + taken == numRows) write(writer)
  }

  /** Writes the rows taken since the last call. */
  def write(writer: Long): Unit = if (taken > 0) {
    Native.writeRows(writer, stream.current, offset, taken)
    offset += taken
    taken = 0
  }
}

/** Makes files of the engine's for a query, named as Spark's are. */
private final class NativeFiles(spark: OutputWriterFactory, query: Long, message: Array[Byte])
    extends OutputWriterFactory {

  override def getFileExtension(context: TaskAttemptContext): String = spark.getFileExtension(context)

  override def newInstance(path: String, schema: StructType, context: TaskAttemptContext): OutputWriter =
    new NativeFile(path, NativeQuery.byId(query).openWriter(message, new Path(path).toUri.toASCIIString))
}

/** A file of the engine's in the hands of Spark, which closes it once, also when the task fails. */
private final class NativeFile(override val path: String, writer: Long) extends OutputWriter {
  private var rows: CountedRows = _

  override def write(row: InternalRow): Unit = {
    rows = row.get(0, null).asInstanceOf[CountedRows]
    rows.take(writer)
  }

  override def close(): Unit =
    try if (rows != null) rows.write(writer)
    finally Native.closeWriter(writer)
}
