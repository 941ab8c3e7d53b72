package io.accelerant.spark

import org.apache.spark.sql.execution.{FileSourceScanExec, LeafExecNode, ProjectExec, SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.Exchange

/**
 * Weighs what it costs to bring islands' rows to the engine against what its operators gain over Spark's, in nanoseconds of CPU as
 * benchmarks/island_gain.py finds them, rounded down; those of nested loops, Cartesian products, shuffled hash joins and windows are
 * guesses. Where Spark does not know how many rows there are, nothing is weighed.
 */
private object IslandCost {

  /** Operators that take so much work that rows are worth bringing to the engine, and what a row that they take in gains. */
  private val Gains = Map(
    "BroadcastHashJoinExec" -> 250,
    "BroadcastNestedLoopJoinExec" -> 1000,
    "CartesianProductExec" -> 1000,
    "HashAggregateExec" -> 100, // for each of its steps
    "ObjectHashAggregateExec" -> 100,
    "ShuffledHashJoinExec" -> 500,
    "SortAggregateExec" -> 500,
    "SortExec" -> 1000,
    "SortMergeJoinExec" -> 1000,
    "TakeOrderedAndProjectExec" -> 200,
    "WindowExec" -> 1000
  )

  /** What a row of a file that is read natively gains. */
  private val ScanGain = 80

  /** What a row costs to bring; its columns cost no more than they do in Spark's operators that it spares. */
  private val RowCost = 100
  private val RowOverheadBytes = 8

  /** Says whether an operator does more than to pass rows on. */
  def isWorthwhile(node: SparkPlan): Boolean = Gains.contains(nameOf(node))

  /** Says why a native piece above islands costs more than it gains, if so. */
  def excess(plan: SparkPlan): Option[String] = {
    val islands = plan.collect { case island: IslandExec => island }
    val counts = islands.map(island => rowsOf(island.original))
    for {
      gain <- sum(plan.collect { case node if !node.isInstanceOf[IslandExec] => gainOf(node) })
      rows <- sum(counts)
      if rows * RowCost > gain
      worthwhile = plan.collect { case node if isWorthwhile(node) => node.nodeName }.distinct
    } yield f"about $rows%,d rows would cost more to bring here than ${worthwhile.mkString(", ")} gain"
  }

  private def gainOf(node: SparkPlan): Option[BigInt] = node match {
    case scan: FileSourceScanExec => mostRows(scan).map(_ * ScanGain)
    case _ if isWorthwhile(node) => sum(node.children.map(mostRows)).map(_ * Gains(nameOf(node)))
    case _ => Some(0)
  }

  private def sum(parts: Seq[Option[BigInt]]): Option[BigInt] =
    Option.when(parts.forall(_.isDefined))(parts.flatten.sum)

  /** Returns how many rows a plan emits, where that is all its source has. */
  private def rowsOf(plan: SparkPlan): Option[BigInt] = plan match {
    case scan: FileSourceScanExec =>
      Option.when(scan.partitionFilters.isEmpty && scan.dataFilters.isEmpty)(rowsOfFiles(scan))
    case leaf: LeafExecNode => leaf.logicalLink.flatMap(_.stats.rowCount)
    case other if passesAllRows(other) => rowsOf(other.children.head)
    case _ => None
  }

  /** Returns more rows than a part of a plan that is worth having may emit, as joins multiply none. */
  private def mostRows(plan: SparkPlan): Option[BigInt] = plan match {
    case island: IslandExec => rowsOf(island.original)
    case scan: FileSourceScanExec => Some(rowsOfFiles(scan))
    case leaf: LeafExecNode => leaf.logicalLink.flatMap(_.stats.rowCount)
    case other =>
      val below = other.children.map(mostRows)
      Option.when(below.forall(_.isDefined))(below.flatten.max)
  }

  private def rowsOfFiles(scan: FileSourceScanExec): BigInt =
    BigInt(scan.relation.sizeInBytes) / (RowOverheadBytes + scan.relation.dataSchema.map(_.dataType.defaultSize).sum)

  private def passesAllRows(plan: SparkPlan): Boolean = plan match {
    case _: ProjectExec | _: SortExec | _: Exchange => true
    case _ => AllRows(nameOf(plan))
  }

  private val AllRows = Set("ArrowEvalPythonExec", "ArrowWindowPythonExec", "BatchEvalPythonExec", "WindowExec")

  private def nameOf(node: SparkPlan): String = node.getClass.getSimpleName
}
