package io.accelerant.spark

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

/** Tags of values in a message. */
private object Tag {
  val Null = 0
  val False = 1
  val True = 2
  val Integer = 3
  val Floating = 4
  val Text = 5
  val Sequence = 6
  val Mapping = 7
  val Reference = 8
  val Product = 9
  val Type = 10
  val Bytes = 11
  val Decimal = 12
  val Opaque = 13
}

/** Writes values in Spark's internal form: literals and partition column values. */
object LiteralEncoder {

  /**
   * Writes one value.
   *
   * @param opaque writes an object this encoder does not know, for the reader to refuse
   */
  def write(out: MessageWriter, value: Any, dataType: DataType, opaque: Any => Unit): Unit = value match {
    case null => out.u8(Tag.Null)
    case v: Boolean => out.u8(if (v) Tag.True else Tag.False)
    case v: Byte => integer(out, v)
    case v: Short => integer(out, v)
    case v: Int => integer(out, v)
    case v: Long => integer(out, v)
    case v: Float => floating(out, v)
    case v: Double => floating(out, v)
    case v: UTF8String => bytes(out, v.getBytes)
    case v: Array[Byte] => bytes(out, v)
    case v: Decimal => decimal(out, v)
    case v: CalendarInterval => sequence(out, Seq(v.months, v.days, v.microseconds), _ => LongType, opaque)
    case v => nested(out, v, dataType, opaque)
  }

  private def nested(out: MessageWriter, value: Any, dataType: DataType, opaque: Any => Unit): Unit =
    (value, dataType) match {
      case (v: ArrayData, t: ArrayType) =>
        sequence(out, v.toObjectArray(t.elementType).toSeq, _ => t.elementType, opaque)
      case (v: InternalRow, t: StructType) => sequence(out, v.toSeq(t), t(_).dataType, opaque)
      case (v: MapData, t: MapType) =>
        out.u8(Tag.Mapping)
        out.varint(v.numElements())
        v.foreach(
          t.keyType,
          t.valueType,
          (key, item) => {
            write(out, key, t.keyType, opaque)
            write(out, item, t.valueType, opaque)
          }
        )
      case (v, _) => opaque(v)
    }

  private def sequence(out: MessageWriter, items: Seq[Any], typeOf: Int => DataType, opaque: Any => Unit): Unit = {
    out.u8(Tag.Sequence)
    out.varint(items.length)
    items.zipWithIndex.foreach { case (item, i) => write(out, item, typeOf(i), opaque) }
  }

  private def integer(out: MessageWriter, value: Long): Unit = {
    out.u8(Tag.Integer)
    out.svarint(value)
  }

  private def floating(out: MessageWriter, value: Double): Unit = {
    out.u8(Tag.Floating)
    out.f64(value)
  }

  private def bytes(out: MessageWriter, value: Array[Byte]): Unit = {
    out.u8(Tag.Bytes)
    out.blob(value)
  }

  private def decimal(out: MessageWriter, value: Decimal): Unit = {
    out.u8(Tag.Decimal)
    out.varint(value.precision)
    out.varint(value.scale)
    out.blob(value.toJavaBigDecimal.unscaledValue.toByteArray)
  }
}
