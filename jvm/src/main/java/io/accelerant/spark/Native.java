package io.accelerant.spark;

/**
 * Entry points of the native engine. Every method may throw {@link NativeError}; handles are opaque and owned by the caller.
 *
 * <p>Messages are described in docs/design/plan-message.md. A batch is the address of an Arrow C {@code ArrowArray} of struct type
 * (one child a column, plain Arrow layouts: utf8 with 32-bit offsets, decimal128, bit-packed booleans), to be freed with
 * {@link #releaseBatch}.
 */
final class Native {
  private Native() {}

  /** Returns the engine's version, e.g. {@code 0.1.0}. */
  static native String version();

  /** Returns Spark's classes of the aggregates that the engine has, a line each. */
  static native String aggregates();

  /**
   * Sets what belongs to the process, as lines {@code name=value}: {@code threads}, {@code memory_limit_bytes}, and {@code heap_bytes},
   * beside which the engine chooses a limit where none is set; {@code spill_folders}, between commas, {@code spill_limit_bytes} and
   * {@code spill_encrypted} for rows that memory is too short for. The first call starts the worker threads; later calls with the same
   * values do nothing, with others adapt.
   */
  static native void configure(String settings);

  /** Judges and binds a plan message, once for all runs; throws only for a message that can't be read. Free it by {@link #closePrepared}. */
  static native long prepareQuery(byte[] plan);

  /**
   * Returns the verdict message on a prepared query.
   *
   * @param options of its runs
   * @param splits gives the splits message of the plan; asked only where a device may run something
   */
  static native String verdict(long prepared, String options, java.util.function.Supplier<byte[]> splits);

  static native void closePrepared(long prepared);

  /**
   * Returns how many plan messages this process has bound, how often it has opened what one reads and decided how it runs, the nanoseconds
   * that both took, and the bytes that are held for further runs.
   */
  static native long[] preparations();

  /**
   * Opens a run of a prepared query, reads the footers of its files unless a run before has, and returns it. Throws a NativeError of kind
   * UNSUPPORTED when the files turn out to need Spark.
   *
   * @param tables what the plan's nodes read from the JVM's memory
   * @param functions what computes the expressions that the verdict calls bridged
   * @param islands three numbers for each island: its node, how many partitions it has, an estimate of its rows
   * @param options lines {@code name=value}, see the message's document
   */
  static native long openQuery(
      long prepared, byte[] splits, ExternalTable[] tables, BridgedFunction[] functions, long[] islands, String options);

  /**
   * Returns how many partitions {@link #openStream} accepts for this query when {@code wanted} are asked for: 1 for a single
   * query, at most the number of Spark's file partitions for an independent one.
   */
  static native int partitions(long query, int wanted);

  /**
   * Begins what {@code count} streams share, all that comes before the first row, unless that has begun, and waits for it. Returns
   * whether it is there; throws what it failed with. From now on it is kept for streams that are opened again.
   */
  static native boolean prepare(long query, int count, long timeoutMillis);

  /**
   * Starts delivering partition {@code index} of {@code count} and returns a stream. With {@code count} 1 the stream delivers
   * everything, in Spark's order. A partition that was taken before is computed again.
   */
  static native long openStream(long query, int index, int count);

  /**
   * Waits at most {@code timeoutMillis} for the next batch, and no longer than until there may be something to {@link #claim} or to
   * {@link #putRows}.
   *
   * @return the address of a batch, 0 at the end, -1 when none came in time
   */
  static native long nextBatch(long stream, long timeoutMillis);

  /**
   * Takes on a partition of an island that the query waits for and nobody computes: one that stream {@code index} of {@code count} reads
   * itself, or one that is read for all.
   *
   * @return a handle for {@link #endClaim} to end, the island's node, the partition; null when there is none
   */
  static native long[] claim(long query, int index, int count);

  /**
   * Hands over the next rows of a claimed partition, in a copy: UnsafeRows, each behind its size in bytes, a long. Rows for which memory is
   * lacking end the query.
   *
   * @return what {@link #room} would
   */
  static native int putRows(long claim, byte[] rows, int length, int numRows);

  /**
   * Hands over rows {@code offset} and following of a batch that stays in the engine, of which its first columns count, with further columns
   * of as many rows.
   *
   * @param others a stream of Arrow's IPC format, of which rows {@code first} and following belong to these
   * @return what {@link #room} would
   */
  static native int putColumns(long claim, long batch, int numColumns, int offset, int numRows, byte[] others, int first);

  /** Returns 0 when further rows are wanted, 1 when not yet, 2 when nobody wants any. */
  static native int room(long claim);

