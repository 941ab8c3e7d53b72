package io.accelerant.spark

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.accelerant.SparkInternals

/** Rows on their way from a task to the driver: a few MB of sizes and bytes, compressed as Spark compresses its own. */
final class PackedRows(numFields: Int, numRows: Int, size: Int, compressed: Array[Byte]) extends Serializable {

  /** Returns the rows; they share one array. */
  def unpack(): Array[InternalRow] = {
    val bytes =
      SparkInternals.compressionCodec.compressedInputStream(new ByteArrayInputStream(compressed)).readNBytes(size)
    RowBuffer.read(bytes, numRows, numFields)
  }
}

object PackedRows {
  private val ChunkBytes = 4 << 20

  /** Packs all rows of an iterator. */
  def pack(unpacked: Iterator[UnsafeRow], numFields: Int): Array[PackedRows] = {
    val rows = unpacked.buffered
    val chunks = ArrayBuffer.empty[PackedRows]
    val buffer = new RowBuffer
    while (rows.hasNext) {
      buffer.clear()
      while (buffer.size < ChunkBytes && rows.hasNext && (buffer.size == 0 || buffer.hasRoomFor(rows.head)))
        buffer.add(rows.next())
      chunks += new PackedRows(numFields, buffer.numRows, buffer.size, compress(buffer.bytes, buffer.size))
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
