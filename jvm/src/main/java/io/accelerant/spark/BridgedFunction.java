package io.accelerant.spark;

/** An expression of a plan that Spark's own code computes inside a native query. The engine's workers call it, from any thread. */
public interface BridgedFunction {

  /** Returns the expression's index in the plan message. */
  int expression();

  /** Returns what one worker of the engine calls, with a copy of its own of all that the expression holds. */
  Worker newWorker();

  /** One worker's code. One thread at a time. */
  interface Worker {

    /**
     * Computes rows of a batch. A row that fails is one of the result's rows; what is thrown ends the query.
     *
     * @param batch address of an ArrowArray of struct type, with a child for each argument
     * @param wanted address of a bitmap of the rows that count, 0: all
     * @param values address for the results: an element of the type's width for each row (decimals of up to 18 digits have 8 bytes,
     *     others 16; booleans have one), of all else, nested values among it, the 32-bit offsets of its bytes, one more than there are
     *     rows
     * @param statuses address for one byte a row, see {@link BridgedLoop}
     * @return the bytes that offsets count in, possibly followed by others; null where values have a fixed width
     */
    byte[] evaluate(long batch, int numRows, long wanted, long values, long statuses);

    /** Returns the number under which the exception of the first row that failed in the last batch is kept. */
    int firstFailure();
  }
}
