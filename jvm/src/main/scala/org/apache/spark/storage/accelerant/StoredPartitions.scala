package org.apache.spark.storage.accelerant

import java.util.concurrent.ConcurrentHashMap

import scala.reflect.ClassTag

import org.apache.spark.{Partition, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.RDDBlockId

/**
 * The partitions of a persisted RDD as they are stored in this process. Reading computes none: one that is gone is there again once a task
 * has recomputed it. Any thread may call it.
 */
final class StoredPartitions[T: ClassTag](persisted: RDD[T]) extends RDD[T](persisted.sparkContext, Nil) {
  import StoredPartitions._

  private val numStored = persisted.getNumPartitions
  private val recomputed = new ConcurrentHashMap[Int, Array[T]] // of those that Spark does not store
  private val atWork = ConcurrentHashMap.newKeySet[Int]()

  override protected def getPartitions: Array[Partition] =
    Array.tabulate(numStored)(i => new Partition { override def index: Int = i })

  /** Returns which partitions are neither stored nor recomputed. */
  def missing: Seq[Int] = (0 until numStored).filter(isMissing)

  private def isMissing(index: Int): Boolean = !recomputed.containsKey(index) && !isStored(blockOf(index))

  /**
   * Computes partitions that are missing, each in one of the tasks that call this at the same time, and returns when none is. They are
   * stored again where the RDD is still persisted, else kept on the heap until {@link #forget}.
   */
  def recompute(context: TaskContext): Unit = {
    var left = missing
    while (left.nonEmpty) {
      context.killTaskIfInterrupted()
      left.find(atWork.add(_)) match {
        case Some(index) =>
          try recompute(index, context)
          finally atWork.remove(index)
        case None => Thread.sleep(PollMillis)
      }
      left = missing
    }
  }

  /** Another task may have done it since the caller looked. */
  private def recompute(index: Int, context: TaskContext): Unit =
    if (isMissing(index)) {
      val items = persisted.iterator(partitionFor(persisted, index), context).toArray
      if (!isStored(blockOf(index))) recomputed.put(index, items)
    }

  /** Frees what was recomputed and is not stored. */
  def forget(): Unit = recomputed.clear()

  /**
   * Reads a partition. The block is locked against its removal until its last item is taken or the context completes.
   *
   * Waits while the block goes from memory to disk, but not for another to compute it.
   */
  override def compute(partition: Partition, context: TaskContext): Iterator[T] =
    Option(recomputed.get(partition.index)).fold(stored(blockOf(partition.index), context))(_.iterator)

  private def stored(id: RDDBlockId, context: TaskContext): Iterator[T] = {
    val block = if (isStored(id)) blocks.getLocalValues(id) else None
    val items =
      block.getOrElse(throw new IllegalStateException(s"the block $id is not stored")).data.asInstanceOf[Iterator[T]]
    context.addTaskCompletionListener[Unit](_ => items.foreach(_ => ()))
    items
  }

  private def blockOf(partition: Int) = RDDBlockId(persisted.id, partition)

  /** Says whether a block is in memory or on disk; one that is being computed is in neither. */
  private def isStored(id: RDDBlockId): Boolean =
    blocks.getStatus(id).exists(status => status.memSize > 0 || status.diskSize > 0)

  private def blocks = SparkEnv.get.blockManager
}

object StoredPartitions {
  private val PollMillis = 10L

  /** Returns a copy of a partition, as each of Spark's tasks has one. To be asked of the driver's RDD, which knows its partitions. */
  def partitionFor(rdd: RDD[_], index: Int): Partition = {
    val serializer = SparkEnv.get.closureSerializer.newInstance()
    serializer.deserialize(serializer.serialize(rdd.partitions(index)), Thread.currentThread().getContextClassLoader)
  }
}
