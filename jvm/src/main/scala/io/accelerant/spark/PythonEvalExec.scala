package io.accelerant.spark

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, PythonUDF}
import org.apache.spark.sql.execution.{ProjectExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.accelerant.PythonEval
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.python.ArrowEvalPythonExec

/**
 * Spark's operator of pandas functions, and others that speak Arrow, above a native query, and shown as Spark's: see {@link PythonEval}.
 *
 * @param original Spark's operator with its unconverted subtree
 * @param evaluated the same with columns of the child for arguments
 */
case class PythonEvalExec(original: ArrowEvalPythonExec, evaluated: ArrowEvalPythonExec, child: SparkPlan)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = original.output
  override def nodeName: String = original.nodeName
  override def simpleString(maxFields: Int): String = original.simpleString(maxFields)
  override lazy val metrics: Map[String, SQLMetric] = original.metrics

  override protected def doCanonicalize(): SparkPlan = original.canonicalized
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)

  override protected def doExecute(): RDD[InternalRow] = new PythonEvalRDD(child.execute(), evaluation)

  private def evaluation: PythonEval = PythonEval.of(PythonEvalExec.over(evaluated, child), output)
    .getOrElse(throw new IllegalStateException(s"$nodeName has not the arguments that were planned"))
}

object PythonEvalExec {

  /** Returns the operator above a native child; Spark's own where its version or its functions are not for {@link PythonEval}. */
  def above(child: NativeExec, original: ArrowEvalPythonExec, evaluated: ArrowEvalPythonExec): SparkPlan =
    if (PythonEval.of(over(evaluated, child), original.output).isDefined) PythonEvalExec(original, evaluated, child)
    else original.withNewChildren(Seq(child))

  /** Returns the operator above a projection that computes the arguments which are no columns yet, if there are such. */
  def withArguments(original: ArrowEvalPythonExec): Option[ArrowEvalPythonExec] = {
    val arguments = PythonEval.computedArguments(original).zipWithIndex.map { case (e, i) =>
      Alias(e, s"_argument$i")()
    }
    Option.when(arguments.nonEmpty) {
      val functions = original.udfs.map(_.transformDown {
        case e if arguments.exists(_.child.semanticEquals(e)) =>
          arguments.find(_.child.semanticEquals(e)).map(_.toAttribute).getOrElse(e)
      }.asInstanceOf[PythonUDF])
      original.copy(udfs = functions, child = ProjectExec(original.child.output ++ arguments, original.child))
    }
  }

  private def over(operator: ArrowEvalPythonExec, child: SparkPlan): ArrowEvalPythonExec =
    operator.withNewChildren(Seq(child)).asInstanceOf[ArrowEvalPythonExec]
}

private final class PythonEvalRDD(rows: RDD[InternalRow], evaluation: PythonEval) extends RDD[InternalRow](rows) {
  override protected def getPartitions: Array[Partition] = firstParent[InternalRow].partitions

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] =
    evaluation(split.index, firstParent[InternalRow].iterator(split, context))
}
