package io.accelerant.spark

import org.apache.spark.sql.catalyst.util.CollationFactory
import org.apache.spark.sql.execution.datasources.VariantMetadata
import org.apache.spark.sql.types._

/** Writes data types; names go through the message's string table. */
object TypeEncoder {

  def write(out: MessageWriter, dataType: DataType, str: String => Unit): Unit = dataType match {
    case NullType => out.u8(1)
    case BooleanType => out.u8(2)
    case ByteType => out.u8(3)
    case ShortType => out.u8(4)
    case IntegerType => out.u8(5)
    case LongType => out.u8(6)
    case FloatType => out.u8(7)
    case DoubleType => out.u8(8)
    case d: DecimalType =>
      out.u8(9)
      out.varint(d.precision)
      out.varint(d.scale)
    case BinaryType => out.u8(11)
    case DateType => out.u8(12)
    case TimestampType => out.u8(13)
    case TimestampNTZType => out.u8(14)
    case t: DayTimeIntervalType => interval(out, 15, t.startField, t.endField)
    case t: YearMonthIntervalType => interval(out, 16, t.startField, t.endField)
    case CalendarIntervalType => out.u8(17)
    case t => text(out, t, str)
  }

  private def text(out: MessageWriter, dataType: DataType, str: String => Unit): Unit = dataType match {
    case t: CharType =>
      out.u8(21)
      out.varint(t.length)
    case t: VarcharType =>
      out.u8(22)
      out.varint(t.length)
    case t: StringType =>
      out.u8(10)
      str(collation(t))
    case t => nested(out, t, str)
  }

  def collation(dataType: StringType): String = CollationFactory.fetchCollation(dataType.collationId).collationName

  private def nested(out: MessageWriter, dataType: DataType, str: String => Unit): Unit = dataType match {
    case ArrayType(element, containsNull) =>
      out.u8(18)
      write(out, element, str)
      out.u8(bit(containsNull))
    case MapType(key, value, valueContainsNull) =>
      out.u8(19)
      write(out, key, str)
      write(out, value, str)
      out.u8(bit(valueContainsNull))
    case pushed: StructType
        if VariantMetadata.isVariantStruct(pushed) => // of a variant's members, in the variant's place
      out.u8(23)
      str("variant")
    case StructType(fields) =>
      out.u8(20)
      out.varint(fields.length)
      fields.foreach { field =>
        str(field.name)
        write(out, field.dataType, str)
        out.u8(bit(field.nullable))
      }
    case other =>
      out.u8(23)
      str(other.typeName)
  }

  private def interval(out: MessageWriter, code: Int, start: Byte, end: Byte): Unit = {
    out.u8(code)
    out.u8(start)
    out.u8(end)
  }

  private def bit(value: Boolean): Int = if (value) 1 else 0
}
