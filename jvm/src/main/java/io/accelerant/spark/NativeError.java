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
  /**
   * Address of an ArrowArray holding the one input row of the plan node for which an expression failed, or 0. Columns that were not
   * read are null, whatever their type. The receiver releases it.
   */
  public final long row;

  public NativeError(
      String kind, String errorClass, String message, String[] parameters, int planNode, int expression, long row) {
    super(message);
    this.kind = kind;
    this.errorClass = errorClass;
    this.parameters = parameters;
    this.planNode = planNode;
    this.expression = expression;
    this.row = row;
  }
}
