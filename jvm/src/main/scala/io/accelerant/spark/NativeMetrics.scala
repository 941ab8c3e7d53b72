package io.accelerant.spark

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/**
 * The metrics of one native node, by the place of its counters in {@link Native#metrics}.
 *
 * @param read of a source, which of them counts the rows that a task takes in
 */
final class NodeMetrics(val node: Int, val read: Option[Int], val counters: Array[SQLMetric]) extends Serializable

/** The metrics of a query's nodes; travels with tasks, where they are accumulators. */
final class NativeMetrics(
    nodes: Seq[NodeMetrics],
    calls: Map[Int, (SQLMetric, SQLMetric)],
    val batchesHandedOut: Option[SQLMetric]
) extends Serializable {

  /** Adds what bridged calls computed since the last call. */
  def add(bridge: Bridge): Unit = bridge.calls.foreach { call =>
    calls.get(call.expression).foreach { case (rows, time) =>
      rows.add(call.computed.sumThenReset())
      time.add(call.nanos.sumThenReset())
    }
  }

  /** Adds the time that rows of an island took on their way to the engine. */
  def countCrossing(node: Int, nanos: Long): Unit =
    nodes.find(_.node == node).foreach(_.counters(NativeMetrics.Time).add(nanos))

  /** Adds what the engine counted since the last call to the nodes and to the task's input. */
  def add(counts: Array[Long], context: TaskContext): Unit = nodes.foreach { metrics =>
    val own = counts.slice(metrics.node * Native.METRICS_PER_NODE, (metrics.node + 1) * Native.METRICS_PER_NODE)
    metrics.counters.zip(own).foreach { case (counter, count) => counter.add(count) }
    metrics.read.filter(_ < own.length)
      .foreach(rows => SparkInternals.countInput(context, own(NativeMetrics.InputBytes), own(rows)))
  }
}

object NativeMetrics {
  private val InputBytes = 6
  private val Rows = 0
  private val Estimate = 2
  private val Time = 3
  private val PeakMemory = 4
  private val NanosPerMilli = 1000000
  private val Morsels = 9
  private val MorselsDone = 10
  private val InputRows = 11
  private val LongestStep = 12 // which no metric shows

  /** Names in the order of the engine's counters; those of scans go on. */
  private val Names = Seq("numOutputRows", "numOutputBatches", "estimate", "cpuTime", "peakMemory", "spillSize")
  private val CrossingNames = Seq("numOutputRows", "numOutputBatches", "estimate", "crossingTime", "peakMemory")
  private val ScanNames = Names ++ Seq("bytesRead", "filesRead", "deviceRows", "morsels", "morselsDone", "rowsRead")

  /** A streaming query says of its sources how many rows were read, which Spark takes from this metric, with those that it reads itself. */
  private val StreamNames = ScanNames.map {
    case "numOutputRows" => "rowsRead"
    case "rowsRead" => "numOutputRows"
    case other => other
  }

  /** Counters Spark itself fills when it chooses the files of a scan. */
  private val Driver = Set("numFiles", "numPartitions", "filesSize", "metadataTime")

  /** Whether a counter goes on where a query is opened again: another run says the same, or may exceed what was. */
  def isSaidOnce(counter: Int): Boolean = counter % Native.METRICS_PER_NODE == Estimate || isMaximum(counter)

  /** Whether a counter is the most that there was, not a sum. */
  def isMaximum(counter: Int): Boolean = Set(PeakMemory, LongestStep)(counter % Native.METRICS_PER_NODE)

  /** Creates the metrics a native node shows; the one that runs the query also says how its rows left. */
  def create(original: SparkPlan, isTop: Boolean, bridges: Boolean, context: SparkContext): Map[String, SQLMetric] = {
    val all = Map(
      "numOutputRows" -> SQLMetrics.createMetric(context, "number of output rows"),
      "numOutputBatches" -> SQLMetrics.createMetric(context, "number of output batches"),
      "estimate" -> SQLMetrics.createMetric(context, "estimated rows"),
      "cpuTime" -> SQLMetrics.createNanoTimingMetric(context, "CPU time"),
      "peakMemory" -> SQLMetrics.createSizeMetric(context, "peak memory"),
      "spillSize" -> SQLMetrics.createSizeMetric(context, "spill size")
    ) ++ Option.when(isTop)("numBatchesHandedOut" -> SQLMetrics.createMetric(context, "number of batches handed out"))
    val ofBridge = Map(
      "bridgedRows" -> SQLMetrics.createMetric(context, "number of rows Spark's code computed"),
      "bridgedTime" -> SQLMetrics.createNanoTimingMetric(context, "CPU time in Spark's code")
    )
    val ofScan = Map(
      "bytesRead" -> SQLMetrics.createSizeMetric(context, "bytes read"),
      "filesRead" -> SQLMetrics.createMetric(context, "number of files opened"),
      "deviceRows" -> SQLMetrics.createMetric(context, "number of rows a device took in"),
      "morsels" -> SQLMetrics.createMetric(context, "number of parts of files"),
      "morselsDone" -> SQLMetrics.createMetric(context, "number of parts of files done")
    )
    val ofAny = if (bridges) all ++ ofBridge else all
    val ofStream = NativeExec.streamOf(original).isDefined
    val read =
      "rowsRead" -> SQLMetrics.createMetric(context, if (ofStream) "number of wanted rows" else "number of rows read")
    val shared = original.metrics.filter { case (name, _) => Driver(name) || ofStream && name == "numOutputRows" }
    if (original.children.nonEmpty) ofAny else ofAny ++ shared ++ ofScan + read
  }

