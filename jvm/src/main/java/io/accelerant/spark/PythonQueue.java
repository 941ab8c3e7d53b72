package io.accelerant.spark;

import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.python.HybridRowQueue;

/** Makes the queue that Spark keeps rows in while a Python worker computes; in Scala only its own packages may. */
final class PythonQueue {
  private PythonQueue() {}

  static HybridRowQueue create(TaskContext context, int numFields) {
    return HybridRowQueue.apply(context.taskMemoryManager(), numFields);
  }
}
