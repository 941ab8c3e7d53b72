package io.accelerant.spark

import java.nio.charset.StandardCharsets.UTF_8

/** A growing buffer with the primitives of docs/design/plan-message.md, little-endian. Not for more than one thread. */
final class MessageWriter {
  private[this] var buffer = new Array[Byte](1024)
  private[this] var length = 0

  def size: Int = length

  def u8(value: Int): Unit = {
    reserve(1)
    buffer(length) = value.toByte
    length += 1
  }

  /** Writes unsigned LEB128; a negative value is taken as its 64 unsigned bits. */
  def varint(value: Long): Unit = {
    var rest = value
    while ((rest & ~0x7fL) != 0) {
      u8((rest & 0x7f | 0x80).toInt)
      rest >>>= 7
    }
    u8(rest.toInt)
  }

  def svarint(value: Long): Unit = varint((value << 1) ^ (value >> 63))

  def f64(value: Double): Unit = {
    var bits = java.lang.Double.doubleToRawLongBits(value)
    for (_ <- 0 until 8) {
      u8(bits.toInt)
      bits >>>= 8
    }
  }

  def text(value: String): Unit = blob(value.getBytes(UTF_8))

  /** Writes a number of texts, and the texts. */
  def texts(values: Iterable[String]): Unit = {
    varint(values.size)
    values.foreach(text)
  }

  /** Writes a length and the bytes. */
  def blob(bytes: Array[Byte]): Unit = {
    varint(bytes.length)
    raw(bytes)
  }

  def raw(bytes: Array[Byte]): Unit = raw(bytes, bytes.length)

  /** Appends what the other writer holds. */
  def raw(other: MessageWriter): Unit = raw(other.result())

  /** Returns a copy of the bytes written so far. */
  def result(): Array[Byte] = java.util.Arrays.copyOf(buffer, length)

  private def raw(bytes: Array[Byte], count: Int): Unit = {
    reserve(count)
    System.arraycopy(bytes, 0, buffer, length, count)
    length += count
  }

  private def reserve(count: Int): Unit =
    if (length + count > buffer.length) {
      buffer = java.util.Arrays.copyOf(buffer, math.max(buffer.length * 2, length + count))
    }
}
