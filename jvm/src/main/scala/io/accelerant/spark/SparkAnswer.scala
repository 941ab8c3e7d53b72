package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, XxHash64}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types._

/** What plain Spark answers to a query, without its rows: the `answer` section of docs/design/capture.md. */
object SparkAnswer {
  private val Seed = 42L

  /** Runs a plan and returns the section's lines. */
  def of(plan: SparkPlan): Seq[(String, String)] =
    try {
      val types = plan.output.map(_.dataType)
      sum(plan.execute(), types).lines(types)
    } catch { case NonFatal(e) => failure(e) }

  private def failure(error: Throwable): Seq[(String, String)] = {
    val chain = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq
    val conditions = chain.collect { case e: SparkThrowable if e.getCondition != null => e.getCondition }
    Seq("error.class" -> chain.last.getClass.getName, "error.condition" -> conditions.lastOption.getOrElse(""))
  }

  private def sum(rows: RDD[InternalRow], types: Seq[DataType]): Sums =
    rows.mapPartitions { part =>
      val sums = new Sums(types.length)
      val hash = hashOf(types)
      part.foreach(sums.add(_, types, hash))
      Iterator(sums)
    }.collect().foldLeft(new Sums(types.length))(_.merge(_))

  private def hashOf(types: Seq[DataType]): XxHash64 =
    XxHash64(
      types.zipWithIndex.collect { case (dataType, i) if isHashed(dataType) => BoundReference(i, dataType, true) },
      Seed
    )

  private[spark] def isHashed(dataType: DataType): Boolean = dataType match {
    case NullType | BooleanType | ByteType | ShortType | IntegerType | LongType | BinaryType | DateType |
        TimestampType | TimestampNTZType =>
      true
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => true
    case t: StringType => TypeEncoder.collation(t) == "UTF8_BINARY"
    case t: ArrayType => isHashed(t.elementType)
    case t: StructType => t.forall(field => isHashed(field.dataType))
    case _ => false
  }
}

/** Sums over rows that do not depend on their order, but for rounding. */
private final class Sums(width: Int) extends Serializable {
  private var rows, hash = 0L
  private val columns = Array.fill(width)(new ColumnSums)

  def add(row: InternalRow, types: Seq[DataType], hashOf: XxHash64): Unit = {
    rows += 1
    hash += hashOf.eval(row).asInstanceOf[Long]
    var i = 0
    types.foreach { dataType =>
      if (!row.isNullAt(i)) columns(i).add(dataType match {
        case DoubleType => row.getDouble(i)
        case FloatType => row.getFloat(i)
        case _ => 0
      })
      i += 1
    }
  }

  def merge(other: Sums): Sums = {
    rows += other.rows
    hash += other.hash
    columns.zip(other.columns).foreach { case (column, more) => column.merge(more) }
    this
  }

  def lines(types: Seq[DataType]): Seq[(String, String)] =
    Seq("rows" -> rows.toString, "hash" -> f"$hash%016x") ++ types.zipWithIndex.flatMap {
      case (FloatType | DoubleType, i) => columns(i).lines.map { case (name, value) => s"float.$i.$name" -> value }
      case (dataType, i) if !SparkAnswer.isHashed(dataType) => Seq(s"other.$i.count" -> columns(i).count.toString)
      case _ => Nil
    }
}

/** Sums over the values of one column. */
private final class ColumnSums extends Serializable {
  private val counts = new Array[Long](4) // all values, and those that have no sum
  private val sums = new Array[Double](2)

  def count: Long = counts(0)

  def add(value: Double): Unit = {
    counts(0) += 1
    if (value.isNaN) counts(1) += 1
    else if (value.isInfinite) counts(if (value > 0) 2 else 3) += 1
    else {
      sums(0) += value
      sums(1) += math.abs(value)
    }
  }

  def merge(other: ColumnSums): Unit = {
    counts.indices.foreach(i => counts(i) += other.counts(i))
    sums.indices.foreach(i => sums(i) += other.sums(i))
  }

  def lines: Seq[(String, String)] =
    Seq("count", "nan", "posinf", "neginf", "sum", "abs").zip(counts.map(_.toString) ++ sums.map(_.toString))
}
