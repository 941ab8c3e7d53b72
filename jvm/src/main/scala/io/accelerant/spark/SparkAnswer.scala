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

  private[spark] def isFloat(dataType: DataType): Boolean = dataType == FloatType || dataType == DoubleType

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
  private var rows = 0L
  private var hash = 0L
  private val counts = new Array[Long](width)
  private val nans = new Array[Long](width)
  private val positive = new Array[Long](width)
  private val negative = new Array[Long](width)
  private val totals = new Array[Double](width)
  private val magnitudes = new Array[Double](width)

  def add(row: InternalRow, types: Seq[DataType], hashOf: XxHash64): Unit = {
    rows += 1
    hash += hashOf.eval(row).asInstanceOf[Long]
    var i = 0
    types.foreach { dataType =>
      if (!row.isNullAt(i)) {
        counts(i) += 1
        if (dataType == DoubleType) addFloat(i, row.getDouble(i))
        if (dataType == FloatType) addFloat(i, row.getFloat(i))
      }
      i += 1
    }
  }

  private def addFloat(column: Int, value: Double): Unit =
    if (value.isNaN) nans(column) += 1
    else if (value.isPosInfinity) positive(column) += 1
    else if (value.isNegInfinity) negative(column) += 1
    else {
      totals(column) += value
      magnitudes(column) += math.abs(value)
    }

  def merge(other: Sums): Sums = {
    rows += other.rows
    hash += other.hash
    for (i <- 0 until width) {
      counts(i) += other.counts(i)
      nans(i) += other.nans(i)
      positive(i) += other.positive(i)
      negative(i) += other.negative(i)
      totals(i) += other.totals(i)
      magnitudes(i) += other.magnitudes(i)
    }
    this
  }

  def lines(types: Seq[DataType]): Seq[(String, String)] =
    Seq("rows" -> rows.toString, "hash" -> f"$hash%016x") ++ types.zipWithIndex.flatMap {
      case (dataType, i) if SparkAnswer.isFloat(dataType) => floatLines(i)
      case (dataType, i) if !SparkAnswer.isHashed(dataType) => Seq(s"other.$i.count" -> counts(i).toString)
      case _ => Nil
    }

  private def floatLines(i: Int): Seq[(String, String)] =
    Seq(
      "count" -> counts(i).toString,
      "nan" -> nans(i).toString,
      "posinf" -> positive(i).toString,
      "neginf" -> negative(i).toString,
      "sum" -> totals(i).toString,
      "abs" -> magnitudes(i).toString
    ).map { case (name, value) => s"float.$i.$name" -> value }
}
