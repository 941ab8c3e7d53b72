package io.accelerant.spark

import java.nio.charset.Charset

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.TaskAttemptContext
import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.connector.write.WriterCommitMessage
import org.apache.spark.sql.execution.{LeafExecNode, SparkPlan}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.types.{IntegerType, StructType}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Spark's node that writes files, with files that the engine writes; see docs/design/writing.md. What turns up only when the job starts
 * leaves the files to Spark's node over native rows.
 *
 * @param child the top of the native plan, whose judged plan is the write
 */
case class NativeWriteExec(original: WriteFilesExec, child: NativeExec) extends WriteFilesExecBase {
  private def isLeft: Boolean = child.report.isReverted || getTagValue(NativeReport.Tag).isDefined

  override def nodeName: String = if (isLeft) original.nodeName else s"Native${original.nodeName}"

  override protected def withNewChildInternal(rows: SparkPlan): SparkPlan = copy(child = rows.asInstanceOf[NativeExec])

  override protected def doExecuteWrite(spec: WriteFilesSpec): RDD[WriterCommitMessage] =
    try {
      val write = message(spec.description)
      child.execution.checkWrite(write, NativeFiles.uri(spec.description.path))
      child.execution.startInParts().fold(
        plan => PlainSpark.run(original.copy(child = plan).executeWrite(spec)),
        query => {
          val job = spec.description
          val bucket = job.bucketSpec.map(_ => NativeWriteExec.Bucket)
          val shown = job.partitionColumns ++ bucket
          val batches = child.execution.partitioned(query, DataTypeUtils.fromAttributes(shown))
          val counted = batches.mapPartitions(stream => new CountedRows(stream.asInstanceOf[NativeStream]))
          val files = new NativeFiles(job.outputWriterFactory, query.id, write, mayReturn = shown.nonEmpty)
          original.copy(child = CountedRowsExec(counted)).executeWrite(SparkInternals.withWriters(spec, files, bucket))
        }
      )
    } catch {
      case e: NativeError if e.kind == SparkErrors.Unsupported =>
        logWarning(s"Accelerant leaves files to Spark's writer: ${e.getMessage}")
        setTagValue(NativeReport.Tag, NativeReport.ofWrite(e.getMessage))
        child.execution.announce()
        original.copy(child = child.copy(judged = None)).executeWrite(spec)
    }

  /** Returns a write message; see plan-message.md. */
  private def message(job: WriteJobDescription): Array[Byte] = {
    val hadoop = job.serializableHadoopConf.value
    val names = hadoop.asScala.map(_.getKey).filterNot(isHadoopsDefault(hadoop, _)).toSeq
    val out = new MessageWriter
    out.texts(job.dataColumns.flatMap(column => Seq(column.name, column.nullable.toString)))
    out.texts(names.flatMap(name => Seq(name, hadoop.get(name))))
    out.result()
  }

  private def isHadoopsDefault(hadoop: Configuration, name: String): Boolean =
    Option(hadoop.getPropertySources(name)).exists(_.last.endsWith("-default.xml"))
}

private object NativeWriteExec {

  /** What the engine has computed of a row's bucket. */
  private val Bucket: Attribute = AttributeReference("bucket", IntegerType, nullable = false)()
}

/** Gives Spark's tasks that write files rows to count. */
private case class CountedRowsExec(rows: RDD[InternalRow], output: Seq[Attribute] = Nil) extends LeafExecNode {
  override protected def doExecute(): RDD[InternalRow] = rows
}

/**
 * As many rows as a stream has, of those columns alone that name folders, and the number of the bucket. The rows of a batch reach a file
 * when Spark has written all of them, or closes the file.
 */
private final class CountedRows(stream: NativeStream) extends Iterator[InternalRow] {
  private var batch: ColumnarBatch = _
  private var numRows, offset, taken = 0 // of the batch, those that files have, and those that the next call writes
  private var files = 0L

  CountedRows.OfTask.set(this)
  TaskContext.get().addTaskCompletionListener[Unit](_ => CountedRows.OfTask.remove())

  override def hasNext: Boolean = {
    while (offset + taken == numRows && stream.hasNext) {
      SparkInternals.checkKilled(TaskContext.get())
      batch = stream.next()
      numRows = batch.numRows()
      offset = 0
    }
    offset + taken < numRows
  }

  override def next(): InternalRow = batch.getRow(offset + taken)

  /** Counts a file of the task's; returns how many there were. */
  def countFile(): Long = {
    files += 1
    files - 1
  }

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

private object CountedRows {

  /** Those that the thread's task writes. */
  val OfTask = new ThreadLocal[CountedRows]
}

/**
 * Makes files of the engine's for a query, named as Spark's are.
 *
 * @param mayReturn whether a task may come to a folder or bucket again, with a further file: names have the file's number in the task
 */
private final class NativeFiles(spark: OutputWriterFactory, query: Long, message: Array[Byte], mayReturn: Boolean)
    extends OutputWriterFactory {

  override def getFileExtension(context: TaskAttemptContext): String = {
    val number = if (mayReturn) s"-${CountedRows.OfTask.get().countFile()}" else ""
    number + spark.getFileExtension(context)
  }

  override def newInstance(path: String, schema: StructType, context: TaskAttemptContext): OutputWriter = {
    val writer = NativeQuery.byId(query).openWriter(message, NativeFiles.uri(path))
    new NativeFile(path, writer, CountedRows.OfTask.get())
  }
}

private object NativeFiles {

  /** How Java names files to the system; what it has no bytes for becomes a question mark there, too. */
  private val Names = Charset.forName(System.getProperty("sun.jnu.encoding"))

  /** Returns a path whose bytes are those that Java's files have: `URI.toASCIIString` would compose characters. */
  def uri(path: String): String = {
    val uri = new Path(path).toUri
    val place = Option(uri.getScheme).fold("")(_ + ":") + Option(uri.getAuthority).fold("")("//" + _)
    place + uri.getPath.getBytes(Names).map(byte =>
      if (isPlain(byte)) byte.toChar.toString else f"%%${byte & 0xff}%02X"
    ).mkString
  }

  private def isPlain(byte: Byte): Boolean =
    byte > 0 && (Character.isLetterOrDigit(byte.toChar) || "/-_.=".indexOf(byte) >= 0)
}

/** A file of the engine's in the hands of Spark, which closes it once, also when the task fails. */
private final class NativeFile(override val path: String, writer: Long, rows: CountedRows) extends OutputWriter {
  override def write(row: InternalRow): Unit = rows.take(writer)

  override def close(): Unit =
    try rows.write(writer)
    finally Native.closeWriter(writer)
}
