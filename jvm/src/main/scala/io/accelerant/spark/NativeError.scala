package io.accelerant.spark

/**
 * An error raised by the native engine, which makes it, with what is needed to raise Spark's own in its place.
 *
 * @param kind USER: the data or query is at fault; UNSUPPORTED: Spark should run it; RESOURCE: memory or files; CANCELLED; INTERNAL
 * @param errorClass Spark's, e.g. DIVIDE_BY_ZERO, or empty
 * @param parameters of the error class' message: name, value, name, value …
 * @param planNode index of the plan node in the plan message, or -1
 * @param expression index of the expression node in the plan message, or -1
 * @param row address of an ArrowArray holding the one row for which an expression failed, or 0; the receiver releases it
 * @param rowAttributes for each column of the row the index in the plan message of an AttributeReference that stands for it, which also
 *   tells its type; -1 for a column that was not read
 * @param failure the number under which a bridged call keeps the exception it failed with, or 0
 */
final class NativeError(
    val kind: String,
    val errorClass: String,
    message: String,
    val parameters: Array[String],
    val planNode: Int,
    val expression: Int,
    val row: Long,
    val rowAttributes: Array[Int],
    val failure: Int
) extends RuntimeException(message)
