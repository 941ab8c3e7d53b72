package io.accelerant.spark

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Rows one behind another in an array that grows, each behind its size, which takes a word so that rows stay aligned. */
private[spark] final class RowBuffer {
  import RowBuffer._

  private var array = new Array[Byte](FirstBytes)
  private var numBytes, rows = 0

  /** What holds the rows: `size` bytes from the first on. The next row may be written to another array. */
  def bytes: Array[Byte] = array
  def size: Int = numBytes
  def numRows: Int = rows

  /** Says whether an array may hold a row as well. */
  def hasRoomFor(row: UnsafeRow): Boolean = row.getSizeInBytes <= MostBytes - numBytes

  /** Copies a row. Throws an ArithmeticException where there is no room for it. */
  def add(row: UnsafeRow): Unit = {
    val end = Math.addExact(numBytes + HeaderBytes, row.getSizeInBytes)
    if (end > array.length) array = java.util.Arrays.copyOf(array, math.max(end, 2 * array.length))
    Platform.putLong(array, Platform.BYTE_ARRAY_OFFSET + numBytes, row.getSizeInBytes)
    row.writeToMemory(array, Platform.BYTE_ARRAY_OFFSET + numBytes + HeaderBytes)
    numBytes = end
    rows += 1
  }

  def clear(): Unit = {
    numBytes = 0
    rows = 0
  }
}

private[spark] object RowBuffer {
  private val HeaderBytes = 8
  private val FirstBytes = 16 << 10

  /** What an array may hold, less a row's size. */
  private val MostBytes = Int.MaxValue - 64

  /** Returns the rows that a buffer's array holds, which share it. */
  def read(bytes: Array[Byte], numRows: Int, numFields: Int): Array[InternalRow] = {
    var offset = Platform.BYTE_ARRAY_OFFSET.toLong
    Array.fill[InternalRow](numRows) {
      val length = Platform.getLong(bytes, offset).toInt
      val row = new UnsafeRow(numFields)
      row.pointTo(bytes, offset + HeaderBytes, length)
      offset += HeaderBytes + length
      row
    }
  }
}
