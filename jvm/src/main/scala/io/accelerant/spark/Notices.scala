package io.accelerant.spark

import org.apache.spark.internal.Logging

/** What the engine leaves for the people who run Spark, such as that a device is not used any more: warnings in Spark's log. */
object Notices extends Logging {

  /** Logs what the engine has left since the last call. */
  def logTaken(): Unit = logAll(Native.takeNotices())

  /** Logs lines as warnings. */
  def logAll(lines: Array[String]): Unit = lines.foreach(line => logWarning(s"Accelerant: $line"))
}
