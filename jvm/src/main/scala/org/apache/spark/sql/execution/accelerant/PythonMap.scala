package org.apache.spark.sql.execution.accelerant

import java.lang.invoke.SerializedLambda

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.TaskContext
import org.apache.spark.api.python.PythonEvalType
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.python.MapInBatchEvaluatorFactory
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, StructField, StructType}
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnVector, ColumnarBatch}

/**
 * What `mapInArrow` and `mapInPandas` do with a partition, with Arrow batches for the worker in the place of rows that Spark would write
 * as such; all else is Spark's. Rows that can't leave as batches go Spark's way.
 *
 * @param rowByRow Spark's way
 * @param members those of the factory of Spark's evaluators
 */
final class PythonMap[U](rowByRow: (Int, Iterator[InternalRow]) => Iterator[U], members: Map[String, Any])
    extends ((Int, Iterator[InternalRow]) => Iterator[U])
    with Serializable {

  override def apply(index: Int, rows: Iterator[InternalRow]): Iterator[U] = rows match {
    case own: ArrowRows => withoutRows(own).fold(rowByRow(index, rows))(_.asInstanceOf[Iterator[U]])
    case _ => rowByRow(index, rows)
  }

  /** The worker gets all columns as one of structs. */
  private def withoutRows(rows: ArrowRows): Option[Iterator[InternalRow]] = {
    val columns = StructType(Seq(StructField("struct", member[StructType]("inputSchema"))))
    val context = TaskContext.get()
    val values = members ++ Map("argOffsets" -> Array(Array(0)), "schema" -> columns)
    MessageRunner.start(RunnerKind.Plain, values)((s, sizes) => rows.source.flatMap(_.messages(s, sizes))).map {
      runner =>
        val batches = runner.run(context)
        val projection = UnsafeProjection.create(output, output)
        batches.flatMap(rowsOf).map(projection)
    }
  }

  /** The worker returns structs as well. */
  private def rowsOf(batch: ColumnarBatch): Iterator[InternalRow] = {
    val structs = batch.column(0).asInstanceOf[ArrowColumnVector]
    val expected = member[DataType]("outputSchema")
    val isExpected = DataType.equalsIgnoreCompatibleNullability(structs.dataType(), expected)
    if (SQLConf.get.pysparkArrowValidateSchema && !isExpected) {
      val function = PythonEvalType.toString(member[Int]("pythonEvalType"))
      throw QueryExecutionErrors.arrowDataTypeMismatchError(function, Seq(expected), Seq(structs.dataType()))
    }
    PythonMap.unwrapped(batch, output.length)
  }

  private def output = member[Seq[Attribute]]("output")

  private def member[T](name: String): T = members(name).asInstanceOf[T]
}

object PythonMap {

  /** Returns what is to be done with a partition's rows in the place of a function of Spark's, or that. For Java, without types. */
  def orSame[F](f: F): F = of(f.asInstanceOf[(Int, Iterator[InternalRow]) => Iterator[Any]]).fold(f)(_.asInstanceOf[F])

  /** Returns the equivalent of what Spark's operator does with a partition, if that is what `f` is, in a version with known members. */
  def of[U](f: (Int, Iterator[InternalRow]) => Iterator[U]): Option[(Int, Iterator[InternalRow]) => Iterator[U]] =
    for {
      factory <- factoryOf(f)
      members = SparkInternals.membersOf(factory)
      if RunnerKind.Plain.isKnown(members.keySet -- Own) && Own.subsetOf(members.keySet)
    } yield new PythonMap(f, members)

  private val Own = Set("output", "inputSchema", "outputSchema")

  private def factoryOf(f: AnyRef): Option[MapInBatchEvaluatorFactory] = captured(f) match {
    case Seq(factory: MapInBatchEvaluatorFactory) if factory.getClass == classOf[MapInBatchEvaluatorFactory] =>
      Some(factory)
    case _ => None
  }

  /** Returns what an operator's function refers to, in order; nothing where that can't be seen. */
  def captured(f: AnyRef): Seq[Any] =
    Try {
      val replacement = f.getClass.getDeclaredMethod("writeReplace")
      replacement.setAccessible(true)
      replacement.invoke(f)
    }.toOption.toSeq.collect { case lambda: SerializedLambda =>
      (0 until lambda.getCapturedArgCount).map(lambda.getCapturedArg)
    }.flatten

  /** Returns the members of structs as rows. */
  def unwrapped(batch: ColumnarBatch, count: Int): Iterator[InternalRow] = {
    val structs = batch.column(0).asInstanceOf[ArrowColumnVector]
    val columns = (0 until count).map(structs.getChild).toArray[ColumnVector]
    new ColumnarBatch(columns, batch.numRows()).rowIterator().asScala
  }
}
