package io.accelerant.spark

import java.math.BigInteger
import java.nio.ByteBuffer

import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarArray, ColumnarMap}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/**
 * A column of a native batch, read in place from an Arrow C `ArrowArray`: plain layouts, 32-bit offsets. Attached to nothing at first.
 *
 * The vector owns nothing. It may be attached to one array after another; what a getter returned from an earlier array (strings,
 * arrays, maps) must not be read once that array is released. Values under null slots are not defined.
 */
final class NativeColumnVector(dataType: DataType) extends ColumnVector(dataType) {
  import NativeColumnVector._

  private[this] val layout = layoutOf(dataType)
  private[this] val width = if (dataType.isInstanceOf[DecimalType]) 16 else dataType.defaultSize
  private[this] val children = childrenOf(dataType)

  private[this] var numRows = 0
  private[this] var nullCount = 0L // -1: not counted yet
  private[this] var firstBit = 0L // position of row 0 in the array's bitmaps
  private[this] var validity = 0L // address of the validity bitmap, 0 when no row is null
  private[this] var values =
    0L // address of row 0's value; of the bitmap for booleans; of the characters for strings and binaries
  private[this] var offsets = 0L // address of row 0's 32-bit offset for strings, binaries, arrays and maps

  override def close(): Unit = ()

  override def hasNull: Boolean = numNulls > 0

  override def numNulls: Int = {
    if (nullCount < 0) nullCount = (0 until numRows).count(isNullAt)
    nullCount.toInt
  }

  override def isNullAt(row: Int): Boolean =
    if (validity == 0) layout == Nulls else !bit(validity, firstBit + row)

  override def getBoolean(row: Int): Boolean = bit(values, firstBit + row)
  override def getByte(row: Int): Byte = Platform.getByte(null, values + row)
  override def getShort(row: Int): Short = Platform.getShort(null, values + 2L * row)
  override def getInt(row: Int): Int = Platform.getInt(null, values + 4L * row)
  override def getLong(row: Int): Long = Platform.getLong(null, values + 8L * row)
  override def getFloat(row: Int): Float = Platform.getFloat(null, values + 4L * row)
  override def getDouble(row: Int): Double = Platform.getDouble(null, values + 8L * row)

  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal =
    if (isNullAt(row)) null
    else {
      val address = values + 16L * row
      val low = Platform.getLong(null, address)
      if (precision <= Decimal.MAX_LONG_DIGITS) Decimal.createUnsafe(low, precision, scale)
      else
        Decimal(new java.math.BigDecimal(unscaled(Platform.getLong(null, address + 8), low), scale), precision, scale)
    }

  override def getUTF8String(row: Int): UTF8String =
    if (isNullAt(row)) null
    else {
      val start = offset(row)
      UTF8String.fromAddress(null, values + start, offset(row + 1) - start)
    }

  override def getBinary(row: Int): Array[Byte] = {
    val bytes = getUTF8String(row)
    if (bytes == null) null else bytes.getBytes
  }

  override def getArray(row: Int): ColumnarArray =
    if (isNullAt(row)) null else new ColumnarArray(children(0), offset(row), offset(row + 1) - offset(row))

  override def getMap(row: Int): ColumnarMap =
    if (isNullAt(row)) null else new ColumnarMap(children(0), children(1), offset(row), offset(row + 1) - offset(row))

  override def getChild(ordinal: Int): NativeColumnVector = children(ordinal)

  /** Reads `rows` rows of an ArrowArray, `start` rows after its own offset. */
  private def attach(array: Long, start: Long, rows: Int): Unit = {
    numRows = rows
    nullCount = if (layout == Nulls) rows else Platform.getLong(null, array + NullCount)
    firstBit = Platform.getLong(null, array + Offset) + start
    validity = if (layout == Nulls || nullCount == 0) 0 else buffer(array, 0)
    if (validity == 0 && layout != Nulls) nullCount = 0
    else if (start != 0 || rows != Platform.getLong(null, array + Length)) nullCount = -1
    if (nullCount != rows) attachValues(array, rows) // a column of nulls may come without the buffers of its type
  }

  private def attachValues(array: Long, rows: Int): Unit = {
    if (layout == Bytes || layout == Lists) offsets = buffer(array, 1) + firstBit * 4
    layout match {
      case Bits => values = buffer(array, 1)
      case Fixed => values = buffer(array, 1) + firstBit * width
      case Bytes => values = buffer(array, 2)
      case Lists =>
        val elements = child(array, 0) // of a map a struct of keys and values
        val length = Math.toIntExact(Platform.getLong(null, elements + Length))
        if (children.length == 1) children(0).attach(elements, 0, length)
        else attachColumns(elements, Platform.getLong(null, elements + Offset), children, length)
      case Structs => attachColumns(array, firstBit, children, rows)
      case Nulls =>
    }
  }

  private def offset(row: Int): Int = Platform.getInt(null, offsets + 4L * row)
}

object NativeColumnVector {

  /** Byte offsets of the fields of an ArrowArray. */
  private final val Length = 0L
  private final val NullCount = 8L
  private final val Offset = 16L
  private final val NumChildren = 32L
  private final val Buffers = 40L
  private final val Children = 48L

  /** How Arrow lays out values. */
  private final val Nulls = 0
  private final val Bits = 1
  private final val Fixed = 2
  private final val Bytes = 3
  private final val Lists = 4
  private final val Structs = 5

  /** Creates the columns of a struct. */
  def columns(schema: StructType): Array[NativeColumnVector] =
    schema.fields.map(field => new NativeColumnVector(field.dataType))

  /**
   * Attaches columns to the children of a batch, an ArrowArray of struct type, and returns its number of rows. Throws
   * IllegalStateException for a batch of another shape.
   */
  def attachBatch(batch: Long, columns: Array[NativeColumnVector]): Int = {
    val length = Platform.getLong(null, batch + Length)
    val found = Platform.getLong(null, batch + NumChildren)
    if (found != columns.length || length > Int.MaxValue)
      throw new IllegalStateException(
        s"a native batch has $found columns, $length rows; expected ${columns.length} columns"
      )
    attachColumns(batch, Platform.getLong(null, batch + Offset), columns, length.toInt)
    length.toInt
  }

  private def attachColumns(array: Long, start: Long, columns: Array[NativeColumnVector], rows: Int): Unit =
    columns.indices.foreach(i => columns(i).attach(child(array, i), start, rows))

  private def bit(bitmap: Long, index: Long): Boolean =
    (Platform.getByte(null, bitmap + (index >> 3)) >> (index & 7).toInt & 1) != 0

  private def buffer(array: Long, index: Int): Long =
    Platform.getLong(null, Platform.getLong(null, array + Buffers) + 8L * index)

  private def child(array: Long, index: Int): Long =
    Platform.getLong(null, Platform.getLong(null, array + Children) + 8L * index)

  private def unscaled(high: Long, low: Long): BigInteger =
    new BigInteger(ByteBuffer.allocate(16).putLong(high).putLong(low).array)

  private def layoutOf(dataType: DataType): Int = dataType match {
    case NullType => Nulls
    case BooleanType => Bits
    case _: StringType | BinaryType => Bytes
    case _: ArrayType | _: MapType => Lists
    case _: StructType => Structs
    case _ => Fixed
  }

  private def childrenOf(dataType: DataType): Array[NativeColumnVector] = dataType match {
    case ArrayType(element, _) => Array(new NativeColumnVector(element))
    case MapType(key, value, _) => Array(new NativeColumnVector(key), new NativeColumnVector(value))
    case struct: StructType => columns(struct)
    case _ => Array.empty
  }
}