  /** Ends a claim; what was not computed completely is somebody else's to compute, or ends the query. */
  static native void endClaim(long claim, boolean complete);

  /** Waits until there may be something to claim or to feed, as after ring {@code seen}; returns the number of rings so far. */
  static native long awaitBell(long query, long seen, long timeoutMillis);

  /**
   * Readies a stream for {@link #arrowMessages} to a reader with this schema, a message of Arrow's IPC format. Throws a NativeError of
   * kind UNSUPPORTED when the schema asks for another layout than that of the stream's batches; one column of structs that have theirs is
   * as good.
   */
  static native void useArrowSchema(long stream, byte[] schema);

  /**
   * Readies a stream for {@link #arrowMessages} of some of its columns, by position. Its batches stay in the engine, and have no columns
   * for others; messages leave them as they are. Throws what {@link #useArrowSchema} does.
   */
  static native void holdBatches(long stream, byte[] schema, int[] columns);

  /**
   * Readies a stream likewise for {@link #arrowMessages} of groups, as Spark sends them to Python: a group is rows with equal keys, which
   * come one after the other. The last messages come when no batches are given.
   *
   * @param keys columns by position
   */
  static native void holdGroups(long stream, byte[] schema, int[] columns, int[] keys);

  /**
   * Readies a stream for {@link #arrowMessages} that are batches of a cache of Spark's: the number of rows, the number of parts, each one's
   * bytes, then the parts. Throws a NativeError of kind UNSUPPORTED for columns of which the engine makes none.
   */
  static native void holdForCache(long stream, boolean compressed);

  /** Returns the bytes of a batch that stays in the engine. */
  static native long heldBytes(long batch);

  /** Returns a batch of the first columns of one that stays in the engine, to be released too. */
  static native long showBatch(long batch, int numColumns);

  /**
   * Returns the rows of a stream's batches, put together, as record batches of at most {@code maxRows} rows and, but for single rows,
   * {@code maxBytes} each, where these are positive: messages of Arrow's IPC format. The batches can only be released afterwards, also when
   * this fails.
   */
  static native byte[][] arrowMessages(long stream, long[] batches, long maxRows, long maxBytes);

  /** Frees a batch; its buffers must not be read afterwards. */
  static native void releaseBatch(long batch);

  /** Stops the stream's work if nobody else needs it and frees it. */
  static native void closeStream(long stream);

  /**
   * Writes a file with all that a query can be run again by, see docs/design/capture.md. Throws a NativeError when the folder can't be
   * written to.
   *
   * @param texts options, settings and answer as they are there
   */
  static native void writeCapture(String folder, String execution, byte[] plan, byte[] splits, String[] texts);

  /**
   * Checks the write message of a prepared query whose plan is a write, and the folder, an escaped URI, that files are to be written to.
   * Throws a NativeError of kind UNSUPPORTED naming what leaves the files to Spark's writer.
   */
  static native void checkWrite(long prepared, byte[] write, String folder);

  /**
   * Creates a file, named by an escaped URI, for rows of a query whose plan is a write. Its batches have no columns here: they are
   * for {@link #writeRows}.
   */
  static native long openWriter(long query, byte[] write, String uri);

  /** Appends rows of a batch to a file; drops those that come after an error. One thread at a time. */
  static native void writeRows(long writer, long batch, int offset, int count);

  /** Completes the file, unless a write failed, and frees the writer, also when this fails. */
  static native void closeWriter(long writer);

  /**
   * Returns counters since the query was opened, {@link #METRICS_PER_NODE} for each plan node by its index in the plan
   * message: output rows, output batches, estimated rows, CPU nanoseconds, peak bytes, spilled bytes, input bytes, input files,
   * rows that a device took in, morsels of the files, those of them that are done, rows of those that were read, the most CPU
   * nanoseconds of a thread between two looks at cancellation. Peak bytes and the last one are maxima, the others sums.
   */
  static native long[] metrics(long query);

  /** Cancels the query's streams: waiting calls return with a NativeError of kind CANCELLED. */
  static native void cancel(long query);

  /** Cancels and frees the query. Streams must be closed first. */
  static native void closeQuery(long query);

  /** Returns lines for people that the engine has left since the last call: it prints nothing itself. */
  static native String[] takeNotices();

  /** Returns the bytes that the engine has reserved of its memory limit, for all queries. */
  static native long usedBytes();

  /** Cancels everything, stops the worker threads and makes every later call fail; called once before the JVM ends. */
  static native void shutdown();

  /** Number of counters a plan node has in {@link #metrics}. */
  static final int METRICS_PER_NODE = 13;
}
