package io.accelerant.spark

import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable.ArrayBuilder

/** A growing buffer with the primitives of docs/design/plan-message.md, little-endian. Not for more than one thread. */
final class MessageWriter {
  private val bytes = new ArrayBuilder.ofByte

  def u8(value: Int): Unit = bytes.addOne(value.toByte)

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

  def f64(value: Double): Unit = raw(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array)

  def text(value: String): Unit = blob(value.getBytes(UTF_8))

  /** Writes a number of texts, and the texts. */
  def texts(values: Iterable[String]): Unit = {
    varint(values.size)
    values.foreach(text)
  }

  /** Writes a length and the bytes. */
  def blob(more: Array[Byte]): Unit = {
    varint(more.length)
    raw(more)
  }

  def raw(more: Array[Byte]): Unit = bytes.addAll(more)

  /** Appends what the other writer holds. */
  def raw(other: MessageWriter): Unit = raw(other.result())

  /** Returns all bytes; nothing is to be written afterwards. */
  def result(): Array[Byte] = bytes.result()
}
