package io.accelerant.spark

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.accelerant.SparkInternals

/**
 * Rows on their way from a task to the driver: arrays of a few MB each, with the numbers of rows and of bytes, then the rows, compressed
 * as Spark compresses its own. Nothing but arrays, as Kryo may have to know all classes beforehand.
 */
object PackedRows {
  private val ChunkBytes = 4 << 20

  /** Packs all rows of an iterator. */
  def pack(unpacked: Iterator[UnsafeRow]): List[Array[Byte]] = {
    val rows = unpacked.buffered
    val chunks = List.newBuilder[Array[Byte]]
    val buffer = new RowBuffer
    while (rows.hasNext) {
      buffer.clear()
      while (buffer.size < ChunkBytes && rows.hasNext && (buffer.size == 0 || buffer.hasRoomFor(rows.head)))
        buffer.add(rows.next())
      chunks += compress(buffer)
    }
    chunks.result()
  }

  private def compress(buffer: RowBuffer): Array[Byte] = {
    val compressed = new ByteArrayOutputStream
    new DataOutputStream(compressed).writeLong(buffer.numRows.toLong << Integer.SIZE | buffer.size)
    val out = SparkInternals.compressionCodec.compressedOutputStream(compressed)
    out.write(buffer.bytes, 0, buffer.size)
    out.close()
    compressed.toByteArray
  }

  /** Returns the rows of all arrays; those of one share another one. */
  def unpack(packed: List[Array[Byte]], numFields: Int): Array[InternalRow] = packed.toArray.flatMap { chunk =>
    val in = new DataInputStream(new ByteArrayInputStream(chunk))
    val (numRows, size) = (in.readInt(), in.readInt())
    RowBuffer.read(SparkInternals.compressionCodec.compressedInputStream(in).readNBytes(size), numRows, numFields)
  }
}
