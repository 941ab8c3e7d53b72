package io.accelerant.spark;

/** Rows for one node of a plan that only the JVM has. The engine's workers call it, from any thread. */
public interface ExternalTable {

  /** Returns the node's index in the plan message. */
  int planNode();

  int numPartitions();

  /** Estimates the rows of all partitions. */
  long numRows();

  /**
   * Starts to read a partition. Never waits for a Spark task: those may be waiting for the engine.
   *
   * @throws RevertException when the rows are not there and Spark should run the query
   */
  Reader open(int partition);

  /** Reads one partition. One thread at a time. */
  interface Reader extends AutoCloseable {

    /**
     * Returns the next rows, a few MB of them, as bytes in parts that follow each other; null at the end. They are a stream of Arrow's IPC
     * format, or, of a cached relation, the number of rows, the size of each column in bytes, both as ints of the machine's byte order, and
     * the columns as Spark keeps them.
     */
    byte[][] next();

    @Override
    void close();
  }
}
