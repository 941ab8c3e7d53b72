package org.apache.spark.sql.execution.accelerant

import java.lang.reflect.{InvocationTargetException, Method}
import java.util.concurrent.TimeUnit

import scala.collection.concurrent.TrieMap
import scala.util.Try

import org.apache.spark._
import org.apache.spark.api.python.PythonFunction
import org.apache.spark.io.CompressionCodec
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, DynamicPruningSubquery, ExprId, Expression}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.arrow.ArrowConverters
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.python.EvalPythonExec
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.{ThreadUtils, Utils}

/** The few members of Spark that Scala lets only its own packages use; all are public in the class files. */
object SparkInternals {

  /** Throws Spark's TaskKilledException when the task was cancelled. */
  def checkKilled(context: TaskContext): Unit = context.killTaskIfInterrupted()

  /** Returns a context for work outside of tasks, for {@link #complete} to end. */
  def newContext(): TaskContext = TaskContext.empty()

  /** Ends what was started for a context. */
  def complete(context: TaskContext): Unit = context.markTaskCompleted(None)

  /** Returns what finds the classes of jars that a session has added. */
  def classLoader(session: SparkSession): ClassLoader =
    session.asInstanceOf[org.apache.spark.sql.classic.SparkSession].artifactManager.classloader

  /** Returns the bytes of a function of Python, if it is one. */
  def pickled(function: Any): Option[Array[Byte]] = function match {
    case python: PythonFunction => Some(python.command.toArray)
    case _ => None
  }

  /** Runs code as a task that has these settings would; whatever task the thread has waits for it. */
  def withinTask[T](settings: Map[String, String])(body: => T): T = {
    val before = TaskContext.get()
    val context = TaskContext.empty()
    settings.foreach { case (name, value) => context.getLocalProperties.setProperty(name, value) }
    TaskContext.setTaskContext(context)
    try body
    finally if (before == null) TaskContext.unset() else TaskContext.setTaskContext(before)
  }

  /** Says whether Spark shows on the terminal how far its tasks are. */
  def hasConsoleProgress: Boolean = activeContext.exists(_.progressBar.isDefined)

  /** The context that runs. */
  def activeContext: Option[SparkContext] = SparkContext.getActive

  /** Counts what a task has read, for the stages tab. */
  def countInput(context: TaskContext, bytes: Long, records: Long): Unit = {
    val input = context.taskMetrics().inputMetrics
    input.incBytesRead(bytes)
    input.incRecordsRead(records)
  }

