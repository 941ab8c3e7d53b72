package io.accelerant.spark;

/** An error raised by the native engine, with what is needed to raise Spark's own in its place. */
public final class NativeError extends RuntimeException {
  /** USER: the data or query is at fault; UNSUPPORTED: Spark should run it; RESOURCE: memory or files; CANCELLED; INTERNAL. */
  public final String kind;
  /** Spark's error class, e.g. DIVIDE_BY_ZERO, or empty. */
  public final String errorClass;
  /** Message parameters of the error class: name, value, name, value … */
  public final String[] parameters;
  /** Index of the plan node in the plan message, or -1. */
  public final int planNode;
  /** Index of the expression node in the plan message, or -1. */
  public final int expression;
  /** Address of an ArrowArray holding the one row for which an expression failed, or 0. The receiver releases it. */
  public final long row;
  /**
   * For each column of the row the index in the plan message of an AttributeReference that stands for it, which also tells its type; -1
   * for a column that was not read.
   */
  public final int[] rowAttributes;
  /** The number under which a bridged call keeps the exception it failed with, or 0. */
  public final int failure;

  public NativeError(
      String kind,
      String errorClass,
      String message,
      String[] parameters,
      int planNode,
      int expression,
      long row,
      int[] rowAttributes,
      int failure) {
    super(message);
    this.kind = kind;
    this.errorClass = errorClass;
    this.parameters = parameters;
    this.planNode = planNode;
    this.expression = expression;
    this.row = row;
    this.rowAttributes = rowAttributes;
    this.failure = failure;
  }
}
