package org.apache.spark.sql.execution.accelerant

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.python.{
  FlatMapGroupsInArrowExec,
  FlatMapGroupsInBatchExec,
  FlatMapGroupsInPandasExec
}
import org.apache.spark.sql.types.StructType

/**
 * What `applyInPandas` and `applyInArrow` do with a partition of the engine's rows, with Arrow batches for the worker in the place of rows
 * that Spark would write as such, group by group; all else is Spark's. Rows that can't leave as batches go Spark's way.
 *
 * @param rowByRow Spark's way
 * @param values what the runner is created with
 * @param sent positions of the columns that the worker gets
 * @param keys of those of which rows of a group have the same
 */
final class PythonGroups[U] private (
    rowByRow: Iterator[InternalRow] => Iterator[U],
    values: Map[String, Any],
    sent: Seq[Int],
    keys: Seq[Int],
    output: Seq[Attribute]
) extends (Iterator[InternalRow] => Iterator[U])
    with Serializable {

  override def apply(rows: Iterator[InternalRow]): Iterator[U] = rows match {
    case own: ArrowRows => withoutRows(own).fold(rowByRow(rows))(_.asInstanceOf[Iterator[U]])
    case _ => rowByRow(rows)
  }

  private def withoutRows(rows: ArrowRows): Option[Iterator[InternalRow]] = {
    var groups = Iterator.empty[Array[Byte]]
    MessageRunner.start(RunnerKind.OfGroups, values) { (schema, sizes) =>
      val messages = rows.source.flatMap(_.groups(sent, schema, keys, sizes))
      messages.foreach(groups = _)
      messages
    }.map(results(_, groups))
  }

  /** As in Spark, no worker runs where there is no row. */
  private def results(runner: MessageRunner, groups: Iterator[Array[Byte]]): Iterator[InternalRow] = {
    var runs = false
    try runs = groups.hasNext
    finally if (!runs) runner.discard()
    if (!runs) Iterator.empty
    else {
      val batches = runner.run(TaskContext.get())
      batches.flatMap(PythonMap.unwrapped(_, output.length)).map(UnsafeProjection.create(output, output))
    }
  }
}

object PythonGroups {

  /** Returns what is to be done with a partition's rows in the place of a function of Spark's, or that. */
  def orSame[U](f: Iterator[InternalRow] => Iterator[U]): Iterator[InternalRow] => Iterator[U] =
    PythonMap.captured(f) match {
      case Seq(plan: FlatMapGroupsInBatchExec, sent: Seq[Attribute @unchecked], offsets: Array[Int]) if isKnown(plan) =>
        val columns = DataTypeUtils.fromAttributes(sent)
        val isWrapped = plan.isInstanceOf[FlatMapGroupsInArrowExec]
        val schema = if (isWrapped) new StructType().add("struct", columns) else columns
        val own = Map("argOffsets" -> Array(offsets), "schema" -> schema, "profiler" -> plan.conf.pythonUDFProfiler)
        val places = (sent ++ plan.groupingAttributes).map(a => plan.child.output.indexWhere(_.exprId == a.exprId))
        RunnerKind.OfGroups.chosen(SparkInternals.membersOf(plan) ++ own).filterNot(_ => places.contains(-1))
          .map(new PythonGroups(f, _, places.take(sent.length), places.drop(sent.length), plan.output))
          .getOrElse(f)
      case _ => f
    }

  private def isKnown(plan: FlatMapGroupsInBatchExec): Boolean =
    Seq(classOf[FlatMapGroupsInPandasExec], classOf[FlatMapGroupsInArrowExec]).contains(plan.getClass)
}
