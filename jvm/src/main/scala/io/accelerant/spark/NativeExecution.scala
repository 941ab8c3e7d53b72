package io.accelerant.spark

import scala.collection.mutable

import org.apache.spark.{SparkException, SparkThrowable, TaskContext}
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition
import org.apache.spark.sql.execution.{LimitExec, SQLExecution, SortExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.WriteFilesExec
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Runs a native query on the driver's side: opens it, starts Spark's jobs for it, and falls back to Spark's own plan. */
private final class NativeExecution(exec: NativeExec, cores: Int) extends Logging {
  import NativeExecution._

  private lazy val judged = exec.judged.getOrElse(JudgedPlan.judge(exec.original, exec.conf))

  /** Throws a NativeError of kind Unsupported where the engine leaves files that the query would write to Spark. */
  def checkWrite(write: Array[Byte], folder: String): Unit = judged.prepared.use(Native.checkWrite(_, write, folder))

  /**
   * As {@link #start}, for a consumer that takes parts of the result, of which none can be taken back. All that comes before the first row
   * is done here, so that Spark can take over where it fails.
   */
  def startInParts(): Either[SparkPlan, NativeQuery] =
    needsTurningBack.map(reason => s"$reason, too late to turn back once parts have left")
      .orElse(
        Option.when(mayLackSort)("without adaptive execution Spark may count on the order of rows in each partition")
      )
      .fold(start().flatMap(prepared))(reason => Left(revert(reason)))

  private def prepared(query: NativeQuery): Either[SparkPlan, NativeQuery] =
    NativeQuery.undoing(query.close())(query.use(prepare(query))) match {
      case failed: Preparation.Failed =>
        query.close()
        Left(turnBack(query, failed))
      case _ => Right(query)
    }

  /** What takes long is waited for in a job, where it can be cancelled. */
  private def prepare(query: NativeQuery): Preparation = {
    val parts = partsOf(query)
    val soon = query.prepare(parts, if (query.islands.isEmpty) SoonMillis else 0)
    if (soon != Preparation.Pending) soon
    else {
      val tasks = helpfulTasks(query)
      val metrics = NativeMetrics.of(exec, query.judged.plan)
      val waiting = new PreparingRDD(exec.session.sparkContext, query.id, tasks, parts, query.islands, metrics)
      val failures = waiting.context.runJob(waiting, Failure, 0 until tasks).flatten.map(Preparation.Failed.tupled)
      failures.headOption.getOrElse(Preparation.Done)
    }
  }

  /** One part where Spark promises one partition: of a limit, of a range of one slice. */
  private def partsOf(query: NativeQuery): Int = query.partitions(
    if (judged.keepsPartitions) Int.MaxValue
    else if (NativeExec.partitioningOf(exec.original) == SinglePartition) 1
    else cores
  )

  /** Returns how many tasks can compute rows of islands at once. */
  private def helpfulTasks(query: NativeQuery): Int =
    query.islands.map(_.rows.getNumPartitions).maxOption.getOrElse(1).max(1).min(cores)

  private def needsTurningBack: Option[String] =
    judged.verdict.needsSpark.map(call => s"$call of some values is Spark's")
      .orElse(CachedTable.mayVanish(judged.plan).map(name =>
        s"Spark may drop parts of the $name, which has no copy on disk (persist it with a level that has)"
      ))

  /** Without adaptive execution Spark has left out sorts of partitions that come sorted, out of a sort merge join, say. */
  private def mayLackSort: Boolean =
    !exec.conf.adaptiveExecutionEnabled && exec.original.outputOrdering.nonEmpty && !judged.keepsPartitions &&
      !NativeExec.keepsOrder(exec.original) && !isSortedForWrite

  /** Whether the only sort of partitions is the one that a write into folders or buckets asks for, which the engine knows of. */
  private def isSortedForWrite: Boolean = judged.plan.nodes.last match {
    case write: WriteFilesExec =>
      (write.partitionColumns.nonEmpty || write.bucketSpec.nonEmpty) && exec.original.isInstanceOf[SortExec]
    case _ => false
  }

  /**
   * Opens the query, or returns Spark's plan where the engine finds in the files that it can't run it. To be called when subqueries have
   * their values. The caller closes the query.
   */
  private def start(): Either[SparkPlan, NativeQuery] =
    try {
      val splits = SplitsEncoder.encode(SplitsEncoder.splits(judged.plan))
      val tables = ExternalTables.of(judged.plan)
      val islands = islandsOf(judged.plan)
      val options = Settings.runOptions(exec.conf, cores)
      Settings.captureDir(exec.conf).foreach { folder =>
        if (tables.isEmpty && islands.isEmpty) Capture.write(folder, exec, judged, splits, options)
        else logWarning("Accelerant does not capture a query that reads rows of Spark's: a capture holds none")
      }
      val query = NativeQuery.open(judged, splits, tables, Bridge.open(judged, exec.session), islands, options)
      if (exec.report.run()) announce()
      Right(query)
    } catch {
      case e: RevertException => Left(revert(e.getMessage))
      case e: NativeError if SparkErrors.leavesToSpark(e) => Left(revert(e.getMessage))
      case e: NativeError => throw SparkErrors.translate(e, judged.plan)
    }

  /** Has Spark do all that comes before the rows of islands: exchanges, broadcasts, subqueries. */
  private def islandsOf(plan: EncodedPlan): Seq[IslandRows] = plan.plans.collect { case (node, island: IslandExec) =>
    new IslandRows(node, island.rows(), island.schema, island.estimatedRows)
  }

  /**
   * Returns the result in as many partitions as the engine can feed at once, or has to keep apart; the query lives as long as the RDD.
   * The batches of a query that writes files have an empty schema.
   */
  def partitioned(query: NativeQuery, schema: StructType = exec.schema): NativeRDD =
    NativeQuery.undoing(query.close())(rddOf(query, partsOf(query), isWhole = false, schema))

  /** Runs one job with one task that reads the whole result in order and brings the wanted rows to the driver. */
  def gather(wanted: Wanted, onSpark: SparkPlan => Array[InternalRow]): Array[InternalRow] =
    start() match {
      case Left(plan) => PlainSpark.run(onSpark(plan))
      case Right(query) =>
        val answer =
          try collect(query, wanted)
          finally query.close()
        answer.fold(
          failed => PlainSpark.run(onSpark(turnBack(query, failed))),
          PackedRows.unpack(_, exec.schema.length)
        )
    }

  private def collect(query: NativeQuery, wanted: Wanted): Either[Preparation.Failed, List[Array[Byte]]] = {
    val tasks = if (wanted == All) helpfulTasks(query) else 1
    val batches = rddOf(query, tasks, isWhole = true, exec.schema)
    val gathering = new Gathering(exec.schema, wanted)
    try batches.context.runJob(batches, gathering, 0 until tasks).head.left.map(Preparation.Failed.tupled)
    catch {
      case e: Exception with SparkThrowable if !SparkErrors.isEngines(e) && mayNotComeTo(e, wanted) =>
        Left(Preparation.Failed(s"Spark's limit may not come to a row that failed: $e".take(300), isOverBudget = false))
    }
  }

  /** Whether Spark may have its rows before that which failed: adaptive execution may join from the other side, and read one input alone. */
  private def mayNotComeTo(e: Exception with SparkThrowable, wanted: Wanted): Boolean = {
    val plan = IslandExec.restore(exec.original)
    (wanted != All || plan.exists(_.isInstanceOf[LimitExec])) && plan.exists(_.children.length > 1) &&
    e.getCondition != "SPARK_JOB_CANCELLED" && !exec.session.sparkContext.isStopped && !plan.exists(Rereading.isNoticed)
  }

  private def rddOf(query: NativeQuery, count: Int, isWhole: Boolean, schema: StructType): NativeRDD = {
    val metrics = NativeMetrics.of(exec, query.judged.plan)
    new NativeRDD(exec.session.sparkContext, query, count, isWhole, schema, query.islands, metrics)
  }

  /**
   * Returns Spark's plan in the place of a query of which no row has left. Throws where only memory was lacking and Spark would read again
   * what is to be read once; of values that Spark alone can compute there is no other answer.
   */
  private def turnBack(query: NativeQuery, failed: Preparation.Failed): SparkPlan = {
    val read =
      judged.plan.plans.collect { case (_, island: IslandExec) => island.original }.flatMap(Rereading.obstacle)
    if (failed.isOverBudget && query.hasReadIslands && read.nonEmpty)
      throw new SparkException(
        s"${failed.reason}; Spark can't take over, as it would run ${read.distinct.mkString(", ")} once more",
        null
      )
    revert(failed.reason)
  }

  /** Notes that Spark runs the query after all, in the log, in `explain` and in the SQL tab, and returns its plan. */
  private def revert(reason: String): SparkPlan = {
    logWarning(s"Accelerant reverts a query to Spark: $reason")
    exec.report.revert(reason)
    val plan = PlainSpark.prepare(exec.session, IslandExec.restore(exec.original))
    announce()
    plan
  }

  /** Shows what became of the plan in the SQL tab. */
  def announce(): Unit = for {
    id <- Option(exec.session.sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)).map(_.toLong)
    query <- Option(SQLExecution.getQueryExecution(id))
  } SparkInternals.refresh(id, query, exec.conf.uiExplainMode)
}