  /**
   * Has Spark forget the jobs of a task's execution if that has ended. A local iterator of Python's begins jobs afterwards, which Spark 4.3
   * keeps for good, with their RDDs. By reflection: Spark 4.1 keeps none.
   */
  def forgetJobs(context: TaskContext): Unit = for {
    id <- Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)).map(_.toLong)
    scheduler <- SparkContext.getActive.filter(_ => SQLExecution.getQueryExecution(id) == null).map(_.dagScheduler)
    method <- Option(scheduler).flatMap(_.getClass.getMethods.find(_.getName == "cleanupQueryJobs"))
  } method.invoke(scheduler, Long.box(id))

  /**
   * Shows the current plan and its explanation of a running SQL execution in the SQL tab. On a thread that holds no lock, and is not waited
   * for where it needs one: operators' metrics have locks, of which whoever asks may hold some, as two subqueries do at a time.
   */
  def refresh(execution: Long, query: QueryExecution, mode: String): Unit = Try {
    SQLExecution.withThreadLocalCaptured(query.sparkSession, pictures) {
      val text = query.explainString(ExplainMode.fromString(mode))
      val graph = SparkPlanInfo.fromSparkPlan(query.executedPlan)
      val update = SparkListenerSQLAdaptiveExecutionUpdate(execution, text, graph)
      // The tab would take it for a query that begins.
      if (SQLExecution.getQueryExecution(execution) != null) query.sparkSession.sparkContext.listenerBus.post(update)
    }.get(PatienceMillis, TimeUnit.MILLISECONDS)
  }

  private val PatienceMillis = 100L
  private lazy val pictures = ThreadUtils.newDaemonSingleThreadExecutor("accelerant-pictures")

  /**
   * Returns the condition that adaptive execution had made a subquery of. By reflection: where Spark 4.3 hands on one thing more than 4.1,
   * it does so as what a copy takes beside the members.
   */
  def dynamicPruning(key: Expression, subquery: SubqueryAdaptiveBroadcastExec, id: ExprId): DynamicPruningSubquery = {
    import subquery.{buildKeys, buildPlan, indices, onlyInBroadcast}
    val members = Seq[AnyRef](key, buildPlan, buildKeys, indices, Boolean.box(onlyInBroadcast), id, None)
    val others = subquery.getClass.getMethod("otherCopyArgs").invoke(subquery).asInstanceOf[Seq[AnyRef]]
    val constructor = classOf[DynamicPruningSubquery].getConstructors.head
    constructor.newInstance(members ++ others: _*).asInstanceOf[DynamicPruningSubquery]
  }

  /**
   * Returns a write job with other writers, of rows that have the partition columns, and with buckets one more, alone and stand together
   * by them. Its description is copied by reflection, as nothing else of its many members matters.
   */
  def withWriters(spec: WriteFilesSpec, writers: OutputWriterFactory, bucket: Option[Attribute]): WriteFilesSpec = {
    val job = classOf[WriteJobDescription]
    val members = job.getDeclaredFields.map(_.getName).map {
      case "outputWriterFactory" => writers
      case "allColumns" => spec.description.partitionColumns ++ bucket
      case "dataColumns" => bucket.toSeq
      case "bucketSpec" =>
        spec.description.bucketSpec.zip(bucket).map { case (s, b) => new WriterBucketSpec(b, s.bucketFileNamePrefix) }
      case name => job.getMethod(name).invoke(spec.description)
    }
    val description = job.getConstructors.head.newInstance(members: _*).asInstanceOf[WriteJobDescription]
    spec.copy(description = description, concurrentOutputWriterSpecFunc = _ => None)
  }

  /**
   * Returns the file partitions of a scan, of a bucketed one those of its buckets. By reflection: what is public makes a reader too, and
   * for each one Spark copies, serialises and broadcasts Hadoop's settings, which takes longer than all the rest of opening a small query.
   */
  def filePartitions(scan: FileSourceScanExec): Seq[FilePartition] = {
    val buckets: Seq[AnyRef] = scan.relation.bucketSpec.filter(_ => scan.bucketedScan).toSeq
    val makeRdd = if (buckets.isEmpty) "createReadRDD" else "createBucketedReadRDD"
    val rdd = call(scan, makeRdd, buckets :+ NoReader :+ call(scan, "dynamicallySelectedPartitions"): _*)
    call(scan, "sendDriverMetrics")
    rdd.asInstanceOf[FileScanRDD].filePartitions
  }

  private val NoReader: PartitionedFile => Iterator[InternalRow] = _ => Iterator.empty

  /** Returns what makes an operator's evaluators, which only Spark itself may ask for. */
  def evaluators(operator: EvalPythonExec): AnyRef = call(operator, "evaluatorFactory")

  /** Of classes, by name: looking one up copies them all, for each scan of a small query. */
  private val methods = TrieMap.empty[(Class[_], String), Method]

  /** Calls a method that an object's class declares for itself. */
  private def call(of: AnyRef, name: String, arguments: AnyRef*): AnyRef = {
    val known = methods.getOrElseUpdate((of.getClass, name), of.getClass.getDeclaredMethods.find(_.getName == name).get)
    known.setAccessible(true)
    try known.invoke(of, arguments: _*)
    catch { case e: InvocationTargetException => throw e.getCause }
  }

  /** Returns the fields of an object that its class declares, by the names that Scala's source has for them. */
  def membersOf(of: AnyRef): Map[String, Any] =
    of.getClass.getDeclaredFields.map { field =>
      field.setAccessible(true)
      field.getName.split('$').last -> field.get(of)
    }.toMap

  /** Returns the folders that Spark's temporary files go to, between commas. */
  def localFolders(conf: SparkConf): String = Utils.getConfiguredLocalDirs(conf).mkString(",")

  /** Returns the codec Spark compresses its results with. */
  def compressionCodec: CompressionCodec = CompressionCodec.createCodec(SparkEnv.get.conf)

  /** Returns rows as streams of Arrow's IPC format, a batch each; to be closed. */
  def arrowBatches(
      rows: Iterator[InternalRow],
      schema: StructType,
      batchRows: Long,
      batchBytes: Long
  ): Iterator[Array[Byte]] with AutoCloseable =
    ArrowConverters.toBatchWithSchemaIterator(
      rows,
      schema,
      batchRows,
      batchBytes,
      timeZoneId = "UTC",
      errorOnDuplicatedFieldNames = false,
      largeVarTypes = false
    )

  /** Returns the exception Spark has for a second row of an uncorrelated scalar subquery. */
  def secondRow(subquery: ScalarSubquery): Throwable =
    QueryExecutionErrors.multipleRowScalarSubqueryError(subquery.getContextOrNull())

  /** Returns the exception Spark has for an error condition. */
  def exception(condition: String, parameters: Map[String, String], context: Option[QueryContext]): Throwable = {
    val contexts = context.toArray
    val summary = context.map(_.summary).getOrElse("")
    condition.takeWhile(_ != '.') match {
      case "DIVIDE_BY_ZERO" | "ARITHMETIC_OVERFLOW" | "BINARY_ARITHMETIC_OVERFLOW" | "CAST_OVERFLOW" |
          "NUMERIC_VALUE_OUT_OF_RANGE" | "INTERVAL_ARITHMETIC_OVERFLOW" | "REMAINDER_BY_ZERO" |
          "NUMERIC_OUT_OF_SUPPORTED_RANGE" | "INTERVAL_DIVIDED_BY_ZERO" | "DATETIME_OVERFLOW" =>
        new SparkArithmeticException(condition, parameters, contexts, summary)
      case "CAST_INVALID_INPUT" if parameters.get("targetType").exists(_.matches(".*(DATE|TIMESTAMP).*")) =>
        new SparkDateTimeException(condition, parameters, contexts, summary)
      case "CAST_INVALID_INPUT" => new SparkNumberFormatException(condition, parameters, contexts, summary)
      case "INTERNAL_ERROR" => SparkException.internalError(parameters.getOrElse("message", ""))
      case _ => new SparkRuntimeException(condition, parameters, null, contexts, summary)
    }
  }
}