  /** Creates the metrics of rows that come from an island. */
  def ofCrossing(context: SparkContext): Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(context, "number of rows brought to the engine"),
    "numOutputBatches" -> SQLMetrics.createMetric(context, "number of batches made of them"),
    "estimate" -> SQLMetrics.createMetric(context, "estimated rows"),
    "crossingTime" -> SQLMetrics.createNanoTimingMetric(context, "time to bring rows to the engine"),
    "peakMemory" -> SQLMetrics.createSizeMetric(context, "peak memory")
  )

  /** Says of a node that ran how many rows it emitted, how many the planner estimated, and what Spark's part in them cost. */
  def rows(of: Map[String, SQLMetric]): String = {
    def value(name: String) = of.get(name).filterNot(_.isZero).map(_.value)
    def millis(name: String) = value(name).fold("0")(nanos => (nanos / NanosPerMilli).toString)
    val crossed = of.get("crossingTime").map(_ => s"brought here in ${millis("crossingTime")} ms")
    val bridged = value("bridgedRows").map(rows => s"$rows computed by Spark's code in ${millis("bridgedTime")} ms")
    if (of("estimate").isZero && of("numOutputRows").isZero) ""
    else {
      val known = Seq(s"${of("numOutputRows").value} rows", s"${of("estimate").value} estimated")
      val spilled = value("spillSize").filter(_ > 0).map(bytes => s"$bytes bytes spilled")
      (known ++ spilled ++ crossed ++ bridged).mkString(" (", ", ", ")")
    }
  }

  /** Sums up what the sources of a plan have read, from the engine's counters. */
  def progress(plan: EncodedPlan, counts: Array[Long]): QueryProgress = {
    val (files, others) = plan.plans.collect {
      case (index, node) if node.children.isEmpty || node.isInstanceOf[IslandExec] => index * Native.METRICS_PER_NODE
    }.partition(at => counts(at + Morsels) > 0)
    def sum(sources: Iterable[Int], counter: Int) = sources.map(at => counts(at + counter)).sum
    QueryProgress(sum(files, MorselsDone), sum(files, Morsels), sum(others, Rows), sum(others, Estimate))
  }

  /** Returns the counter of the rows that a source has read; what is no file says what it emits alone. */
  private def readBy(node: NativeExec): Option[Int] = node.original match {
    case _: FileSourceScanExec => Some(InputRows)
    case other => Option.when(other.children.isEmpty)(Rows)
  }

  /** Connects the counters of a plan's nodes to the metrics of the native nodes that show them. */
  def of(root: NativeExec, plan: EncodedPlan): NativeMetrics = {
    val shown = root.collect { case node: NativeExec => node }
    val islands = root.collect { case island: IslandExec => island }
    new NativeMetrics(
      plan.plans.flatMap {
        case (index, island: IslandExec) =>
          val counters = CrossingNames.map(island.metrics).toArray
          Option.when(islands.exists(_ eq island))(new NodeMetrics(index, None, counters))
        case (index, original) =>
          shown.find(_.original eq original).map { node =>
            val names =
              if (node.children.nonEmpty) Names else if (node.getStream.isDefined) StreamNames else ScanNames
            new NodeMetrics(index, readBy(node), names.map(node.metrics).toArray)
          }
      },
      (for {
        node <- shown
        call <- node.report.bridged.toSeq.flatMap(_.of(node.original))
      } yield call.expression -> (node.metrics("bridgedRows") -> node.metrics("bridgedTime"))).toMap,
      root.metrics.get("numBatchesHandedOut")
    )
  }
}
