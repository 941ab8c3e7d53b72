package org.apache.spark.sql.execution.accelerant

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.nio.channels.Channels

import scala.jdk.CollectionConverters._

import org.apache.arrow.vector.{FieldVector, VectorSchemaRoot, VectorUnloader}
import org.apache.arrow.vector.compression.NoCompressionCodec
import org.apache.arrow.vector.ipc.{ArrowStreamWriter, ReadChannel, WriteChannel}
import org.apache.arrow.vector.ipc.message.{IpcOption, MessageSerializer}
import org.apache.arrow.vector.types.pojo.{ArrowType, Field, Schema}
import org.apache.spark.sql.execution.arrow.ArrowConverters
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch}

/** Batches that a Python worker returns, on their way to the engine, which reads them by a schema. */
final class ArrowResults(schema: StructType) {
  private val layout: Schema = {
    val empty = ArrowConverters.createEmptyArrowBatch(schema, "UTC", false, false)
    MessageSerializer.deserializeSchema(new ReadChannel(Channels.newChannel(new ByteArrayInputStream(empty))))
  }

  /** Says whether the columns of a batch have the layout that the engine reads. */
  def fit(batch: ColumnarBatch): Boolean =
    layout.getFields.asScala.corresponds(vectors(batch))((expected, vector) => hasLayout(expected, vector.getField))

  private def hasLayout(expected: Field, found: Field): Boolean = {
    val same = (expected.getType, found.getType) match {
      case (one: ArrowType.Timestamp, other: ArrowType.Timestamp) => one.getUnit == other.getUnit
      case (one, other) => one == other
    }
    same && expected.getChildren.asScala.corresponds(found.getChildren.asScala)(hasLayout)
  }

  /** Returns a batch as a stream of Arrow's IPC format. */
  def stream(batch: ColumnarBatch): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val channel = new WriteChannel(Channels.newChannel(bytes))
    MessageSerializer.serialize(channel, layout)
    val columns = vectors(batch)
    val root = new VectorSchemaRoot(columns.map(_.getField).asJava, columns.asJava, batch.numRows())
    val message = new VectorUnloader(root, true, NoCompressionCodec.INSTANCE, true).getRecordBatch
    try MessageSerializer.serialize(channel, message)
    finally message.close()
    ArrowStreamWriter.writeEndOfStream(channel, new IpcOption)
    bytes.toByteArray
  }

  private def vectors(batch: ColumnarBatch): Seq[FieldVector] =
    (0 until batch.numCols()).map { i =>
      batch.column(i).asInstanceOf[ArrowColumnVector].getValueVector.asInstanceOf[FieldVector]
    }
}
