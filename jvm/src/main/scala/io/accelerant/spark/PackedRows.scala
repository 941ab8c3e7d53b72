package io.accelerant.spark

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.unsafe.Platform

/** Rows on their way from a task to the driver: a few MB of sizes and bytes, compressed as Spark compresses its own. */
final class PackedRows(numFields: Int, numRows: Int, size: Int, compressed: Array[Byte]) extends Serializable {

  /** Returns the rows; they share one array. */
  def unpack(): Array[InternalRow] = {
    val bytes =
      SparkInternals.compressionCodec.compressedInputStream(new ByteArrayInputStream(compressed)).readNBytes(size)
    var offset = Platform.BYTE_ARRAY_OFFSET.toLong
    Array.fill[InternalRow](numRows) {
      val length = Platform.getInt(bytes, offset)
      val row = new UnsafeRow(numFields)
      row.pointTo(bytes, offset + PackedRows.HeaderBytes, length)
      offset += PackedRows.HeaderBytes + length
      row
    }
  }
}

object PackedRows {

  /** A row's size comes before it, in a word so that rows stay aligned. */
  private val HeaderBytes = 8
  private val ChunkBytes = 4 << 20
  private val FirstBytes = 16 << 10

  /** What an array may hold, less a row's size. */
  private val MostBytes = Int.MaxValue - 64

  /** Packs all rows of an iterator. */
  def pack(unpacked: Iterator[UnsafeRow], numFields: Int): Array[PackedRows] = {
    val rows = unpacked.buffered
    val chunks = ArrayBuffer.empty[PackedRows]
    var buffer = new Array[Byte](FirstBytes)
    while (rows.hasNext) {
      var size = 0
      var numRows = 0
      while (size < ChunkBytes && rows.hasNext && (size == 0 || rows.head.getSizeInBytes < MostBytes - size)) {
        val row = rows.next()
        val end = Math.addExact(size + HeaderBytes, row.getSizeInBytes)
        if (end > buffer.length) buffer = java.util.Arrays.copyOf(buffer, math.max(end, 2 * buffer.length))
        Platform.putInt(buffer, Platform.BYTE_ARRAY_OFFSET + size, row.getSizeInBytes)
        row.writeToMemory(buffer, Platform.BYTE_ARRAY_OFFSET + size + HeaderBytes)
        size = end
        numRows += 1
      }
      chunks += new PackedRows(numFields, numRows, size, compress(buffer, size))
    }
    chunks.toArray
  }

  private def compress(bytes: Array[Byte], size: Int): Array[Byte] = {
    val compressed = new ByteArrayOutputStream
    val out = SparkInternals.compressionCodec.compressedOutputStream(compressed)
    out.write(bytes, 0, size)
    out.close()
    compressed.toByteArray
  }
}
