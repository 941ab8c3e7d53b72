package org.apache.spark.storage.accelerant

import scala.reflect.ClassTag

import org.apache.spark.{Partition, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.RDDBlockId

/** The partitions of a persisted RDD as they are stored in this process; computes none. A partition may be `null`. */
final class StoredPartitions[T: ClassTag](persisted: RDD[T]) extends RDD[T](persisted.sparkContext, Nil) {
  private val persistedId = persisted.id
  private val numStored = persisted.getNumPartitions

  override protected def getPartitions: Array[Partition] =
    Array.tabulate(numStored)(i => new Partition { override def index: Int = i })

  /** Returns how many partitions are not stored. */
  def numMissing: Int = (0 until numStored).count(i => !isStored(RDDBlockId(persistedId, i)))

  /**
   * Reads a partition. The block is locked against its removal until its last item is taken or the context completes.
   *
   * Waits while the block goes from memory to disk, but not for another to compute it.
   */
  override def compute(partition: Partition, context: TaskContext): Iterator[T] = {
    val id = RDDBlockId(persistedId, partition.index)
    if (!isStored(id)) throw missing(id)
    val block = blocks.getLocalValues(id).getOrElse(throw missing(id))
    val items = block.data.asInstanceOf[Iterator[T]]
    context.addTaskCompletionListener[Unit](_ => items.foreach(_ => ()))
    items
  }

  /** Says whether a block is in memory or on disk; one that is being computed is in neither. */
  private def isStored(id: RDDBlockId): Boolean =
    blocks.getStatus(id).exists(status => status.memSize > 0 || status.diskSize > 0)

  private def missing(id: RDDBlockId) = new IllegalStateException(s"the block $id is not stored")

  private def blocks = SparkEnv.get.blockManager
}
