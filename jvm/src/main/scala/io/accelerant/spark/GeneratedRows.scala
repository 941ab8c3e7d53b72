package io.accelerant.spark

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Generator, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.DataType

/** What a generator makes of a row, as an array. */
final case class GeneratedRows(child: Expression) extends UnaryExpression with CodegenFallback {
  override def dataType: DataType = child.dataType
  override def nullable: Boolean = false

  /** Copies rows, as a generator may make one in the place of the other. */
  override def eval(input: InternalRow): Any = {
    val rows = child.eval(input).asInstanceOf[IterableOnce[InternalRow]]
    new GenericArrayData(rows.iterator.map(_.copy()).toArray[Any])
  }

  override protected def withNewChildInternal(newChild: Expression): GeneratedRows = copy(child = newChild)
}

object GeneratedRows {

  /** Whether a generator makes rows of a row of its input alone, none when there are no more: so do all that Catalyst has. */
  def areOfRowsAlone(generator: Generator): Boolean =
    generator.getClass.getPackageName.startsWith(classOf[Generator].getPackageName)
}
