package org.apache.spark.sql.execution.accelerant

import java.io.DataOutputStream

import scala.util.control.NonFatal

import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.arrow.vector.types.pojo.Schema
import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeAndComment, CodeGenerator}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.python.{
  ArrowPythonRunner,
  ArrowPythonWithNamedArgumentRunner,
  RowInputArrowPythonRunner
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Spark's runner of a Python worker, to which it writes Arrow's messages in the place of rows. A generated class has the members. */
trait MessageRunner {

  /** The schema that is written ahead. */
  def arrowSchema: Schema

  /** Frees what a runner has that does not run. */
  def discard(): Unit

  /** Sets what is written; to be called before it runs. */
  def send(input: MessageInput): Unit

  /** Runs the worker on a partition; returns its batches, each valid until the next one is asked for. */
  final def run(context: TaskContext): Iterator[ColumnarBatch] =
    this.asInstanceOf[RowInputArrowPythonRunner].compute(
      Iterator.empty[Iterator[InternalRow]],
      context.partitionId(),
      context
    )
}

/** Messages on their way to a worker. */
final class MessageInput(messages: Iterator[Array[Byte]]) {

  /** Writes the next message; returns false when there is none. */
  def writeNext(out: DataOutputStream, metrics: Map[String, SQLMetric]): Boolean = messages.hasNext && {
    val message = messages.next()
    out.write(message)
    metrics("pythonDataSent") += message.length
    true
  }
}

/**
 * A class of Spark's runners. What they are constructed with differs from version to version, so that ours are made where they run.
 *
 * @param ofOperator the arguments of the constructor that an operator computes
 * @param first those that come first
 * @param ofGroups whether messages are streams already, one a group of rows: then the one that Spark begins goes nowhere
 */
final class RunnerKind private (
    base: Class[_ <: RowInputArrowPythonRunner],
    private val ofOperator: Set[String],
    private val first: Seq[String],
    ofGroups: Boolean = false
) {
  import RunnerKind._

  private val constructor = base.getConstructors.head

  /** Says whether this version's runner takes these arguments, besides those that an operator computes, and no others. */
  def isKnown(names: Set[String]): Boolean = arguments.toSet == names ++ ofOperator

  /** Returns those of some values that a runner is created with, if all are among them. */
  def chosen(values: Map[String, Any]): Option[Map[String, Any]] =
    Option.when(arguments.forall(values.contains))(arguments.map(name => name -> values(name)).toMap)

  /** The later arguments are not in every version. */
  private def arguments: Seq[String] = (first ++ Others).take(constructor.getParameterCount)

  def create(values: Map[String, Any]): MessageRunner =
    CodeGenerator.compile(code)._1.generate(arguments.map(values).toArray).asInstanceOf[MessageRunner]

  private lazy val code = new CodeAndComment(
    s"""
       |public Object generate(Object[] arguments) { return new SpecificRunner(arguments); }
       |
       |static final class SpecificRunner extends ${base.getName} implements ${classOf[MessageRunner].getName} {
       |  private ${classOf[MessageInput].getName} input;
       |
       |  SpecificRunner(Object[] arguments) {
       |    super(${parameters.mkString(", ")});
       |    ${if (ofGroups) s"writer_$$eq(new $Writer(root(), null, java.io.OutputStream.nullOutputStream()));" else ""}
       |  }
       |
       |  public ${classOf[Schema].getName} arrowSchema() { return root().getSchema(); }
       |
       |  public void discard() { root().close(); allocator().close(); }
       |
       |  public void send(${classOf[MessageInput].getName} input) { this.input = input; }
       |
       |  public boolean writeNextBatchToArrowStream(
       |      org.apache.arrow.vector.VectorSchemaRoot root,
       |      $Writer writer,
       |      java.io.DataOutputStream out,
       |      scala.collection.Iterator rows) {
       |    return input.writeNext(out, pythonMetrics()) || super.writeNextBatchToArrowStream(root, writer, out, rows);
       |  }
       |}
     """.stripMargin,
    Map.empty
  )

  private def parameters: Seq[String] = constructor.getParameterTypes.toSeq.zipWithIndex.map {
    case (java.lang.Integer.TYPE, i) => s"((Integer) arguments[$i]).intValue()"
    case (java.lang.Boolean.TYPE, i) => s"((Boolean) arguments[$i]).booleanValue()"
    case (other, i) => s"(${other.getCanonicalName}) arguments[$i]"
  }
}

object RunnerKind {
  private val Writer = classOf[ArrowStreamWriter].getName

  private val Others = Seq("sessionLocalTimeZone", "largeVarTypes", "pythonRunnerConf", "pythonMetrics") ++
    Seq("jobArtifactUUID", "sessionUUID", "profiler")

  /** Of `mapInArrow` and `mapInPandas`. */
  val Plain: RunnerKind = new RunnerKind(
    classOf[ArrowPythonRunner],
    Set("argOffsets", "schema"),
    Seq("chainedFunc", "pythonEvalType", "argOffsets", "schema")
  )

  /** Of functions of groups. */
  val OfGroups: RunnerKind =
    new RunnerKind(classOf[ArrowPythonRunner], Plain.ofOperator, Plain.first, ofGroups = true)

  /** Of functions in expressions, whose arguments may have names. */
  val WithNames: RunnerKind = new RunnerKind(
    classOf[ArrowPythonWithNamedArgumentRunner],
    Set("funcs", "argMetas", "schema"),
    Seq("funcs", "evalType", "argMetas", "schema")
  )
}

object MessageRunner extends Logging {

  /** Asks for messages for a reader with this schema, a message too; None where there are none. */
  type Source = (Array[Byte], BatchSizes) => Option[Iterator[Array[Byte]]]

  /** Of a batch where no setting limits its rows: Spark fills one until it has too many bytes. */
  private val EnoughRows = 1L << 20

  /** Returns a runner that sends messages; None where there can't be any, which leaves the rows as they were. */
  def start(kind: RunnerKind, values: Map[String, Any])(source: Source): Option[MessageRunner] =
    if (SQLConf.get.getConfString("spark.sql.execution.arrow.compression.codec", "none") != "none") None
    else
      try accepted(kind.create(values), source)
      catch {
        case NonFatal(e) =>
          logWarning(s"Accelerant leaves what a Python worker gets to Spark, its own runner failed: $e", e)
          None
      }

  private def accepted(runner: MessageRunner, source: Source): Option[MessageRunner] =
    try {
      val messages = source(runner.arrowSchema.serializeAsMessage(), sizes)
      messages.foreach(all => runner.send(new MessageInput(all)))
      if (messages.isEmpty) runner.discard()
      messages.map(_ => runner)
    } catch {
      case e: Throwable =>
        runner.discard()
        throw e
    }

  private def sizes: BatchSizes = {
    val maxRows = SQLConf.get.arrowMaxRecordsPerBatch.toLong
    BatchSizes(maxRows, SQLConf.get.arrowMaxBytesPerBatch, if (maxRows > 0) maxRows else EnoughRows)
  }
}
