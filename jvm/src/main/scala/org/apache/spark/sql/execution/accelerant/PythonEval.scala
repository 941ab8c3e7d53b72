package org.apache.spark.sql.execution.accelerant

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.api.python.ChainedPythonFunctions
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  NamedArgumentExpression,
  PythonUDF,
  UnsafeProjection
}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.python.{ArrowEvalPythonEvaluatorFactory, ArrowEvalPythonExec}
import org.apache.spark.sql.execution.python.EvalPythonExec.ArgumentMetadata
import org.apache.spark.sql.types.{DataType, StructField, StructType, UserDefinedType}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * What the operator of pandas functions and others that speak Arrow does with a partition of the engine's rows: a Python worker gets
 * batches of the columns that its functions read, while the engine keeps all columns for the rows that come out. Rows that can't leave as
 * batches go Spark's way.
 *
 * @param factory of Spark's evaluators
 * @param functions as the worker is told of them
 * @param arguments positions of the columns that it gets
 * @param schema of these
 * @param output what comes out: columns that rows have first, and what the functions return
 */
final class PythonEval private (
    factory: ArrowEvalPythonEvaluatorFactory,
    members: Map[String, Any],
    functions: Seq[(ChainedPythonFunctions, Long)],
    metas: Array[Array[ArgumentMetadata]],
    arguments: Seq[Int],
    schema: StructType,
    wideOutput: Seq[Attribute],
    output: Seq[Attribute]
) extends Serializable {

  def apply(index: Int, rows: Iterator[InternalRow]): Iterator[InternalRow] = rows match {
    case own: ArrowRows => withoutRows(own).getOrElse(rowByRow(index, rows))
    case _ => rowByRow(index, rows)
  }

  private def rowByRow(index: Int, rows: Iterator[InternalRow]): Iterator[InternalRow] =
    factory.createEvaluator().eval(index, rows).map(UnsafeProjection.create(output, wideOutput))

  private def numHeld = output.length - functions.length

  private def withoutRows(rows: ArrowRows): Option[Iterator[InternalRow]] = {
    val values = members ++ Map[String, Any]("funcs" -> functions, "argMetas" -> metas, "schema" -> schema)
    var held: Option[HeldMessages] = None
    val runner = MessageRunner.start(RunnerKind.WithNames, values) { (arrowSchema, sizes) =>
      held = rows.source.flatMap(_.hold(arguments, arrowSchema, numHeld, sizes))
      held.map(_.messages)
    }
    for (started <- runner; messages <- held)
      yield messages.joined(started.run(TaskContext.get()).map(checked), output)
  }

  private def checked(batch: ColumnarBatch): ColumnarBatch = {
    val types = (0 until batch.numCols()).map(batch.column(_).dataType())
    if (!DataType.equalsIgnoreCompatibleCollation(expected, types)) {
      throw QueryExecutionErrors.arrowDataTypeMismatchError("pandas_udf()", expected, types)
    }
    batch
  }

  private lazy val expected = output.drop(numHeld).map(_.dataType.transformRecursively {
    case user: UserDefinedType[_] => user.sqlType
  })
}

object PythonEval {
  private val Own = Set("childOutput", "output")

  /** Returns the equivalent of Spark's operator, if its version is known and its functions get columns of its child as they are. */
  def of(operator: ArrowEvalPythonExec, output: Seq[Attribute]): Option[PythonEval] = {
    val factory = SparkInternals.evaluators(operator)
    for {
      known <- Option(factory).collect { case own: ArrowEvalPythonEvaluatorFactory => own }
      members = SparkInternals.membersOf(known)
      if Own.subsetOf(members.keySet) && RunnerKind.WithNames.isKnown(members.keySet -- Own)
      own <- of(operator, known, members -- Own, output)
    } yield own
  }

  private def of(
      operator: ArrowEvalPythonExec,
      factory: ArrowEvalPythonEvaluatorFactory,
      members: Map[String, Any],
      output: Seq[Attribute]
  ): Option[PythonEval] = {
    val (functions, inputs) = operator.udfs.map(chained).unzip
    val values = mutable.ArrayBuffer.empty[Expression]
    val metas = inputs.map(_.map { argument =>
      val (name, value) = named(argument)
      if (!values.exists(_.semanticEquals(value))) values += value
      ArgumentMetadata(values.indexWhere(_.semanticEquals(value)), name)
    }.toArray).toArray
    val places = values.map {
      case column: Attribute => operator.child.output.indexWhere(_.exprId == column.exprId)
      case _ => -1
    }
    val schema = StructType(values.zipWithIndex.map { case (value, i) => StructField(s"_$i", value.dataType) }.toArray)
    Option.when(!places.contains(-1)) {
      new PythonEval(factory, members, functions, metas, places.toSeq, schema, operator.output, output)
    }
  }

  /** Returns the expressions that are no columns among the arguments of an operator's functions, each once. */
  def computedArguments(operator: ArrowEvalPythonExec): Seq[Expression] =
    operator.udfs.flatMap(udf => chained(udf)._2).map(argument => named(argument)._2)
      .filterNot(_.isInstanceOf[Attribute])
      .foldLeft(Seq.empty[Expression])((found, e) => if (found.exists(_.semanticEquals(e))) found else found :+ e)

  private def named(argument: Expression): (Option[String], Expression) = argument match {
    case NamedArgumentExpression(name, value) => Some(name) -> value
    case value => None -> value
  }

  /** A function of nothing but another one's result runs with that one in the worker. */
  private def chained(udf: PythonUDF): ((ChainedPythonFunctions, Long), Seq[Expression]) = udf.children match {
    case Seq(inner: PythonUDF) =>
      val ((functions, _), arguments) = chained(inner)
      (ChainedPythonFunctions(functions.funcs :+ udf.func) -> udf.resultId.id, arguments)
    case arguments => (ChainedPythonFunctions(Seq(udf.func)) -> udf.resultId.id, arguments)
  }
}