private object NativeExecution {

  /** Which rows of a result the driver wants. */
  sealed trait Wanted extends Serializable
  case object All extends Wanted
  final case class First(n: Int) extends Wanted
  final case class Last(n: Int) extends Wanted

  /** Why the engine could not run a query, and whether for want of memory, as tasks send it: Kryo may have to know all classes beforehand. */
  private type Sent = (String, Boolean)

  /** Rows, or why there are none. */
  private type Answer = Either[Sent, List[Array[Byte]]]

  /** How long the driver waits by itself. */
  private val SoonMillis = 100L

  /** What a task that prepares a query does. */
  private object Failure extends (Iterator[Preparation] => Option[Sent]) with Serializable {
    override def apply(outcomes: Iterator[Preparation]): Option[Sent] =
      outcomes.collectFirst { case Preparation.Failed(reason, isOverBudget) => (reason, isOverBudget) }
  }

  /** What the one task of a job does. A class of its own, as Spark searches the code of a closure for what it may leave behind. */
  private final class Gathering(schema: StructType, wanted: Wanted)
      extends ((TaskContext, Iterator[ColumnarBatch]) => Answer)
      with Serializable {

    override def apply(context: TaskContext, batches: Iterator[ColumnarBatch]): Answer =
      try {
        val rows = new NativeRows(batches, schema)
        val chosen = wanted match {
          case All => rows
          case First(n) => rows.take(n)
          case Last(n) => last(rows, n)
        }
        Right(PackedRows.pack(chosen))
      } catch { case e: UnsupportedAtRunTime => Left((e.why.reason, e.why.isOverBudget)) }
  }

  private def last(rows: Iterator[UnsafeRow], n: Int): Iterator[UnsafeRow] =
    rows.foldLeft(mutable.Queue.empty[UnsafeRow])((kept, row) => (kept += row.copy()).takeRightInPlace(n)).iterator
}
